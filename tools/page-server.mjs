// Serves a built page unchanged, for `npm start`, the browser tests and the measurements.
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';

import { cache_control, HASHED_FOLDER, hostHeaders } from '../web/browser/offline/response-headers.mjs';
import { repository, UsageError } from './processes.mjs';

const ADDRESS = '127.0.0.1';
/** Refuses requests under other host names: a site may point its own name at this machine (DNS rebinding). */
const OWN_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i;
const METHODS = ['GET', 'HEAD'];
export const distFolder = join(repository, 'dist');

/**
 * @param {object} [options]
 * @param {number} [options.port] 0: one that is free
 * @param {string} [options.folder] what is served: a built page
 * @param {string} [options.frameAncestors] who may show the page in a frame, as in a content security policy
 * @returns {Promise<{ url: string, port: number, close: () => Promise<void> }>}
 */
export async function servePage({ port = 0, folder = distFolder, frameAncestors } = {}) {
  if (!existsSync(join(folder, 'index.html'))) {
    throw new UsageError(`--folder: got ${folder}, which has no index.html; allowed: a built page`);
  }
  const { default: send } = await import('send');
  const headers = new Headers(hostHeaders(frameAncestors));
  const server = createServer((request, response) => {
    response.setHeaders(headers);
    const refuse = (status) => answerWithFault(response, headers, status);
    const refusal = refusalOf(request);
    if (refusal === null) sendFile(send, { request, response, folder, refuse });
    else refuse(refusal);
  });
  await listen(server, port);
  const { port: taken } = server.address();
  return {
    url: `http://${ADDRESS}:${taken}/`,
    port: taken,
    close: () =>
      new Promise((closed) => {
        server.close(closed);
        server.closeAllConnections();
      }),
  };
}

/** @returns {number | null} the status with which this request is refused, whatever it asks for */
function refusalOf({ headers, method, url }) {
  if (!OWN_HOST.test(headers.host ?? '')) return 403;
  if (!METHODS.includes(method)) return 405;
  return url.startsWith('/') ? null : 400;
}

function sendFile(send, { request, response, folder, refuse }) {
  const [path] = request.url.split(/[?#]/, 1);
  send(request, path === '/' ? '/index.html' : path, { root: folder, index: false, cacheControl: false })
    .on('headers', (_, file) => {
      const isHashed = file.startsWith(join(folder, HASHED_FOLDER));
      response.setHeader('Cache-Control', isHashed ? cache_control.hashed : cache_control.other);
    })
    .on('directory', () => refuse(404))
    .on('error', ({ status }) => refuse(status))
    .pipe(response);
}

const explanations = {
  400: 'This address cannot be read.',
  403: 'This server answers for its own files only, as localhost, 127.0.0.1 or [::1].',
  404: 'There is no such file.',
  405: `Allowed: ${METHODS.join(', ')}.`,
  416: 'The file has no such range.',
};

function answerWithFault(response, headers, status) {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const range = status === 416 ? response.getHeader('Content-Range') : undefined;
  for (const name of response.getHeaderNames()) response.removeHeader(name);
  response.setHeaders(headers);
  response.setHeader('Cache-Control', cache_control.fault);
  response.setHeader('Content-Type', 'text/plain; charset=utf-8');
  if (range !== undefined) response.setHeader('Content-Range', range);
  if (status === 405) response.setHeader('Allow', METHODS.join(', '));
  response.statusCode = status;
  response.end(`${explanations[status] ?? 'The file cannot be read.'}\n`);
}

async function listen(server, port) {
  const listening = new Promise((heard, failed) => {
    server.once('listening', heard);
    server.once('error', failed);
  });
  server.listen(port, ADDRESS);
  try {
    await listening;
  } catch (error) {
    if (!['EADDRINUSE', 'EACCES'].includes(error.code)) throw error;
    const why = error.code === 'EACCES' ? 'which needs more rights' : 'where another program listens';
    throw new UsageError(`--port: got ${port}, ${why}; allowed: a free port`);
  }
}
