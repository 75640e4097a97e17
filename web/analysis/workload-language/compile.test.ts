import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { script_limits } from '../../contract/workload-operations.ts';
import { compileWorkload } from './compile.ts';
import { carriedOut, compiled, done, errorsIn, errorsOf, withBody } from './test-fixtures.ts';

const lockGrant = `// MySQL bug #72829
workload "LOCK_grant: a read lock that bounces";
unit "statements";
param statement = 40us from 1us to 10ms "CPU time of a statement";
knob grant_lock "How does a statement protect the grant tables?" {
  one_rw_lock = innodb_rw_lock      "MySQL 5.6";
  partitioned = sharded_rw_lock(32) "MySQL 5.7";
}
latch LOCK_grant : grant_lock;
latch LOCK_open  : innodb_mutex;
latch rseg[128]  : innodb_mutex;

thread client[64] {
  transaction {
    in "check_grant" shared LOCK_grant { work(300ns); }
    in "execute" work(exponential(statement));
    uint r = uniform(128);
    in "trx_undo_assign" hold rseg[r] { work(200ns); }
    if (chance(1pct)) in "open_table" hold LOCK_open { work(2us); }
  }
  think(exponential(100us));
}
`;

test('a report becomes declarations and code', () => {
  const program = compiled(lockGrant);
  expect(program).toMatchObject({
    title: 'LOCK_grant: a read lock that bounces',
    unit: 'statements',
    parameters: [{ id: 'statement', unit: 'us', scale: 1_000_000, default: 40, min: 1, max: 10_000 }],
    knobs: [
      {
        id: 'grant_lock',
        variants: [
          { id: 'one_rw_lock', origin: 'MySQL 5.6', kind: { kind: 'innodb_rw_lock' } },
          { id: 'partitioned', kind: { kind: 'sharded_rw_lock', size: 32 } },
        ],
      },
    ],
    designs: [
      { id: 'original', variants: [0] },
      { id: 'fixed', variants: [1] },
    ],
    latches: [
      { name: 'LOCK_grant', elements: 1, knob: 0 },
      { name: 'LOCK_open', kind: { kind: 'innodb_mutex' } },
      { name: 'rseg', elements: 128 },
    ],
    groups: [{ name: 'client', threads: 64, has_transaction: true }],
  });
  expect(program.source_lines).toHaveLength(program.code.length / 2);
  expect(carriedOut(program)).toEqual([
    'transaction_begin',
    ...['in check_grant', 'enter LOCK_grant shared at check_grant', 'work 300000', 'leave LOCK_grant', 'out'],
    ...['in execute', 'work 20000000', 'out'],
    ...['in trx_undo_assign', 'enter rseg[64] at trx_undo_assign', 'work 200000', 'leave rseg[64]', 'out'],
    ...['in open_table', 'enter LOCK_open at open_table', 'work 2000000', 'leave LOCK_open', 'out'],
    'transaction_end',
    'think 50000000',
  ]);
});

describe('statements', () => {
  test('break, continue and return release what the loop or the transaction holds', () => {
    expect(done('while (1) { hold m { in "a" hold rw { if (chance(1pct)) break; } } } work(1ns);')).toEqual([
      'enter m at client',
      'in a',
      'enter rw at a',
      'leave rw',
      'out',
      'leave m',
      'work 1000',
    ]);
    expect(done('hold m { work(1ns); return; } work(2ns);')).toEqual([
      'enter m at client',
      'work 1000',
      'leave m',
    ]);
    expect(
      done('uint i = 0; while (i < 3) { i = i + 1; hold m { if (i == 2) continue; work(1ns); } }').filter(
        (one) => one.startsWith('work'),
      ),
    ).toHaveLength(2);
  });

  test('repeat repeats, also with continue and break', () => {
    expect(done('repeat (3) work(1ns);')).toHaveLength(3);
    expect(
      done('uint i = 0; repeat (5) { i = i + 1; if (i == 2) continue; if (i == 4) break; work(1ns); }'),
    ).toHaveLength(2);
    expect(done('repeat (0) work(1ns);')).toEqual([]);
  });

  test('try takes a latch, or does something else', () => {
    const program = compiled(withBody('try hold m { work(1ns); } else work(2ns);'));
    expect(carriedOut(program).slice(1, -1)).toEqual(['try m at client', 'work 1000', 'leave m']);
    expect(carriedOut(program, { isFree: false }).slice(1, -1)).toEqual(['try m at client', 'work 2000']);
  });

  test('in opens no scope for a declaration', () => {
    expect(done('in "a" uint r = 3; hold many[r] { }')).toEqual([
      'in a',
      'out',
      'enter many[3] at client',
      'leave many[3]',
    ]);
  });

  test('a knob is a number, or is compared with its variants', () => {
    const knobs =
      'knob shards { few = 2; many_ = 8; } knob group { each; leader; } latch a[shards] : innodb_mutex;';
    const program = compiled(withBody('hold a[uniform(shards)] { } if (group == leader) work(1ns);', knobs));
    expect(program.latches.at(-1)).toMatchObject({ name: 'a', elements: 8 });
    expect(carriedOut(program).slice(1, -1)).toEqual(['enter a[1] at client', 'leave a[1]']);
    expect(carriedOut(program, { variants: [1, 1] }).slice(1, -1)).toEqual([
      ...['enter a[4] at client', 'leave a[4]', 'work 1000'],
    ]);
  });

  test('parameters have the largest unit in which their bounds are whole', () => {
    const parameters =
      'param pool = 20GiB from 1GiB to 512GiB; param page = 50ns from 5ns to 1us; param n = 3 from 0 to 9;';
    const program = compiled(withBody('repeat (pool / 8GiB) work(page * n);', parameters));
    expect(program.parameters.map(({ unit, scale, default: usual }) => [unit, scale, usual])).toEqual([
      ['GiB', 2 ** 30, 20],
      ['ns', 1000, 50],
      ['', 1, 3],
    ]);
    expect(carriedOut(program).slice(1, -1)).toEqual(['work 150000', 'work 150000']);
    expect(carriedOut(program, { parameters: [8, 7, 2] }).slice(1, -1)).toEqual(['work 14000']);
  });

  test('other groups repeat their body without a transaction', () => {
    const program = compiled(`${withBody('work(1ns);')}thread flusher[2] { hold m { work(50ms); } return; }`);
    expect(program.groups[1]).toMatchObject({ name: 'flusher', threads: 2, has_transaction: false });
    expect(carriedOut(program, {}, 1)).toEqual(['enter m at flusher', 'work 50000000000', 'leave m']);
  });
});

describe('errors', () => {
  test.each([
    ['hold k { }', 'k is not a latch: write one of m, rw, many'],
    ['hold man { }', 'man is not a latch; did you mean many?'],
    ['hold many { }', 'many has 8 latches: name one, such as many[0]'],
    ['hold m[1] { }', 'm is a single latch: it has no elements'],
    ['hold many[8] { }', 'many has 8 latches: 0 to 7'],
    ['shared m { }', 'm may be innodb_mutex, which no one shares: write hold'],
    ['wrk(1us);', 'unknown function wrk; did you mean work?'],
    ['work(1us, 2us);', 'work got 2 arguments: write work(4us)'],
    ['uniform(3);', 'this does nothing: a statement is a call or an assignment'],
    ['uint x = work(1us);', 'work() returns no value: write it as a separate statement'],
    ['x = 1;', 'x is not declared'],
    ['me = 1;', 'cannot assign to me: only locals can be assigned'],
    ['uint x = 1; x += 2;', 'the language has no +=: write x = x + 2'],
    ['int x = 1;', 'a local is a uint, a duration or a size: write uint instead of int'],
    ['uint m = 1;', 'the name m is already used in line 2: choose another name'],
    ['uint x = m;', 'm is a latch: write hold m { }'],
    ['break;', 'break is outside a loop'],
    ['think(1us);', 'think is time between transactions: inside of one, write sleep'],
    ['in "" work(1us);', 'a part needs a name, such as "execute"'],
    [
      'transaction { }',
      'a transaction belongs directly in the body of its threads, not in another statement',
    ],
    ['for (;;) { }', 'the language has no for: write repeat (n) or while'],
    [
      '{ uint x = 1; } work(1us * x);',
      'x is out of scope: declared in line 4, in a block that ended; declare it before the block',
    ],
  ])('%s', (body, sentence) => {
    expect(errorsIn(body)).toEqual([sentence]);
  });

  test.each([
    ['latch a : innodb_mute;', 'innodb_mute is not a kind of latch; did you mean innodb_mutex?'],
    ['latch a : sharded_rw_lock;', 'sharded_rw_lock needs one number: write sharded_rw_lock(8)'],
    ['latch a : innodb_mutex(2);', 'write innodb_mutex, without ( )'],
    ['latch a[0] : innodb_mutex;', 'an array has 1 to 16384 latches, not 0'],
    ['knob k { one = innodb_mutex; }', 'a knob needs at least two variants'],
    [
      'knob k { a = innodb_mutex; b = 3; }',
      'k selects kinds of latches: write b = innodb_mutex, or another kind',
    ],
    ['knob k { a = 1; a = 2; }', 'k has two variants called a'],
    ['knob k { a = 1; b = 2; } latch l : k;', 'the variants of k are numbers, not kinds of latches'],
    ['design d { nothing = a; }', 'nothing is not a knob: none is declared'],
    ['param p = 4us from 1us to 2us;', 'the default of p must be from 1us to 2us, not 4us'],
    ['param p = 4us from 1 to 8us;', 'p is a duration, and 1 is a number'],
    [
      'param work = 4us from 1us to 8us;',
      'the name work is already used by the language: choose another name',
    ],
    ['latch m : innodb_mutex;', 'the name m is already used in line 2: choose another name'],
    ['const c = me;', 'me is not constant: only numbers and earlier constants are allowed here'],
    ['thread other { transaction { work(1us); } }', 'only one group has transactions, and other has them'],
  ])('%s', (declaration, sentence) => {
    expect(errorsIn('work(1us);', declaration)).toEqual([sentence]);
  });

  test('an empty file says what a workload needs; a missing sign is named', () => {
    expect(errorsOf('')).toEqual([
      { at: '1:1', sentence: 'a workload begins with its title: workload "title";' },
      { at: '1:1', sentence: 'a workload needs clients: thread client[8] { transaction { … } }' },
    ]);
    expect(errorsOf(withBody('work(1us)'))).toEqual([
      { at: '4:43', sentence: expect.stringContaining('expected ;') as string, suggestion: ';' },
    ]);
    expect(errorsOf('workload w;')[0]!.sentence).toMatch(/expected|unexpected/);
  });

  test('limits are named', () => {
    const many = (count: number, one: (number: number) => string) =>
      Array.from({ length: count }, (_, i) => one(i)).join('\n');
    const limit = script_limits;
    expect(
      errorsIn(
        '',
        many(limit.latches_max, (i) => `latch l${i} : innodb_mutex;`),
      ),
    ).toEqual([`a workload has at most ${limit.latches_max} latches`]);
    expect(errorsIn(many(limit.instructions_max, () => 'work(1us);'))[0]).toMatch(
      /at most 2000 lines|instructions/,
    );
    const deep = (levels: number): string =>
      levels === 0 ? '' : `hold many[${levels - 1}] { ${deep(levels - 1)} }`;
    expect(errorsIn(`hold m { ${deep(limit.held_max)} }`)).toEqual([
      `at most ${limit.held_max} latches may be held at once`,
    ]);
    const locals = many(limit.registers_max, (i) => `uint x${i} = me;`);
    expect(errorsIn(locals)[0]).toMatch(/registers for locals and values; at most 64/);
  });
});

test('limits of all declarations together are named', () => {
  expect(errorsIn('', 'thread a[4] { sleep(1ms); } thread b[4] { sleep(1ms); }')).toEqual([
    'at most 7 threads in all have no transaction; with b there are 8',
  ]);
  expect(errorsIn('', 'latch wide[1024] : sharded_rw_lock(64);')).toEqual([
    'a workload has at most 65536 latches in all, each shard counted; up to here there are 65546',
  ]);
  const parts = Array.from(
    { length: 22 },
    (_, i) => `in "part ${i}" { hold m { } hold rw { } hold many[0] { } }`,
  );
  expect(errorsIn(parts.join(' '))).toContain('at most 64 pairs of a latch and a part that takes it');
  expect(errorsIn(`in "${'\u{1F512}'.repeat(17)}" work(1us);`)).toEqual([
    'at most 63 bytes of UTF-8 are allowed here; these are 68',
  ]);
});

test('a changed workload gives errors with their places, or a program', () => {
  const parts = lockGrant.split(/(\s+|\b)/);
  fc.assert(
    fc.property(
      fc.array(
        fc.tuple(
          fc.nat(parts.length - 1),
          fc.constantFrom('', '{', '}', ';', 'hold', '1us', '"', '[', 'x', '=='),
        ),
        {
          minLength: 1,
          maxLength: 4,
        },
      ),
      (changes) => {
        const changed = [...parts];
        for (const [place, by] of changes) changed[place] = by;
        const source = changed.join('');
        const { program, errors } = compileWorkload(source);
        if (program !== undefined) {
          expect(program.code.every((one) => Number.isInteger(one) && one >= 0 && one <= 0xffff_ffff)).toBe(
            true,
          );
          return;
        }
        expect(errors.length).toBeGreaterThan(0);
        for (const { from, to, sentence } of errors) {
          expect(from).toBeLessThanOrEqual(to);
          expect(to).toBeLessThanOrEqual(source.length);
          expect(sentence.length).toBeGreaterThan(0);
        }
      },
    ),
    { numRuns: 300 },
  );
});
