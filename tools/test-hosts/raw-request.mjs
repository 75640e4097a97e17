// Sends requests as bytes, for servers that must withstand any input.
import { connect } from 'node:net';

/**
 * Writes bytes to a server on this machine and reads until the server closes the connection.
 * @param {number} port
 * @param {string | Buffer} bytes
 * @param {{ isHalf?: boolean }} [options] `isHalf`: the bytes are an incomplete request, and the
 *   client disconnects after sending them
 * @returns {Promise<Buffer>} the complete response
 */
export function exchange(port, bytes, { isHalf = false } = {}) {
  return new Promise((resolve) => {
    const chunks = [];
    const socket = connect(port, '127.0.0.1');
    socket.on('data', (chunk) => chunks.push(chunk));
    // The server may close the connection before it has read everything.
    socket.on('error', () => {});
    socket.on('close', () => resolve(Buffer.concat(chunks)));
    if (isHalf) socket.end(bytes);
    else socket.write(bytes);
  });
}

const INTERIM = /^HTTP\/1\.1 1\d\d .*\r\n\r\n/;

/**
 * Returns the first final response in these bytes; null if there is none.
 * @param {Buffer} answered
 */
export function firstResponse(answered) {
  const bytes = answered.subarray(INTERIM.exec(answered.toString('latin1'))?.[0].length ?? 0);
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const [statusLine, ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const headers = new Headers(lines.map((line) => /^([^:]*):\s*(.*)$/.exec(line).slice(1)));
  const length = headers.get('Content-Length');
  const body = bytes.subarray(end + 4, length === null ? undefined : end + 4 + Number(length));
  return { status: Number(statusLine.split(' ')[1]), headers, body };
}

/**
 * Throws if there is no response.
 * @param {number} port
 * @param {string} target as in a request line
 * @param {{ method?: string, headers?: Record<string, string> }} [options]
 */
export async function request(port, target, { method = 'GET', headers = {} } = {}) {
  const lines = Object.entries({ Host: 'localhost', Connection: 'close', ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const response = firstResponse(
    await exchange(port, `${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n`),
  );
  if (response === null) throw new Error(`${method} ${target}: no response`);
  return response;
}
