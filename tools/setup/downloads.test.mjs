import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { CommandError, run, which } from './commands.mjs';
import { downloadPinned } from './downloads.mjs';
import { unpackRelease } from './emscripten.mjs';
import { SetupError } from './progress.mjs';

const missing = ['curl', 'tar', 'xz'].filter((program) => !which([program]));
const options = { skip: missing.length > 0 ? `${missing.join(', ')} not found on PATH` : false };
let folder;
let server;
let url;
let served = Buffer.from('the archive');

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'latchscope-downloads-'));
  server = createServer(({ url: path }, response) => {
    if (path !== '/archive') response.writeHead(404);
    response.end(served);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${server.address().port}/archive`;
});

afterEach(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

const sha256Of = (bytes) => createHash('sha256').update(bytes).digest('hex');

test('the file that is pinned is kept', options, async () => {
  await downloadPinned(url, sha256Of(served), join(folder, 'file'));
  assert.deepEqual(readFileSync(join(folder, 'file')), served);
});

test('any other file is refused with both hashes, and not kept', options, async () => {
  const pinned = sha256Of('what it was');
  await assert.rejects(
    downloadPinned(url, pinned, join(folder, 'file')),
    (error) =>
      error instanceof SetupError &&
      error.message.includes(pinned) &&
      error.message.includes(sha256Of(served)),
  );
  assert.deepEqual(readdirSync(folder), []);
});

test('a file that is not there is refused', options, async () => {
  await assert.rejects(downloadPinned(`${url}s`, sha256Of(served), join(folder, 'file')), CommandError);
});

test("Emscripten's release is unpacked only if it is the one that is pinned", options, async () => {
  mkdirSync(join(folder, 'install', 'emscripten'), { recursive: true });
  writeFileSync(join(folder, 'install', 'emscripten', 'emcc'), 'a compiler');
  const archive = join(folder, 'release.tar.xz');
  await run('tar', ['-cJf', archive, '-C', folder, 'install']);
  served = readFileSync(archive);
  const place = join(folder, 'place');
  mkdirSync(place);
  await assert.rejects(unpackRelease(url, sha256Of('another'), place), /is pinned/);
  assert.ok(!existsSync(join(place, 'upstream', 'emscripten')));
  rmSync(place, { recursive: true });
  mkdirSync(place);
  await unpackRelease(url, sha256Of(served), place);
  assert.equal(readFileSync(join(place, 'upstream', 'emscripten', 'emcc'), 'utf8'), 'a compiler');
  assert.deepEqual(readdirSync(place), ['upstream']);
});
