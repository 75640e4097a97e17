// Passes random and hostile arguments to both programs. Each program must run or print an error.
import assert from 'node:assert/strict';
import { join } from 'node:path';

import fc from 'fast-check';

import { repository } from '../../tools/processes.mjs';
import { readManifests } from '../../tools/scenario-manifests.mjs';
import {
  assertFinite,
  assertRefused,
  BAD_USAGE,
  OK,
  runProgram,
  withPrograms,
} from './command-line-program.mjs';

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

async function isRunOrRefused({ programs, folder }, platform, args) {
  const outcome = await runProgram(programs[platform], args, { cwd: folder });
  if (isAboutParent(args) && outcome.signal === 'SIGTERM') return;
  assert.equal(outcome.signal, null);
  if (outcome.code === BAD_USAGE) {
    assertRefused(outcome);
    return;
  }
  assert.ok(isWritten(outcome) || isFileRefused(outcome), `exit code ${outcome.code}: ${outcome.stderr}`);
}

function isWritten({ code, stdout }) {
  if (code !== OK) return false;
  assertFinite(stdout.replace(/^.*(explanation|what_is_wrong).*$/gm, ''));
  return true;
}

const isFileRefused = ({ code, stderr }) => code === 4 && /^latchscope: --json: got /m.test(stderr);

export default {
  withContext: (use) =>
    withPrograms(async (context) =>
      use({ ...context, args: argumentsOf(await readManifests(join(repository, 'scenarios'))) }),
    ),
  attacks: ['threads', 'virtual'].map((platform) => ({
    name: `random arguments, ${platform}`,
    inputs: 400,
    property: (context) => fc.asyncProperty(context.args, (args) => isRunOrRefused(context, platform, args)),
  })),
};
