// Sends random and hostile bytes to the server of `npm start`. The server must stay alive, print
// nothing, and answer only with the requested file. It must not serve files outside its folder, not
// even through a link or a pipe. Every response must have the security headers.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';

import fc from 'fast-check';

import { hostHeaders } from '../../web/contract/response-headers.mjs';
import { inTemporaryFolder } from '../../tools/interruption.mjs';
import { repository } from '../../tools/processes.mjs';
import { startProgramOfTest } from '../../tools/started-program.mjs';
import { exchange, firstResponse } from '../../tools/test-hosts/raw-request.mjs';

const SECRET = 'not for clients';
const STACK = /^\s+at .*:\d+:\d+\)?$/m;
const files = {
  'index.html': '<!doctype html><title>Page</title>',
  'service-worker.js': 'self.addEventListener("fetch", () => {});',
  'favicon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'assets/index-AbC.js': 'export {};',
  'assets/index-AbC.css': 'p {}',
  'assets/engine-AbC.wasm': `\0asm${'0123456789'.repeat(20_000)}`,
  'assets/empty-AbC.js': '',
};
/** None of these may be served: links to places outside the folder, and a pipe without a writer. */
const LINKS = { 'assets/leak-AbC.js': '../../secret.txt', outside: '..', 'dangling.js': 'nothing' };
const PIPE = 'assets/pipe-AbC.js';
const STATUSES = [200, 206, 304, 400, 403, 404, 405, 408, 412, 413, 414, 416, 417, 431, 501, 505];

async function withServer(root, use) {
  const folder = join(root, 'dist');
  mkdirSync(join(folder, 'assets'), { recursive: true });
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  for (const name of ['secret.txt', 'dist.txt', 'index.html'])
    writeFileSync(join(root, name), `${SECRET}: ${name}`);
  for (const [name, aim] of Object.entries(LINKS)) symlinkSync(aim, join(folder, name));
  execFileSync('mkfifo', [join(folder, PIPE)]);
  const command = [process.execPath, join(repository, 'tools/cli.mjs'), 'serve', '--port', '0'];
  const { child, seen } = startProgramOfTest(command, ['--folder', folder]);
  try {
    const [, port] = /:(\d+)\//.exec(await seen('stdout', /\n/));
    const printed = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => printed.push(chunk));
    await use({ port: Number(port), folder, printed, isAlive: () => child.exitCode === null });
  } finally {
    child.kill();
  }
}

const escaped = (text) => `%${text.charCodeAt(0).toString(16).padStart(2, '0')}`;
const junk = fc.string({ unit: 'binary', maxLength: 12 }).map((text) => text.replace(/[\r\n]/g, ''));

/**
 * Parts of a path: existing names, parent folders, and sequences that servers often decode wrongly.
 */
const segment = fc.oneof(
  fc.constantFrom(
    ...Object.keys(files),
    ...Object.keys(LINKS),
    PIPE,
    'assets',
    'secret.txt',
    'dist.txt',
    'package.json',
    'etc/passwd',
  ),
  fc.constantFrom(
    '..',
    '.',
    '',
    '%2e%2e',
    '..%2f',
    '%2f',
    '..\\',
    '..%5c',
    '%00',
    '%zz',
    '%c0%ae',
    '%252e%252e',
  ),
  fc.constantFrom('~', '.git', 'con', '*', '?', '#', '?index.html', '#index.html', ';', ' ', '%20', '%0d%0a'),
  junk.map(encodeURIComponent.bind(null)).filter(Boolean),
  junk,
);

function someEscaped(path) {
  return fc
    .array(fc.boolean(), { minLength: path.length, maxLength: path.length })
    .map((which) => [...path].map((c, i) => (which[i] && c.charCodeAt(0) < 128 ? escaped(c) : c)).join(''));
}

const target = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('/', ...Object.keys(files).map((name) => `/${name}`)) },
  fc.constantFrom(...Object.keys(LINKS), PIPE, 'outside/secret.txt').map((name) => `/${name}`),
  { weight: 2, arbitrary: fc.constantFrom(...Object.keys(files)).chain((name) => someEscaped(`/${name}`)) },
  { weight: 6, arbitrary: fc.array(segment, { maxLength: 6 }).map((parts) => `/${parts.join('/')}`) },
  fc.constantFrom(
    '*',
    'http://localhost/',
    'https://example.org/index.html',
    '//example.org/',
    'index.html',
    '',
  ),
  fc.integer({ min: 1, max: 40_000 }).map((length) => `/${'a'.repeat(length)}`),
  junk,
);

const number = fc.oneof(
  fc.nat({ max: 250_000 }).map(String),
  fc.constantFrom('', '0', '-1', '99999999999999999999', '1e3', '0x10', 'a', '1.5', ' '),
);
const range = fc.oneof(
  fc.tuple(number, number).map(([from, to]) => `bytes=${from}-${to}`),
  fc
    .array(fc.tuple(number, number), { maxLength: 40 })
    .map((list) => `bytes=${list.map(([from, to]) => `${from}-${to}`).join(',')}`),
  junk.map((text) => `bytes=${text}`),
  junk,
);
const header = fc.oneof(
  { weight: 4, arbitrary: range.map((value) => `Range: ${value}`) },
  fc
    .tuple(
      fc.constantFrom('If-None-Match', 'If-Match', 'If-Range'),
      fc.constantFrom('*', '"x"', 'W/"1-1"', '"'),
    )
    .map(([name, value]) => `${name}: ${value}`),
  fc
    .constantFrom('If-Modified-Since', 'If-Unmodified-Since', 'If-Range')
    .map((name) => `${name}: Thu, 01 Jan 1970 00:00:00 GMT`),
  fc.constantFrom(
    'Content-Length: 5',
    'Content-Length: -1',
    'Content-Length: 99999999999999999999',
    'Transfer-Encoding: chunked',
    'Transfer-Encoding: chunked, chunked',
    'Expect: 100-continue',
    'Expect: nothing',
    'Upgrade: websocket',
    'Upgrade: h2c',
    'Origin: https://example.org',
    'Accept-Encoding: gzip, br, *;q=0',
    'Service-Worker: script',
  ),
  fc.tuple(fc.constantFrom('X', 'Cookie', 'Accept', ''), junk).map(([name, value]) => `${name}: ${value}`),
  fc.integer({ min: 1, max: 20_000 }).map((length) => `X-Long: ${'a'.repeat(length)}`),
  junk,
);

const request = fc.record({
  method: fc.oneof(
    { weight: 6, arbitrary: fc.constant('GET') },
    { weight: 2, arbitrary: fc.constant('HEAD') },
    fc.constantFrom('POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT', 'PRI', 'get', ''),
    junk,
  ),
  target,
  version: fc.oneof(
    { weight: 8, arbitrary: fc.constant('HTTP/1.1') },
    fc.constantFrom('HTTP/1.0', 'HTTP/2.0', 'HTTP/0.9', 'HTTP/1.1 ', 'http/1.1', ''),
  ),
  host: fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom('localhost', '127.0.0.1:4173', '[::1]') },
    fc.constantFrom(
      null,
      '',
      'example.org',
      'localhost.example.org',
      'localhost@example.org',
      '127.0.0.1, example.org',
    ),
    junk,
  ),
  headers: fc.array(header, { maxLength: 5 }),
  body: fc.oneof({ weight: 4, arbitrary: fc.constant('') }, junk),
  /** The byte at which the client stops sending and disconnects. */
  cutAt: fc.option(fc.nat({ max: 200 }), { freq: 5 }),
});

function bytesOf({ method, target: path, version, host, headers, body }) {
  const lines = [...(host === null ? [] : [`Host: ${host}`]), ...headers, 'Connection: close'];
  return Buffer.from(`${method} ${path} ${version}\r\n${lines.join('\r\n')}\r\n\r\n${body}`, 'utf8');
}

/**
 * Returns the content of the file that an address names, computed independently of the server; null
 * if there is none.
 */
function fileNamed(address) {
  try {
    const [path] = address.split(/[?#]/, 1);
    const name = posix.normalize(decodeURIComponent(path)).replace(/^\/+/, '');
    return files[name === '' && path === '/' ? 'index.html' : name] ?? null;
  } catch {
    return null;
  }
}

function checkResponse({ status, headers, body }, { method, target: address, host }) {
  assert.ok(STATUSES.includes(status), `status ${status}`);
  const text = body.toString('latin1');
  assert.doesNotMatch(text, new RegExp(SECRET));
  assert.doesNotMatch(text, STACK);
  for (const [name, value] of Object.entries(hostHeaders())) assert.equal(headers.get(name), value, name);
  if (![200, 206].includes(status)) return;
  assert.ok(['GET', 'HEAD'].includes(method), `${method} is allowed`);
  assert.match(host, /^\s*(localhost|127\.0\.0\.1:4173|\[::1\])\s*$/);
  // Node decodes the request line as latin1.
  const file = fileNamed(Buffer.from(address, 'utf8').toString('latin1'));
  assert.notEqual(file, null, 'there is no such file');
  const [, from = 0, to = file.length - 1] = /bytes (\d+)-(\d+)/.exec(headers.get('Content-Range')) ?? [];
  const expected = file.slice(Number(from), Number(to) + 1);
  assert.equal(headers.get('Content-Length'), String(expected.length));
  assert.equal(status === 206, headers.has('Content-Range'));
  assert.ok(text === (method === 'HEAD' ? '' : expected), 'the response is not the content of the file');
}

async function checkServer({ port, printed, isAlive }) {
  const response = firstResponse(
    await exchange(port, 'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'),
  );
  assert.ok(isAlive(), 'the server has ended');
  assert.equal(response?.status, 200);
  assert.equal(response.body.toString('latin1'), files['index.html']);
  assert.deepEqual(printed, [], 'the server printed something');
}

async function isAnswered(input, context) {
  const whole = bytesOf(input);
  const isHalf = input.cutAt !== null;
  const answered = await exchange(context.port, isHalf ? whole.subarray(0, input.cutAt) : whole, { isHalf });
  const response = firstResponse(answered);
  if (response !== null) checkResponse(response, input);
  await checkServer(context);
}

const change = fc.record({
  file: fc.constantFrom(...Object.keys(files).filter((name) => name !== 'index.html')),
  isThere: fc.boolean(),
});

/** Changes files as a build does while the page is served. */
async function withstandsChanges(steps, context) {
  const { folder, port } = context;
  const answers = steps.map(async ({ file, isThere }) => {
    const answer = exchange(port, `GET /${file} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    if (isThere) writeFileSync(join(folder, file), files[file]);
    else rmSync(join(folder, file), { force: true });
    const response = firstResponse(await answer);
    assert.ok([200, 404].includes(response.status), `status ${response.status}`);
    const { length } = response.body;
    if (response.status === 200)
      assert.ok(files[file].startsWith(response.body.toString('latin1')), `${length} bytes`);
  });
  await Promise.all(answers);
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    writeFileSync(path, content);
    assert.equal(readFileSync(path, 'latin1'), content);
  }
  await checkServer(context);
}

export default {
  withContext: (use) => inTemporaryFolder('attack', (root) => withServer(root, use)),
  attacks: [
    {
      name: 'random and hostile requests as bytes',
      inputs: 6000,
      input: request,
      withstands: isAnswered,
    },
    {
      name: 'files that appear and disappear during requests',
      inputs: 400,
      input: fc.array(change, { minLength: 1, maxLength: 20 }),
      withstands: withstandsChanges,
    },
  ],
};
