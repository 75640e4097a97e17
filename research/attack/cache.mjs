// Gives the tools prepared cache folders. A program in one may run only if no one but this user and
// root could have written it.
import assert from 'node:assert/strict';
import { chmodSync, lchownSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, isAbsolute, join } from 'node:path';

import fc from 'fast-check';

import { inTemporaryFolder } from '../../tools/interruption.mjs';
import { UsageError } from '../../tools/processes.mjs';
import { cacheRoot, findInstalled } from '../../tools/setup/cache.mjs';
import { NotHere, SetupError } from '../../tools/setup/progress.mjs';

const OTHER_USER = 12345;
const RECIPE = 'one';
const recipes = [[RECIPE, (directory) => ({ tool: join(directory, 'bin', 'tool') })]];

/** From the folder above the cache down to a program. */
const PLACES = ['', 'cache', 'cache/it', 'cache/it/stamp.json', 'cache/it/bin', 'cache/it/bin/tool'];

const isRoot = process.getuid() === 0;

const place = fc.record(
  {
    owner: isRoot ? fc.constantFrom(0, 0, 0, 0, OTHER_USER) : fc.constant(process.getuid()),
    mode: fc.oneof(
      { weight: 5, arbitrary: fc.constantFrom(0o700, 0o755, 0o750, 0o711) },
      { weight: 1, arbitrary: fc.integer({ min: 0o500, max: 0o1777 }).map((mode) => mode | 0o500) },
    ),
    link: fc.constantFrom('none', 'none', 'none', 'none', 'own', ...(isRoot ? ['foreign'] : [])),
  },
  { requiredKeys: ['owner', 'mode', 'link'] },
);

const stamp = fc.oneof(
  { weight: 4, arbitrary: fc.constant(JSON.stringify({ recipe: RECIPE, facts: {} })) },
  { weight: 1, arbitrary: fc.json() },
  { weight: 1, arbitrary: fc.string() },
  {
    weight: 1,
    arbitrary: fc.constantFrom('', '{"recipe":"__proto__"}', '{"__proto__":{"recipe":"one"}}', 'null'),
  },
);

const folder = fc.record({ places: fc.tuple(...PLACES.map(() => place)), stamp });

function prepare(root, { places, stamp: text }) {
  mkdirSync(join(root, 'cache/it/bin'), { recursive: true });
  writeFileSync(join(root, 'cache/it/stamp.json'), text);
  writeFileSync(join(root, 'cache/it/bin/tool'), '');
  for (const [i, { owner, mode, link }] of [...places.entries()].reverse()) {
    const path = join(root, PLACES[i]).replace(/\/$/, '');
    chmodSync(path, mode);
    lchownSync(path, owner, isRoot ? 0 : process.getgid());
    if (link !== 'none' && i > 0) replaceByLink(path, link === 'own' ? process.getuid() : OTHER_USER);
  }
}

function replaceByLink(path, owner) {
  const real = `${path}-real`;
  renameSync(path, real);
  symlinkSync(basename(real), path);
  lchownSync(path, owner, isRoot ? 0 : process.getgid());
}

/**
 * Applies the rule of trust.mjs in another way: it inspects the state of every place instead of
 * walking down a path.
 */
function isSafe({ places }) {
  return places.every(({ owner, mode, link }, i) => {
    const isOurs = owner === process.getuid() && (link !== 'foreign' || i === 0);
    const isShared = (mode & 0o002) !== 0;
    const isAbove = PLACES[i] === '';
    return isOurs && (!isShared || (isAbove && (mode & 0o1000) !== 0));
  });
}

function isRun(root) {
  process.env.LATCHSCOPE_CACHE = join(root, 'cache');
  try {
    return findInstalled('it', recipes).tool === join(root, 'cache/it/bin/tool');
  } catch (error) {
    assert.ok(error instanceof SetupError || error instanceof NotHere, String(error));
    if (error instanceof SetupError) assert.match(error.message, /, so nothing in it is run$/);
    return false;
  } finally {
    delete process.env.LATCHSCOPE_CACHE;
  }
}

const saysRecipe = ({ stamp: text }) => {
  try {
    return JSON.parse(text)?.recipe === RECIPE;
  } catch {
    return false;
  }
};

const variable = fc.option(
  fc.oneof(
    fc.constantFrom(
      '',
      '.',
      '..',
      '~',
      'cache',
      './cache',
      '/',
      '/tmp/x',
      '//x',
      '/tmp/../x',
      ' ',
      ' /tmp',
      '\n',
    ),
    fc.string({ maxLength: 20 }).map((text) => text.replaceAll('\0', '')),
  ),
  { nil: undefined },
);
const environment = fc.record({ HOME: variable, XDG_CACHE_HOME: variable, LATCHSCOPE_CACHE: variable });

function isNeverInCurrentFolder(env) {
  const isRefused = Boolean(env.LATCHSCOPE_CACHE) && !isAbsolute(env.LATCHSCOPE_CACHE);
  if (isRefused) assert.throws(() => cacheRoot(env), UsageError);
  else assert.ok(isAbsolute(cacheRoot(env)), cacheRoot(env));
}

export default {
  attacks: [
    {
      name: 'values of HOME, XDG_CACHE_HOME and LATCHSCOPE_CACHE',
      inputs: 2000,
      input: environment,
      withstands: isNeverInCurrentFolder,
    },
    {
      name: isRoot
        ? 'prepared folders'
        : 'prepared folders, all owned by this user: only root can change owners',
      inputs: 2000,
      input: folder,
      withstands: (prepared) =>
        inTemporaryFolder('attack', async (root) => {
          prepare(root, prepared);
          assert.equal(isRun(root), isSafe(prepared) && saysRecipe(prepared));
        }),
    },
  ],
};
