import assert from 'node:assert/strict';
import { test } from 'node:test';

import { findOption, integerOf, namesOf, readArguments, requireNames } from './command-line.mjs';
import { UsageError } from './processes.mjs';

const options = {
  port: { type: 'string', default: '4173' },
  quick: { type: 'boolean', default: false },
};

function refusalOf(work) {
  try {
    work();
  } catch (error) {
    assert.ok(error instanceof UsageError, String(error));
    return error.message;
  }
  return assert.fail('nothing was refused');
}

test('options are read, with their defaults', () => {
  assert.deepEqual({ ...readArguments([], options).values }, { port: '4173', quick: false });
  assert.deepEqual({ ...readArguments(['--port=1', '--quick'], options).values }, { port: '1', quick: true });
  assert.equal(readArguments(['--json', '-'], { json: { type: 'string' } }).values.json, '-');
});

for (const [args, refusal] of [
  [['--nope'], 'option: got "--nope"; allowed: --port, --quick'],
  [['-p', '1'], 'option: got "-p"; allowed: --port, --quick'],
  [['--__proto__'], 'option: got "--__proto__"; allowed: --port, --quick'],
  [['--constructor=x'], 'option: got "--constructor"; allowed: --port, --quick'],
  [['--port'], '--port: got nothing; allowed: a value'],
  [['--port='], '--port: got ""; allowed: a value'],
  [['--port', '--quick'], '--port: got "--quick"; allowed: a value'],
  [['--quick=yes'], '--quick: got "yes"; allowed: no value'],
  [['more'], 'argument: got "more"; allowed: --port, --quick'],
  [['--', 'more'], 'argument: got "more"; allowed: --port, --quick'],
  [['--no-quick'], 'option: got "--no-quick"; allowed: --port, --quick'],
]) {
  test(`${args.join(' ')}: refused by name`, () => {
    assert.equal(
      refusalOf(() => readArguments(args, options)),
      refusal,
    );
  });
}

test('a value is shown on one line and truncated if it is too long', () => {
  const refusal = refusalOf(() => readArguments([`--${'x\n'.repeat(10_000)}`], options));
  assert.ok(refusal.length < 150 && !refusal.includes('\n'), refusal);
});

test('an integer consists of digits and is within its range', () => {
  assert.equal(integerOf('port', '80', { min: 1, max: 65535 }), 80);
  for (const text of ['', ' 1', '0', '65536', '1e3', '0x10', '1.0', '-1', '٣', 'NaN'])
    assert.match(
      refusalOf(() => integerOf('port', text, { min: 1, max: 65535 })),
      /^--port: got ".*"; allowed: an integer from 1 to 65535$/,
    );
});

test('names must be allowed; repeats are dropped', () => {
  assert.deepEqual(namesOf('--only', undefined, ['a', 'b']), ['a', 'b']);
  assert.deepEqual(namesOf('--only', 'b,b', ['a', 'b']), ['b']);
  for (const text of ['', 'a,', 'a, b', '__proto__', 'constructor', 'toString'])
    assert.match(
      refusalOf(() => namesOf('--only', text, ['a', 'b'])),
      /^--only: got ".*"; allowed: a, b$/,
    );
  assert.deepEqual(requireNames('target', [], ['a']), []);
});

test('an option of another program is found with its value and the other arguments', () => {
  const args = ['run', '--seconds', '1', '--spec', '-', '--json=a', '--spec=b'];
  assert.deepEqual(findOption(args, '--spec'), {
    value: '-',
    rest: ['run', '--seconds', '1', '--json=a', '--spec=b'],
  });
  assert.deepEqual(findOption(args, '--json'), {
    value: 'a',
    rest: ['run', '--seconds', '1', '--spec', '-', '--spec=b'],
  });
  assert.deepEqual(findOption(['run', '--spec'], '--spec'), { value: undefined, rest: ['run'] });
  assert.equal(findOption(args, '--platform'), undefined);
});
