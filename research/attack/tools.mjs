// Passes hostile arguments to every command of tools/. Each command must end with exit code 2, or 4
// for a file that cannot be written. It prints one line that names the fault, and does nothing else.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import fc from 'fast-check';

import { EXIT, outputsOf, repository } from '../../tools/processes.mjs';

const LINE_MAX = 400;

/** Options with a value, and values that each must refuse. */
const VALUES = {
  start: { port: ['0', '65536', '80x', '-1', '1e3', ''] },
  test: { only: ['', 'web,', '__proto__', 'constructor', 'web engine', '*'] },
  bench: {
    only: ['', '__proto__'],
    rounds: ['0', '101', '1.5'],
    seconds: ['0', 'NaN'],
    json: ['/', '/no/such/folder/x'],
  },
  attack: {
    only: ['', 'toString'],
    seed: ['-1', '2147483648'],
    inputs: ['0'],
    minutes: ['Infinity'],
    json: ['/dev/null/x'],
  },
  soak: { minutes: ['0', '-1', 'NaN', '601', 'ten'] },
  evidence: {
    only: ['', '../..', 'hasOwnProperty', 'fil-mutex-69276,', 'fil-mutex-69276,,'],
    json: ['/', '/proc/nothing/x'],
  },
};

const NO_ARGUMENTS_AT_ALL = ['check-adding-a-bug', 'doctor'];

/** Programs that take the engine's options; the area command-line covers them. */
const LEFT_OUT = ['latchscope'];

const programs = readdirSync(join(repository, 'tools/commands'))
  .filter((name) => /^[\w-]+\.mjs$/.test(name))
  .map((name) => name.replace('.mjs', ''));

/** Option names that no program has. */
const unknownName = fc.oneof(
  fc.constantFrom('__proto__', 'constructor', 'toString', 'help me', 'eval', '🙂', 'only ', 'Port', 'json-'),
  fc.string({ minLength: 1, maxLength: 2000 }).map((text) => `x${text.replaceAll('\0', '')}`),
);

const noise = fc.oneof(
  fc.string({ maxLength: 200 }).map((text) => text.replaceAll('\0', '')),
  fc.constantFrom('', '-', '--', '-h', '$(reboot)', '; exit 0', '../../etc/passwd', '\u001b[2J'),
);

/**
 * At least one invalid option, followed by other arguments. An option before `--` is still an
 * option.
 */
const hostileArguments = fc
  .tuple(fc.array(noise, { maxLength: 3 }), unknownName, fc.option(noise, { nil: undefined }))
  .map(([others, name, value]) => [value === undefined ? `--${name}` : `--${name}=${value}`, ...others]);

const refusedValue = fc
  .constantFrom(...Object.keys(VALUES))
  .chain((program) =>
    fc
      .constantFrom(...Object.keys(VALUES[program]))
      .chain((option) =>
        fc
          .constantFrom(...VALUES[program][option])
          .map((value) => ({ program, args: [`--${option}=${value}`], names: [`--${option}`] })),
      ),
  );

const unknownOption = fc.record({
  program: fc.constantFrom(
    ...programs.filter((name) => Object.hasOwn(VALUES, name) || NO_ARGUMENTS_AT_ALL.includes(name)),
  ),
  args: hostileArguments,
  names: fc.constant(['option']),
});

const unknownTargets = fc.record({
  program: fc.constantFrom('build', 'check-architecture'),
  args: fc.array(unknownName, { minLength: 2, maxLength: 3 }),
  names: fc.constant([]),
});

/**
 * An environment in which nothing can be fetched or built, in case an invalid argument is accepted.
 */
const environment = fc.record({
  PATH: fc.constantFrom('', '/nowhere', process.env.PATH),
  HOME: fc.constantFrom('/nowhere', '/dev/null', ''),
  LATCHSCOPE_CACHE: fc.constantFrom('/dev/null/cache', '/proc/cache', '\n', '/'.repeat(5000)),
  LANG: fc.constantFrom('C', 'tr_TR.UTF-8', 'nonsense'),
  NO_COLOR: fc.constantFrom('', '1'),
});

async function isRefused([{ program, args, names }, env]) {
  const command = ['tools/cli.mjs', program, ...args];
  const { outcome, output, errors } = await outputsOf(process.execPath, command, { env });
  const printed = output + errors;
  assert.equal(outcome, names.includes('--json') ? EXIT.cannotWrite : EXIT.badUsage, printed);
  assert.match(printed, /^[^\n]+\n$/, 'one line');
  assert.ok(printed.length <= LINE_MAX, printed);
  assert.doesNotMatch(printed, /^ +at |\.mjs:\d|Error:/m);
  for (const name of names) assert.ok(printed.startsWith(`${name}: got `), printed);
  assert.match(printed, /; allowed: ./);
}

export default {
  withContext: async (use) => {
    const known = [
      ...Object.keys(VALUES),
      ...NO_ARGUMENTS_AT_ALL,
      ...LEFT_OUT,
      'build',
      'check-architecture',
    ];
    const modules = programs.filter((name) => known.includes(name));
    assert.deepEqual(
      known.filter((name) => !modules.includes(name)),
      [],
      'missing programs',
    );
    await use();
  },
  attacks: [
    {
      name: 'unknown options',
      inputs: 120,
      input: fc.tuple(unknownOption, environment),
      withstands: isRefused,
    },
    {
      name: 'invalid option values',
      inputs: 80,
      input: fc.tuple(refusedValue, environment),
      withstands: isRefused,
    },
    {
      name: 'missing targets and folders',
      inputs: 40,
      input: fc.tuple(unknownTargets, environment),
      withstands: isRefused,
    },
  ],
};
