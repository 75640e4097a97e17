// Tests the page server: headers, refused requests, and files that change while it runs.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { headersOf, hostHeaders } from '../web/contract/response-headers.mjs';
import { serviceWorkerOf } from './kept-files.mjs';
import { UsageError } from './processes.mjs';
import { servePage } from './page-server.mjs';
import { exchange, firstResponse, request } from './test-hosts/raw-request.mjs';

const SCRIPT = 'export {};';
let root;
let folder;
let server;
const ask = (target, options) => request(server.port, target, options);

before(async () => {
  root = mkdtempSync(join(tmpdir(), 'latchscope-serve-'));
  folder = join(root, 'dist');
  mkdirSync(join(folder, 'assets'), { recursive: true });
  writeFileSync(join(root, 'secret.txt'), 'not for clients');
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Page</title>');
  writeFileSync(join(folder, 'service-worker.js'), SCRIPT);
  for (const name of ['embed.html', 'latchscope-run.js', 'assets/index-AbC.js'])
    writeFileSync(join(folder, name), SCRIPT);
  writeFileSync(join(folder, 'assets/engine-AbC.wasm'), Buffer.from('\0asm0123456789', 'latin1'));
  server = await servePage({ folder });
});
after(async () => {
  await server.close();
  rmSync(root, { recursive: true });
});

test('a page with a damaged file is refused, with the name of the file', async () => {
  const built = join(root, 'built');
  mkdirSync(built);
  const files = { 'index.html': '<!doctype html>', 'engine.wasm': '\0asm', 'service-worker.js': '' };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(built, name), text);
  const start = () => servePage({ folder: built });
  await assert.rejects(start, /in which service-worker\.js was damaged after the build/);
  writeFileSync(join(built, 'service-worker.js'), serviceWorkerOf(built, SCRIPT));
  await (await start()).close();
  writeFileSync(join(built, 'engine.wasm'), '');
  await assert.rejects(start, /in which engine\.wasm was damaged after the build/);
  rmSync(join(built, 'engine.wasm'));
  await assert.rejects(start, UsageError);
});

test('files are served with their content types', async () => {
  for (const [target, type] of [
    ['/', 'text/html; charset=utf-8'],
    ['/?a=1', 'text/html; charset=utf-8'],
    ['/index.html', 'text/html; charset=utf-8'],
    ['/assets/index-AbC.js', 'text/javascript; charset=utf-8'],
    ['/assets/engine-AbC.wasm', 'application/wasm'],
  ]) {
    const { status, headers } = await ask(target);
    assert.equal(status, 200, target);
    assert.equal(headers.get('Content-Type'), type, target);
  }
});

test('a missing file gives a 404, never the page', async () => {
  for (const target of ['/assets/gone.js', '/gone', '/assets', '/assets/', '/index.html/', '/.git/config']) {
    const { status, headers, body } = await ask(target);
    assert.equal(status, 404, target);
    assert.equal(headers.get('Cache-Control'), 'no-store');
    assert.equal(body.toString(), 'File not found.\n');
  }
});

test('every response has all headers, and none that opens it to other origins', async () => {
  for (const target of ['/', '/assets/index-AbC.js', '/gone']) {
    const { headers } = await ask(target, { headers: { Origin: 'https://example.org' } });
    for (const [name, value] of Object.entries(hostHeaders())) assert.equal(headers.get(name), value, name);
    for (const name of ['Vary', 'Access-Control-Allow-Origin']) assert.equal(headers.get(name), null, name);
  }
});

test('any site may frame the embedded page and load its script, but no other file', async () => {
  for (const file of ['embed.html', 'latchscope-run.js']) {
    const { headers } = await ask(`/${file}`);
    for (const [name, value] of Object.entries(headersOf(file))) assert.equal(headers.get(name), value, name);
    assert.equal(headers.get('Cross-Origin-Resource-Policy'), 'cross-origin');
  }
  const policyOf = async (target) => (await ask(target)).headers.get('Content-Security-Policy');
  assert.match(await policyOf('/embed.html'), /; frame-ancestors \*$/);
  for (const target of [
    '/',
    '/index.html',
    '/latchscope-run.js',
    '/assets/embed.html',
    '/index.html?/embed.html',
  ])
    assert.match(await policyOf(target), /; frame-ancestors 'self'$/, target);
});

test('an option sets who may frame the page', async () => {
  const open = await servePage({ folder, frameAncestors: 'https://example.org' });
  const { headers } = await request(open.port, '/');
  await open.close();
  assert.match(headers.get('Content-Security-Policy'), /; frame-ancestors https:\/\/example\.org$/);
});

test('browsers may cache files that never change, and must revalidate the rest', async () => {
  const policyOf = async (target) => (await ask(target)).headers.get('Cache-Control');
  assert.match(await policyOf('/assets/index-AbC.js'), /immutable/);
  for (const target of ['/', '/service-worker.js']) assert.equal(await policyOf(target), 'no-cache');
});

test('ranges are served, or refused without a stack trace', async () => {
  const range = (value) => ask('/assets/engine-AbC.wasm', { headers: { Range: value } });
  for (const [value, bytes] of [
    ['bytes=0-3', '\0asm'],
    ['bytes=-4', '6789'],
    ['bytes=12-', '89'],
    ['bytes=12-999', '89'],
  ]) {
    const { status, body } = await range(value);
    assert.equal(status, 206, value);
    assert.equal(body.toString('latin1'), bytes);
  }
  for (const value of ['bytes=5-2', 'bytes=99-', 'bytes=-0']) {
    const { status, headers } = await range(value);
    assert.equal(status, 416, value);
    assert.equal(headers.get('Content-Range'), 'bytes */14');
  }
  for (const value of ['bytes=0-1,4-5', 'bytes=abc', 'lines=1-2', ''])
    assert.equal((await range(value)).status, 200, value);
});

test('HEAD has the headers of GET and no body', async () => {
  const { status, headers, body } = await ask('/assets/index-AbC.js', { method: 'HEAD' });
  assert.equal(status, 200);
  assert.equal(headers.get('Content-Length'), String(SCRIPT.length));
  assert.equal(body.length, 0);
});

test('nothing but GET and HEAD is allowed', async () => {
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE', 'PATCH']) {
    const { status, headers } = await ask('/', { method });
    assert.equal(status, 405, method);
    assert.equal(headers.get('Allow'), 'GET, HEAD');
  }
});

test('a page of another site cannot make requests under its own name', async () => {
  for (const host of ['localhost', 'LOCALHOST:4173', '127.0.0.1:80', '[::1]:4173'])
    assert.equal((await ask('/', { headers: { Host: host } })).status, 200, host);
  for (const host of ['example.org', 'localhost.example.org', '127.0.0.1.example.org', 'localhost:1:2', ''])
    assert.equal((await ask('/', { headers: { Host: host } })).status, 403, host);
});

test('no address leaves the folder', async () => {
  const addresses = [
    '/../secret.txt',
    '/..%2fsecret.txt',
    '/%2e%2e/secret.txt',
    '/assets/..%2f..%2fsecret.txt',
    '/..%5csecret.txt',
    '/%00',
    '/index.html%00.js',
    '/%zz',
    'http://localhost/index.html',
    '*',
  ];
  for (const target of addresses) {
    const { status, body } = await ask(target);
    assert.ok([400, 403, 404].includes(status), `${target}: ${status}`);
    assert.doesNotMatch(body.toString(), /not for clients/);
  }
});

test('links out of the folder and special files are not served', async () => {
  const link = join(folder, 'assets/link.js');
  symlinkSync(join(root, 'secret.txt'), link);
  execFileSync('mkfifo', [join(folder, 'assets/pipe.js')]);
  for (let times = 0; times < 8; times += 1)
    for (const target of ['/assets/link.js', '/assets/pipe.js']) {
      const { status, body } = await ask(target);
      assert.deepEqual([status, body.toString()], [404, 'File not found.\n'], target);
    }
  assert.equal((await ask('/')).status, 200);
  rmSync(link);
  rmSync(join(folder, 'assets/pipe.js'));
});

test('a request that Node refuses is answered with all headers', async () => {
  const host = 'Host: localhost\r\nConnection: close\r\n';
  for (const [bytes, status] of [
    ['nonsense\r\n\r\n', 400],
    [`GET / HTTP/1.1\r\n${host}X: ${'y'.repeat(20_000)}\r\n\r\n`, 431],
    [`GET / HTTP/1.1\r\n${host}Expect: a miracle\r\n\r\n`, 417],
    [`GET / HTTP/1.1\r\n${host}If-Match: "another"\r\n\r\n`, 412],
  ]) {
    const response = firstResponse(await exchange(server.port, bytes));
    for (const [name, value] of Object.entries(hostHeaders()))
      assert.equal(response.headers.get(name), value, name);
    assert.equal(response.headers.get('Cache-Control'), 'no-store');
    assert.equal(response.status, status);
    assert.doesNotMatch(response.body.toString(), /^The file cannot be read/);
  }
});

test('half a request does no harm', async () => {
  for (const bytes of ['', 'GET', 'GET / HTTP/1.1\r\nHost: loc', '\r\n\r\n', '\0\0\0\0'])
    await exchange(server.port, bytes, { isHalf: true });
  assert.equal((await ask('/')).status, 200);
});

test('a file that disappears or changes meanwhile is served in its current state', async () => {
  const file = join(folder, 'assets/later-AbC.js');
  assert.equal((await ask('/assets/later-AbC.js')).status, 404);
  writeFileSync(file, SCRIPT);
  assert.equal((await ask('/assets/later-AbC.js')).status, 200);
  rmSync(file);
  assert.equal((await ask('/assets/later-AbC.js')).status, 404);
});

test('a used port and a folder without a page are reported', async () => {
  const { port } = server;
  await assert.rejects(
    servePage({ folder, port }),
    new UsageError(`--port: got ${port}, which another program uses; allowed: a free port`),
  );
  await assert.rejects(
    servePage({ folder: root }),
    /--folder: got .* which has no index\.html; allowed: a built page/,
  );
});
