// Serves a built page unchanged for `npm start`, the browser tests and the measurements.
import { existsSync } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { createServer, STATUS_CODES } from 'node:http';
import { join, sep } from 'node:path';

import { cacheControl, HASHED_FOLDER, headersOf, hostHeaders } from '../web/contract/response-headers.mjs';
import { damagedFileOf } from './kept-files.mjs';
import { repository, UsageError } from './processes.mjs';

const ADDRESS = '127.0.0.1';
/** Other host names are refused: a site may point its own name at this machine (DNS rebinding). */
const OWN_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i;
const METHODS = ['GET', 'HEAD'];
export const distFolder = join(repository, 'dist');

/**
 * Starts the server. Throws a UsageError if the folder has no intact page or the port is not free.
 * @param {object} [options]
 * @param {number} [options.port] 0 selects a free port
 * @param {string} [options.folder] a built page
 * @param {string} [options.frameAncestors] who may frame the page, as in a content security policy
 * @returns {Promise<{ url: string, port: number, close: () => Promise<void> }>}
 */
export async function servePage({ port = 0, folder = distFolder, frameAncestors } = {}) {
  if (!existsSync(join(folder, 'index.html'))) {
    throw new UsageError(`--folder: got ${folder}, which has no index.html; allowed: a built page`);
  }
  const damaged = damagedFileOf(folder);
  if (damaged !== null) {
    throw new UsageError(
      `--folder: got ${folder}, in which ${damaged} was damaged after the build; allowed: a built page (npm run build -- page)`,
    );
  }
  const { default: send } = await import('send');
  const headers = new Headers(hostHeaders(frameAncestors));
  const root = await realpath(folder);
  /** The response in progress on each connection. */
  const responses = new WeakMap();
  // Node itself would answer a request without Host, but without the required headers.
  const server = createServer({ requireHostHeader: false }, async (request, response) => {
    responses.set(request.socket, response);
    response.setHeaders(new Headers(headersOf(pathOf(request).slice(1), frameAncestors)));
    const refuse = (status) => answerWithFault(response, headers, status);
    const refusal = refusalOf(request) ?? (await refusalOfFile(root, request));
    if (refusal === null) sendFile(send, { request, response, root, refuse });
    else refuse(refusal);
  });
  server.on('checkExpectation', (_, response) => answerWithFault(response, headers, 417));
  server.on('clientError', (error, socket) => {
    const isAnswered = responses.get(socket)?.headersSent ?? false;
    if (isAnswered || !socket.writable || error.code === 'ECONNRESET') socket.destroy();
    else answerUnreadable(socket, headers, error.code);
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

/** @returns {number | null} the status that refuses this request for any file, or null */
function refusalOf({ headers, method, url }) {
  if (!OWN_HOST.test(headers.host ?? '')) return 403;
  if (!METHODS.includes(method)) return 405;
  return url.startsWith('/') ? null : 400;
}

const pathOf = ({ url }) => {
  const [path] = url.split(/[?#]/, 1);
  return path === '/' ? '/index.html' : path;
};

/** Allows only regular files inside the folder, not pipes or link targets elsewhere. */
async function refusalOfFile(root, request) {
  try {
    const place = await realpath(join(root, decodeURIComponent(pathOf(request))));
    const isInside = place.startsWith(`${root}${sep}`);
    return isInside && (await stat(place)).isFile() ? null : 404;
  } catch {
    // The file is missing or its name cannot be decoded: `send` reports which.
    return null;
  }
}

function sendFile(send, { request, response, root, refuse }) {
  send(request, pathOf(request), { root, index: false, cacheControl: false })
    .on('headers', (_, file) => {
      const isHashed = file.startsWith(join(root, HASHED_FOLDER));
      response.setHeader('Cache-Control', isHashed ? cacheControl.hashed : cacheControl.other);
    })
    .on('directory', () => refuse(404))
    .on('error', ({ status }) => refuse(status))
    .pipe(response);
}

const explanations = {
  400: 'The address is not valid.',
  403: 'This server answers for its own files only, as localhost, 127.0.0.1 or [::1].',
  404: 'File not found.',
  405: `Allowed: ${METHODS.join(', ')}.`,
  408: 'The request took too long.',
  412: 'The file does not meet the conditions of the request.',
  413: 'The request is too large.',
  416: 'The file does not have this range.',
  417: 'This server does not support Expect.',
  431: 'The headers of the request are too large.',
};
const explanationOf = (status) => `${explanations[status] ?? 'The file cannot be read.'}\n`;

function answerWithFault(response, headers, status) {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const range = status === 416 ? response.getHeader('Content-Range') : undefined;
  for (const name of response.getHeaderNames()) response.removeHeader(name);
  response.setHeaders(headers);
  response.setHeader('Cache-Control', cacheControl.fault);
  response.setHeader('Content-Type', 'text/plain; charset=utf-8');
  if (range !== undefined) response.setHeader('Content-Range', range);
  if (status === 405) response.setHeader('Allow', METHODS.join(', '));
  response.statusCode = status;
  response.end(explanationOf(status));
}

const statusOfError = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
};

/** Answers a request that Node could not parse, so there is no response object. */
function answerUnreadable(socket, headers, code) {
  const status = statusOfError[code] ?? 400;
  const body = explanationOf(status);
  const all = new Headers(headers);
  all.set('Cache-Control', cacheControl.fault);
  all.set('Content-Type', 'text/plain; charset=utf-8');
  all.set('Content-Length', `${Buffer.byteLength(body)}`);
  all.set('Connection', 'close');
  const lines = [...all].map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines}\r\n${body}`);
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
    const why = error.code === 'EACCES' ? 'which needs more privileges' : 'which another program uses';
    throw new UsageError(`--port: got ${port}, ${why}; allowed: a free port`);
  }
}
