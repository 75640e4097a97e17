import assert from 'node:assert/strict';
import {
  chmodSync,
  chownSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { findInstalled, install, rememberAbout, withLock } from './cache.mjs';
import { SetupError } from './progress.mjs';
import { requireTrusted } from './trust.mjs';

const OTHER_USER = 12345;
const asRoot = { skip: process.getuid() === 0 ? false : 'only root can give files away' };
const describe = (directory) => ({ tool: join(directory, 'bin', 'tool') });
const recipes = [['one', describe]];
let root;

beforeEach(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'latchscope-trust-')));
  process.env.LATCHSCOPE_CACHE = join(root, 'cache');
  await install('it', 'one', describe, async (directory) => {
    mkdirSync(join(directory, 'bin'));
    writeFileSync(join(directory, 'bin', 'tool'), '', { mode: 0o755 });
    return {};
  });
});

afterEach(() => {
  rmSync(root, { recursive: true });
  delete process.env.LATCHSCOPE_CACHE;
});

function assertRefused(fault, place = join(root, 'cache')) {
  assert.throws(
    () => findInstalled('it', recipes),
    (error) => error instanceof SetupError && fault.test(error.message) && error.message.includes(place),
  );
}

test('what this user installed is trusted, and nobody else can look into it', () => {
  assert.equal(findInstalled('it', recipes).tool, join(root, 'cache', 'it', 'bin', 'tool'));
  assert.equal(statSync(join(root, 'cache')).mode & 0o777, 0o700);
});

test('nothing is run from where others can write: the cache, an install, the stamp, a program', () => {
  for (const path of ['cache', 'cache/it', 'cache/it/stamp.json', 'cache/it/bin', 'cache/it/bin/tool']) {
    const place = join(root, path);
    const { mode } = statSync(place);
    chmodSync(place, mode | 0o002);
    assertRefused(/can be written by other users, so nothing in it is run/, place);
    chmodSync(place, mode);
  }
  assert.ok(findInstalled('it', recipes));
});

test('nothing is run where others can rename a folder above, unless it is a sticky one', () => {
  chmodSync(root, 0o777);
  assertRefused(/can be written by other users/, root);
  chmodSync(root, 0o1777);
  assert.ok(findInstalled('it', recipes));
});

test('the cache and what is in it are not shared, sticky or not', () => {
  for (const place of [join(root, 'cache'), join(root, 'cache', 'it'), join(root, 'cache', 'it', 'bin')]) {
    chmodSync(place, 0o1777);
    assertRefused(/can be written by other users/, place);
    chmodSync(place, 0o700);
  }
});

test('nothing is installed, remembered or locked where others can write', async () => {
  chmodSync(join(root, 'cache'), 0o777);
  await assert.rejects(
    install('it', 'two', describe, () => assert.fail('it was built')),
    SetupError,
  );
  await assert.rejects(
    rememberAbout('topic', process.execPath, () => assert.fail('it was asked')),
    SetupError,
  );
  await assert.rejects(
    withLock('it', () => assert.fail('it was locked')),
    SetupError,
  );
});

test(
  'nothing of another user is run: the cache, an install, the stamp, a program, a folder above',
  asRoot,
  () => {
    for (const path of [
      '',
      'cache',
      'cache/it',
      'cache/it/stamp.json',
      'cache/it/bin',
      'cache/it/bin/tool',
    ]) {
      const place = join(root, path).replace(/\/$/, '');
      chownSync(place, OTHER_USER, 0);
      assertRefused(/belongs to another user/, place);
      chownSync(place, 0, 0);
    }
  },
);

test('a group may write only if it is the user alone', asRoot, () => {
  chownSync(join(root, 'cache'), 0, OTHER_USER);
  chmodSync(join(root, 'cache'), 0o770);
  assertRefused(/can be written by other users/);
  chownSync(join(root, 'cache'), 0, 0);
  assert.ok(findInstalled('it', recipes));
});

test('a link is as good as what it leads to, and as who made it', asRoot, () => {
  const link = join(root, 'link');
  symlinkSync('cache', link);
  process.env.LATCHSCOPE_CACHE = link;
  assert.ok(findInstalled('it', recipes));
  lchownSync(link, OTHER_USER, 0);
  assertRefused(/belongs to another user/, link);
  lchownSync(link, 0, 0);
  chmodSync(join(root, 'cache'), 0o777);
  assertRefused(/can be written by other users/, join(root, 'cache'));
});

test('links that lead in a circle are refused', () => {
  symlinkSync('b', join(root, 'a'));
  symlinkSync('a', join(root, 'b'));
  assert.throws(() => requireTrusted(join(root, 'a')), SetupError);
});

test('what does not exist yet is trusted where only this user can make it', () => {
  requireTrusted(join(root, 'not', 'there'));
  chmodSync(root, 0o777);
  assert.throws(() => requireTrusted(join(root, 'not', 'there')), SetupError);
  requireTrusted(dirname(process.execPath));
});
