// Passes random and long sources to the latch lab. Each source must compile, or its errors must
// have valid positions. Each fault that the checker reports must occur again when its schedule is
// replayed.
import assert from 'node:assert/strict';
import { join } from 'node:path';

import fc from 'fast-check';

import { buildCommandLine } from '../../tools/builds.mjs';
import { labLanguage } from '../../tools/lab-language.mjs';
import { EXIT, outputsOf } from '../../tools/processes.mjs';

const ERRORS_MAX = 100;
const SOURCE_MAX = 100_000;
const SENTENCE_MAX = 600;

const word = fc.constantFrom('a', 'b', 'q[me]', 'q[0]');
const value = fc.constantFrom('0', '1', '2', 'me', 'x', 'x + 1', 'nobody');
const access = fc.oneof(
  fc.tuple(word, value).map(([w, v]) => `store(${w}, ${v});`),
  fc.tuple(word, value).map(([w, v]) => `x = exchange(${w}, ${v});`),
  fc.tuple(word, value).map(([w, v]) => `x = fetch_add(${w}, ${v});`),
  fc.tuple(word, value, value).map(([w, one, other]) => `x = compare_exchange(${w}, ${one}, ${other});`),
  word.map((w) => `x = load(${w});`),
  fc.tuple(word, value).map(([w, v]) => `futex_wait(${w}, ${v});`),
  fc.tuple(word, fc.constantFrom('1', 'all')).map(([w, n]) => `futex_wake(${w}, ${n});`),
  fc.constantFrom('fence();', 'pause();', 'yield();', 'break_it();', 'return;'),
);
const condition = fc.oneof(
  fc.tuple(word, fc.constantFrom('==', '!='), value).map(([w, is, v]) => `load(${w}) ${is} ${v}`),
  fc.tuple(word, value, fc.constantFrom('==', '!=')).map(([w, v, is]) => `exchange(${w}, ${v}) ${is} 0`),
  fc.tuple(word, fc.constantFrom('==', '!=')).map(([w, is]) => `compare_exchange(${w}, 0, 1) ${is} 0`),
);
const statement = fc.oneof(
  { weight: 4, arbitrary: access.filter((text) => text !== 'break_it();') },
  { weight: 2, arbitrary: fc.tuple(condition, access).map(([c, body]) => `while (${c}) { ${body} }`) },
  { weight: 2, arbitrary: fc.tuple(condition, access).map(([c, body]) => `if (${c}) { ${body} }`) },
  { weight: 1, arbitrary: access },
);
const body = fc.array(statement, { minLength: 1, maxLength: 5 }).map((all) => `uint x = 0; ${all.join(' ')}`);
const latch = fc
  .tuple(body, body)
  .map(
    ([enter, exit]) => `word a; word b; thread word q;\nvoid enter() { ${enter} }\nvoid exit() { ${exit} }`,
  );

const piece = fc.oneof(
  fc.constantFrom(
    'a',
    'word ',
    '1+',
    '(',
    ')',
    '{',
    '}',
    '!',
    'load(',
    ';',
    '//',
    '/*',
    '\n',
    'exchange(a,',
    '😀',
  ),
  fc.string({ unit: 'binary', maxLength: 3 }),
);
const longSource = fc
  .tuple(
    fc.array(piece, { minLength: 1, maxLength: 4 }),
    fc.constantFrom(100, 3_000, 23_000, SOURCE_MAX, SOURCE_MAX + 1),
  )
  .chain(([pieces, characters]) => {
    const unit = pieces.join('');
    const many = unit.repeat(Math.ceil(characters / Math.max(1, unit.length))).slice(0, characters);
    return fc.constantFrom(
      many,
      `void enter() { ${many} }\nvoid exit() { }`,
      `word ${many.replace(/\W/g, 'x')};\nvoid enter() { load(${many.replace(/\W/g, 'y')}); }\nvoid exit() { }`,
    );
  });

function isPlaced({ line, column, sentence }, source) {
  assert.ok(line >= 1 && line <= source.split('\n').length + 1, `line ${line}`);
  assert.ok(column >= 1, `column ${column}`);
  assert.ok(sentence.length > 0 && sentence.length <= SENTENCE_MAX, sentence);
}

function compilesOrIsNamed(source, { compile }) {
  const { program, errors } = compile(source);
  assert.equal(program === undefined, errors !== undefined);
  for (const error of errors ?? []) isPlaced(error, source);
  assert.ok((errors?.length ?? 0) <= ERRORS_MAX, `${errors?.length} errors`);
  return program;
}

async function lab({ engine }, program, args) {
  const { outcome, output, errors } = await outputsOf(engine, ['lab', 'check', '-', '--json', '-', ...args], {
    input: JSON.stringify(program),
  });
  assert.ok([EXIT.ok, EXIT.failed, EXIT.badUsage].includes(outcome), `ended with ${outcome}: ${errors}`);
  return { code: outcome, said: outcome === EXIT.badUsage ? undefined : JSON.parse(output) };
}

async function comesAgain(context, program, { kind, threads, memory, rounds, roles, schedule }) {
  const args = ['--threads', `${threads}`, '--memory', memory, '--rounds', `${rounds}`, '--replay', schedule];
  if (roles) args.push('--roles', roles);
  const { code, said } = await lab(context, program, args);
  assert.deepEqual([code, said.kind], [1, kind]);
}

/**
 * Asserts that the exit code follows from the verdict and that each fault can be replayed. Also
 * asserts that a check with one round never finds a shorter schedule.
 */
async function claimsHold(source, context) {
  const program = compilesOrIsNamed(source, context);
  if (program === undefined) return;
  const { code, said } = await lab(context, program, ['--schedules', '60', '--states', '20000']);
  if (said === undefined) return;
  const { verdict, fault, starvation } = said;
  const expected = fault ? 'fault_found' : starvation ? 'can_starve' : 'no_fault_found';
  assert.deepEqual([verdict, code], [expected, fault ? 1 : 0]);
  for (const claim of [fault, starvation]) if (claim) await comesAgain(context, program, claim);
  if (fault === undefined || fault.rounds <= 1 || fault.memory !== 'sc') return;
  const few = ['--schedules', '0', '--states', '20000', '--memory', 'sc', '--threads', `${fault.threads}`];
  const { said: sooner } = await lab(context, program, [...few, '--rounds', '1']);
  if (sooner?.fault?.kind === fault.kind)
    assert.ok(
      fault.steps.length <= sooner.fault.steps.length,
      `${fault.steps.length} > ${sooner.fault.steps.length} steps`,
    );
}

export default {
  withContext: async (use) => {
    const engine = join(await buildCommandLine('virtual'), 'latchscope');
    const { compile } = await labLanguage();
    await use({ engine, compile });
  },
  attacks: [
    {
      name: 'random latches in the checker',
      inputs: 600,
      input: latch,
      withstands: claimsHold,
    },
    {
      name: 'long and broken sources',
      inputs: 200,
      input: longSource,
      withstands: compilesOrIsNamed,
    },
  ],
};
