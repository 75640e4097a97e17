// Hosts that serve built pages in tests: Latchscope's own server, and static hosts with headers
// found in practice.
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';

import { headersOf, isolationHeaders } from '../../web/contract/response-headers.mjs';
import { servePage } from '../page-server.mjs';

const contentTypes = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
};

/**
 * @typedef {object} StaticHostOptions
 * @property {Record<string, string> | ((file: string) => Record<string, string>)} [headers] sent
 *   with each response, or with the response for a file
 * @property {boolean} [hasFallback] whether the host answers with the page and status 200 instead
 *   of 404
 */

/** @typedef {StaticHostOptions | 'npm start'} HostKind */

const FOR_A_YEAR = { 'Cache-Control': 'public, max-age=31536000, immutable' };

/** @type {Record<string, HostKind>} */
export const hostKinds = {
  'npm start': 'npm start',
  'no headers': {},
  'Vary: Origin': { headers: { Vary: 'Origin' } },
  'Vary: *': { headers: { Vary: '*' } },
  'Cache-Control: no-store': { headers: { 'Cache-Control': 'no-store' } },
  'everything may be kept for a year': { headers: FOR_A_YEAR },
  'the headers that isolate': { headers: { ...isolationHeaders } },
  'all headers of docs/guide/hosting.md': { headers: (file) => headersOf(file) },
  'the page in place of a missing file': { hasFallback: true },
  'the page in place of a missing file, kept for a year': {
    hasFallback: true,
    headers: { ...FOR_A_YEAR, Vary: 'Origin' },
  },
};

/**
 * @typedef {object} Host
 * @property {string} url
 * @property {(build: string, path?: string) => void} deploy makes the host serve the build in this
 *   folder, below `path`
 * @property {() => Promise<void>} goDown makes the host unreachable until `comeBack`
 * @property {() => Promise<void>} comeBack
 * @property {() => Promise<void>} close
 */

/**
 * @param {HostKind} kind
 * @param {string} build folder of the first build that it serves
 * @returns {Promise<Host>}
 */
export function startHost(kind, build) {
  return kind === 'npm start' ? startOwnServer(build) : startStaticHost(build, kind);
}

async function startOwnServer(build) {
  const folder = mkdtempSync(join(tmpdir(), 'latchscope-host-'));
  const deploy = (files) => {
    rmSync(folder, { recursive: true, force: true });
    cpSync(files, folder, { recursive: true });
  };
  deploy(build);
  let server = await servePage({ folder });
  const { url, port } = server;
  return {
    url,
    deploy,
    goDown: () => server.close(),
    comeBack: async () => {
      server = await servePage({ folder, port });
    },
    close: async () => {
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function startStaticHost(build, { headers = {}, hasFallback = false }) {
  const headersFor = typeof headers === 'function' ? headers : () => headers;
  const builds = new Map([['/', build]]);
  let isDown = false;
  const server = createServer((request, response) => {
    if (isDown) {
      request.socket.destroy();
      return;
    }
    const [address] = request.url.split('?', 1);
    // Selects the innermost of nested folders.
    const path = [...builds.keys()].sort().findLast((start) => address.startsWith(start));
    const folder = path === undefined ? '' : builds.get(path);
    const name = address.slice(path?.length) || 'index.html';
    const isThere = path !== undefined && existsSync(join(folder, name));
    if (!isThere && !hasFallback) {
      response.writeHead(404, headersFor(name)).end('File not found.');
      return;
    }
    const file = join(folder, isThere ? name : 'index.html');
    response.writeHead(200, { 'Content-Type': contentTypes[extname(file)], ...headersFor(name) });
    response.end(readFileSync(file));
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    deploy: (files, path = '/') => {
      builds.set(path, files);
    },
    goDown: async () => {
      isDown = true;
      server.closeAllConnections();
    },
    comeBack: async () => {
      isDown = false;
    },
    close: () =>
      new Promise((closed) => {
        server.close(closed);
        server.closeAllConnections();
      }),
  };
}
