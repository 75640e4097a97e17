// Tests that the set-up runs nothing that other users could have written.
import assert from 'node:assert/strict';
import { chmodSync, chownSync, lchownSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, test } from 'node:test';
import { findInstalled, install, rememberAbout, withLock } from './cache.mjs';
import { SetupError } from './progress.mjs';
import { useScratch } from './scratch.mjs';
import { requireTrusted } from './trust.mjs';

const OTHER_USER = 12345;
const SHARED = /is writable by other users, so nothing in it is run/;
const OF_ANOTHER = /belongs to another user \(id 12345\), so nothing in it is run/;
/** From the folder above the cache down to a program. */
const PLACES = ['', 'cache', 'cache/it', 'cache/it/stamp.json', 'cache/it/bin', 'cache/it/bin/tool'];
const asRoot = { skip: process.getuid() === 0 ? false : 'only root can give files away' };
const { at } = useScratch();
const describe = (directory) => ({ tool: join(directory, 'bin', 'tool') });
const find = () => findInstalled('it', [['one', describe]]);

beforeEach(async () => {
  const build = async (directory) => {
    mkdirSync(join(directory, 'bin'));
    writeFileSync(join(directory, 'bin', 'tool'), '', { mode: 0o755 });
    return {};
  };
  await install('it', { recipe: 'one', describe, build });
});

function assertRefused(fault, place) {
  assert.throws(
    find,
    (error) => error instanceof SetupError && fault.test(error.message) && error.message.startsWith(place),
  );
}

/** Spoils a place, checks that it is refused by name, and repairs it. */
function refusedWhile(place, fault, spoil, mend) {
  spoil();
  assertRefused(fault, place);
  mend();
  assert.ok(find());
}

test('files that this user installed are trusted, and others cannot read them', () => {
  assert.equal(find().tool, at('cache/it/bin/tool'));
  assert.equal(statSync(at('cache')).mode & 0o777, 0o700);
});

for (const path of PLACES) {
  const name = path || 'the folder above the cache';
  const mayBeSticky = path !== '' && !/\.json|tool$/.test(path);
  for (const mode of mayBeSticky ? [0o777, 0o1777] : [0o777])
    test(`nothing is run where others can write to ${name}, mode ${mode.toString(8)}`, () => {
      const before = statSync(at(path)).mode;
      const set = (bits) => () => chmodSync(at(path), bits);
      refusedWhile(at(path), SHARED, set(mode), set(before));
    });
  test(`nothing is run where another user owns ${name}`, asRoot, () => {
    const give = (user) => () => chownSync(at(path), user, 0);
    refusedWhile(at(path), OF_ANOTHER, give(OTHER_USER), give(0));
  });
}

test('a sticky folder above the cache, such as /tmp, may be shared', () => {
  chmodSync(at(), 0o1777);
  assert.ok(find());
});

for (const [what, work] of [
  ['installed', (fail) => install('it', { recipe: 'two', describe, build: fail })],
  ['remembered', (fail) => rememberAbout(process.execPath, fail)],
  ['locked', (fail) => withLock('it', fail)],
]) {
  test(`nothing is ${what} where others can write`, async () => {
    chmodSync(at('cache'), 0o777);
    await assert.rejects(
      work(() => assert.fail('it was done')),
      SetupError,
    );
  });
}

test('a group may write only if it is the user alone', asRoot, () => {
  const give = (group, mode) => () => {
    chownSync(at('cache'), 0, group);
    chmodSync(at('cache'), mode);
  };
  refusedWhile(at('cache'), SHARED, give(OTHER_USER, 0o770), give(0, 0o770));
});

test('a link is trusted only if its target and its owner are', asRoot, () => {
  const link = at('link');
  symlinkSync('cache', link);
  process.env.LATCHSCOPE_CACHE = link;
  assert.ok(find());
  const give = (user) => () => lchownSync(link, user, 0);
  refusedWhile(link, OF_ANOTHER, give(OTHER_USER), give(0));
  chmodSync(at('cache'), 0o777);
  assertRefused(SHARED, at('cache'));
});

test('circular links are refused', () => {
  symlinkSync('b', at('a'));
  symlinkSync('a', at('b'));
  assert.throws(() => requireTrusted(at('a')), SetupError);
});

test('a path that does not exist is trusted where only this user can create it', () => {
  requireTrusted(at('not', 'there'));
  chmodSync(at(), 0o777);
  assert.throws(() => requireTrusted(at('not', 'there')), SetupError);
  requireTrusted(dirname(process.execPath));
});
