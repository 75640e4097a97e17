// Runs valid run spec files with one damaged place, plus options that change the same fields. Each
// must run and keep its invariants, or be refused.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import fc from 'fast-check';

import { brokenInvariants } from '../../tools/native-engine.mjs';
import { EXIT, outputsOf } from '../../tools/processes.mjs';
import { readManifests } from '../../tools/scenario-manifests.mjs';
import { assertFinite, assertRefused, withPrograms } from './command-line-program.mjs';
import { anyRunSpec } from './run-specs.mjs';

const NAMES_A_FIELD = /^latchscope: (and \d+ more errors|\S.*: got .*; allowed: .+)$/;

const wrongValue = fc.oneof(
  fc.constantFrom(null, true, [], {}, '', 'x', '\0', 0, -1, 1e308, 2 ** 63, 0.5, [[]], { '': {} }, [null]),
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.integer({ min: 1, max: 100_000 }).map((length) => '\u202e\x1b'.repeat(length)),
);

/** Returns the paths of all values of a document. */
function pathsOf(value) {
  if (typeof value !== 'object' || value === null) return [[]];
  return [
    [],
    ...Object.entries(value).flatMap(([key, child]) => pathsOf(child).map((path) => [key, ...path])),
  ];
}

/** Replaces or removes one value of the document, or adds one next to it. */
function damaged(document) {
  const way = fc.constantFrom(...pathsOf(document));
  return fc
    .tuple(way, wrongValue, fc.constantFrom('replace', 'leave_out', 'add'))
    .map(([path, value, how]) => {
      const copy = structuredClone(document);
      const parent = path.slice(0, -1).reduce((each, key) => each[key], copy);
      const last = path.at(-1);
      if (last === undefined) return how === 'replace' ? value : copy;
      if (how === 'replace') parent[last] = value;
      else if (how === 'add') parent[`${last}_`] = value;
      else if (Array.isArray(parent)) parent.splice(Number(last), 1);
      else delete parent[last];
      return copy;
    });
}

/** Damage that only a change of the text can cause. */
function damagedText(text) {
  const place = fc.nat({ max: text.length });
  const bytes = fc.oneof(
    fc.constantFrom(
      '\0',
      '\\u0000',
      '"',
      '{',
      ']',
      ',',
      '1e999',
      '-',
      '\ufeff',
      '[' + '['.repeat(100_000),
      '"\\ud800"',
    ),
    fc.uint8Array({ minLength: 1, maxLength: 8 }).map((part) => Buffer.from(part).toString('latin1')),
  );
  return fc.oneof(
    fc.tuple(place, bytes).map(([at, part]) => text.slice(0, at) + part + text.slice(at)),
    place.map((at) => text.slice(0, at)),
    place.map((levels) => text.replace(/:/, `:${'['.repeat(levels * 100)}`)),
    fc
      .constantFrom('"seed":[],', '"threads":null,', '"version":2,')
      .map((twice) => text.replace('{', `{${twice}`)),
  );
}

const fileOf = (spec) =>
  fc.oneof(
    fc.constant(spec).map((each) => JSON.stringify(each)),
    { weight: 4, arbitrary: damaged(spec).map((each) => JSON.stringify(each)) },
    {
      weight: 2,
      arbitrary: damaged(spec)
        .chain(damaged)
        .map((each) => JSON.stringify(each)),
    },
    { weight: 2, arbitrary: damagedText(JSON.stringify(spec)) },
  );

/** Options that override the file, some of them invalid. */
function optionsOf(spec, manifests) {
  const { parameters, knobs, actions } = manifests.find(({ id }) => id === spec.scenario);
  const names = [...parameters, ...knobs, ...actions].map(({ id }) => id);
  const variants = knobs.flatMap((knob) => knob.variants.map(({ id }) => id));
  const name = fc.constantFrom(...names, 'sockets', 'pause_ps', '');
  const value = fc.constantFrom(...variants, '0', '1', '1000', '1e9', 'x', '');
  const setting = fc.tuple(name, value).map((parts) => parts.join('='));
  const option = fc.oneof(
    fc.tuple(fc.constantFrom('--set', '--param', '--server-set'), setting),
    fc.tuple(
      fc.constant('--at'),
      fc.oneof(setting, name).map((what) => `0.001:${what}`),
    ),
    fc.tuple(fc.constantFrom('--design', '--server', '--threads', '--seed', '--scenario'), value),
  );
  const once = (options) =>
    options.filter(
      ([key], at) => key.startsWith('--s') || options.findIndex(([other]) => other === key) === at,
    );
  return fc.array(option, { maxLength: 4 }).map((options) => once(options).flat());
}

const specFile = (manifests, anySpec) =>
  anySpec.chain((spec) => {
    const whole = { version: 1, ...spec };
    return fc.record({ text: fileOf(whole), options: optionsOf(whole, manifests) });
  });

/** Keeps a run short if it is not refused. */
const SHORT = { threads: ['--seconds', '0.002'], virtual: ['--seconds', '0.002', '--events-max', '20000'] };

/** Changes only the platform, and removes the fields that only the other platform has. */
function forPlatform(text, platform) {
  if (platform === 'virtual') return text;
  return text.replace('"platform":"virtual"', '"platform":"threads"').replace(/"events_max":\d+,?/, '');
}

async function isRunOrRefused({ text, options }, platform, { programs, folder }) {
  const path = join(folder, 'spec.json');
  writeFileSync(path, forPlatform(text, platform), 'utf8');
  const args = ['run', '--spec', path, '--json', '-', ...SHORT[platform], ...options];
  const ended = await outputsOf(programs[platform], args);
  const { outcome, output, errors } = ended;
  if (outcome === EXIT.ok) {
    assertFinite(output.replaceAll(/"[^"]*"/g, ''));
    assert.deepEqual(brokenInvariants(JSON.parse(output)), []);
    return;
  }
  assert.equal(outcome, EXIT.badUsage, errors);
  assertRefused(ended);
  const isUsage = /--help/.test(errors);
  for (const line of errors.trimEnd().split('\n')) assert.ok(isUsage || NAMES_A_FIELD.test(line), line);
}

export default {
  withContext: (use) =>
    withPrograms(async (context) => {
      const manifests = await readManifests();
      await use({ ...context, file: specFile(manifests, await anyRunSpec(manifests)) });
    }),
  attacks: ['virtual', 'threads'].map((platform) => ({
    name: `damaged spec files with options, ${platform}`,
    inputs: 400,
    input: ({ file }) => file,
    withstands: (each, context) => isRunOrRefused(each, platform, context),
  })),
};
