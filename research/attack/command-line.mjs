// Passes random and hostile arguments to both programs. Each program must run or print an error.
import assert from 'node:assert/strict';

import fc from 'fast-check';

import { EXIT, outputsOf } from '../../tools/processes.mjs';
import { readManifests } from '../../tools/scenario-manifests.mjs';
import { assertFinite, assertRefused, withPrograms } from './command-line-program.mjs';

const ARGUMENT_BYTES_MAX = 100_000; // Linux limits one argument to 128 KiB.
const OPTIONS = [
  '--spec',
  '--scenario',
  '--design',
  '--platform',
  '--threads',
  '--report-interval',
  '--server',
];
OPTIONS.push(
  '--server-set',
  '--events-max',
  '--seed',
  '--set',
  '--param',
  '--at',
  '--json',
  '--help',
  '--parent',
);

const number = fc.oneof(
  fc.constantFrom(
    '0',
    '-1',
    '1',
    '2',
    '64',
    '65',
    '1e-12',
    '1e-300',
    '1e400',
    '-0',
    '0x10',
    '1,5',
    '9007199254740993',
  ),
  fc.integer().map(String),
  fc.double().map(String),
);
const hostile = fc
  .oneof(
    fc.constantFrom(
      '',
      ' ',
      '-',
      '--',
      '---',
      '=',
      '--=',
      ':',
      '\x1b[31m',
      '\x07',
      '\u202e',
      '\ufeff',
      '[',
      '{}',
      '%s%n',
      "'",
    ),
    fc.constantFrom(
      '/dev/null',
      '/dev/full',
      '/dev/zero',
      '/',
      '/proc/self/mem',
      'no/such/file',
      '/dev/stdin',
    ),
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.integer({ min: 1, max: ARGUMENT_BYTES_MAX }).map((length) => 'a'.repeat(length)),
  )
  .map((text) => text.replaceAll('\0', '?'));

/** Names and values of a scenario, some of them wrong. */
function settingsOf({ id, parameters, knobs, actions, designs }) {
  const names = [...parameters, ...knobs, ...actions].map((each) => each.id);
  const values = [
    ...knobs.flatMap(({ variants }) => variants.map((each) => each.id)),
    ...Object.keys(designs),
  ];
  const word = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(id, ...names, ...values) }, number, hostile);
  return fc.oneof(
    word,
    fc.tuple(word, fc.constantFrom('=', ':'), word).map((parts) => parts.join('')),
    fc.tuple(number, word, word).map(([atS, knob, variant]) => `${atS}:${knob}=${variant}`),
  );
}

/** Limits the run to a few milliseconds, whatever the other options are. */
const SHORT = ['--seconds', '0.002'];

function argumentsOf(manifests) {
  return fc.constantFrom(...manifests).chain((manifest) => {
    const value = settingsOf(manifest);
    const option = fc.oneof(
      fc.tuple(fc.constantFrom(...OPTIONS), value),
      fc.tuple(fc.constantFrom(...OPTIONS), value).map(([name, text]) => [`${name}=${text}`]),
      fc.tuple(fc.oneof(hostile, value)),
    );
    const options = fc.array(option, { maxLength: 5 }).map((parts) => parts.flat());
    const run = options.map((rest) => ['run', '--scenario', manifest.id, ...SHORT, ...rest]);
    const other = fc
      .tuple(fc.constantFrom('list', 'describe', 'runs', ''), options)
      .map(([command, rest]) => [command, ...rest]);
    return fc.oneof({ weight: 3, arbitrary: run }, other);
  });
}

/**
 * --parent makes a program end when its parent ends. That has nothing to do with argument parsing.
 */
const isAboutParent = (args) => args.some((arg) => arg.startsWith('--parent'));

async function isRunOrRefused(args, platform, { programs, folder }) {
  const ended = await outputsOf(programs[platform], args, { cwd: folder });
  const { outcome, output, errors } = ended;
  if (isAboutParent(args) && outcome === 'SIGTERM') return;
  if (outcome === EXIT.badUsage) assertRefused(ended);
  else if (outcome === EXIT.cannotWrite) assert.match(errors, /^latchscope: --json: got /m);
  else {
    assert.equal(outcome, EXIT.ok, errors);
    assertFinite(output.replace(/^.*(explanation|what_is_wrong).*$/gm, ''));
  }
}

export default {
  withContext: (use) =>
    withPrograms(async (context) => use({ ...context, args: argumentsOf(await readManifests()) })),
  attacks: ['threads', 'virtual'].map((platform) => ({
    name: `random arguments, ${platform}`,
    inputs: 400,
    input: ({ args }) => args,
    withstands: (args, context) => isRunOrRefused(args, platform, context),
  })),
};
