// Tests of the functions of a workload: each call inserts its function.
import { describe, expect, test } from 'vitest';

import { script_limits } from '../../contract/workload-operations.ts';
import { carriedOut, compiled, errorsOf } from './test-fixtures.ts';

const declared =
  'knob k { one; two; } latch m : innodb_mutex; latch rows[8] : innodb_rw_lock; word w; word slots[4]; counter n;';
/** Line 2 has the functions, line 3 the body. */
const workload = (functions: string, body: string) =>
  `workload "w"; ${declared}\n${functions}\nthread client[4] { transaction { ${body} } }`;
const done = (functions: string, body: string, conditions?: Parameters<typeof carriedOut>[1]) =>
  carriedOut(compiled(workload(functions, body)), conditions).slice(1, -1);
const errorsIn = (functions: string, body = '') => errorsOf(workload(functions, body));
const sentencesOf = (functions: string, body = '') =>
  errorsIn(functions, body).map(({ sentence }) => sentence);

describe('a call does what its function does', () => {
  test.each([
    ['void f() { work(1us); }', 'f(); f();', ['work 1000000', 'work 1000000']],
    ['void f(uint x) { x = x + 1; store(w, x); }', 'uint y = 4; f(y); store(w, y);', ['5', '4']],
    ['uint f(uint x) { return x * 2; }', 'store(w, f(3) + f(f(1)));', ['10']],
    ['uint f(uint a, uint b) { return a - b; }', 'uint a = 9; store(w, f(a, 2));', ['7']],
    ['uint f(uint x) { if (x < 2) return 5; return 6; }', 'store(w, f(1) * 10 + f(2));', ['56']],
    [
      'uint f(uint x) { if (x) { return 1; } else return 2; }',
      'uint x = f(0); x = f(x); store(w, x);',
      ['1'],
    ],
    ['uint f() { return 1; }', 'f(); store(w, 2);', ['2']],
    ['void f(uint x) { if (x == 0) return; store(w, x); }', 'f(0); f(3);', ['3']],
    ['void f() { return; } void g() { f(); store(w, 1); f(); }', 'g();', ['1']],
    [
      'void f() { uint x = 1; { uint y = 2; store(w, x + y); } }',
      'uint x = 7; f(); store(w, x);',
      ['3', '7'],
    ],
    [
      'void f(uint x) { repeat (x) { if (x == 3) break; store(w, x); } }',
      'repeat (2) f(2); f(3);',
      ['2', '2', '2', '2'],
    ],
    ['uint f(uint x) { while (1) { x = x + 1; if (x > 5) return x; } return 0; }', 'store(w, f(1));', ['6']],
  ])('%s %s', (functions, body, expected) => {
    const written = done(functions, body).map((line) => line.replace(/^store w \d+ to /, ''));
    expect(written).toEqual(expected);
  });

  test('durations and sizes are taken and returned', () => {
    const functions =
      'duration twice(duration d) { return d * 2; } uint pages(size s) { return s / 4KiB; } duration f(size s) { return twice(1us) * pages(s); }';
    expect(done(functions, 'work(f(16KiB)); if (k == two) work(twice(2us));', { variants: [1] })).toEqual([
      'work 8000000',
      'work 4000000',
    ]);
  });

  test('a return ends the parts and holds of its function, not those around the call', () => {
    const functions = 'uint f(uint x) { in "f" hold rows[x] { if (chance(1pct)) return 7; } return 8; }';
    const body = 'in "outer" hold m { uint x = f(3); store(w, x); }';
    const [before, after] = [
      ['in outer', 'enter m at outer', 'in f', 'enter rows[3] at f', 'leave rows[3]', 'out'],
      ['leave m', 'out'],
    ];
    expect(done(functions, body)).toEqual([...before, 'store w 0 to 7', ...after]);
    const unlikely = done(functions, body, { draw: () => 0n });
    expect(unlikely).toEqual([...before, 'store w 0 to 8', ...after]);
  });

  test('a latch outside of every part of the function has the site of the call', () => {
    const functions = 'void f() { hold m { } }';
    expect(
      done(functions, 'in "a" f(); f(); in "b" f();').filter((line) => line.startsWith('enter')),
    ).toEqual(['enter m at a', 'enter m at client', 'enter m at b']);
  });

  test('actions, background threads and at_end call, too', () => {
    const program = compiled(
      'workload "w"; word w; uint f() { return load(w); } void check_it(uint x) { check(x == 0); } action a { while (f()) { return; } } at_end { check_it(f()); } thread t { transaction { } }',
    );
    expect(carriedOut(program)).toEqual(['load w 0 to 0']);
    expect(carriedOut(program, {}, 1)).toEqual(['load w 0 to 0', 'check 1']);
  });

  test('an instruction of a function has its line, and the next one that of the call', () => {
    const { code, source_lines } = compiled(
      workload('\nuint f() {\n  fence();\n  return 3;\n}\n', '\nwork(1us * f());'),
    );
    expect(source_lines.length).toBe(code.length / 2);
    expect([...new Set(source_lines)].filter((line) => line > 0)).toEqual([8, 9, 4, 5]);
    expect(source_lines.at(-2)).toBe(9);
  });

  test('a function that nothing calls adds nothing', () => {
    const plain = compiled(workload('', 'work(1us);'));
    const functions = 'uint f(uint x) { in "f" hold m { work(3ns); } return x + 77; }';
    expect({ ...compiled(workload(functions, 'work(1us);')), source_lines: [] }).toEqual({
      ...plain,
      source_lines: [],
    });
  });
});

describe('an error of a function is told once, at its place', () => {
  test.each([
    ['void f() { work(4); }', '2:17', 'work takes a duration, such as 4us; 4 is a number'],
    ['void f() { x = 1; }', '2:12', 'x is not declared'],
    ['uint f() { }', '2:12', 'f ends without a value: return a number on every path'],
    [
      'duration f() { if (1) return 1us; }',
      '2:35',
      'f ends without a value: return a duration on every path',
    ],
    [
      'uint f(uint x) { while (x) return 1; }',
      '2:38',
      'f ends without a value: return a number on every path',
    ],
    ['uint f() { return; }', '2:12', 'f returns a number: write return and its value'],
    ['uint f() { return 1us; }', '2:19', 'f returns a number, such as 4; 1us is a duration'],
    ['void f() { return 1; }', '2:19', 'f returns no value: write return;'],
    ['void f() { break; }', '2:12', 'break is outside a loop'],
    ['void f() { transaction { } }', '2:12', 'a function has no transaction: clients have it'],
    [
      'int f() { return 1; }',
      '2:1',
      'a function returns a uint, a duration or a size: write uint instead of int',
    ],
    ['void f(int x) { }', '2:8', 'a function takes a uint, a duration or a size: write uint instead of int'],
    [
      'void f(void x) { }',
      '2:8',
      'a function takes a uint, a duration or a size: write uint instead of void',
    ],
    ['void f(uint x, uint x) { }', '2:21', 'the name x is already used in line 2: choose another name'],
    ['void f(uint w) { }', '2:13', 'the name w is already used in line 1: choose another name'],
    ['void f() { uint n = 1; }', '2:17', 'the name n is already used in line 1: choose another name'],
    ['void work() { }', '2:6', 'the name work is already used by the language: choose another name'],
    ['void count() { }', '2:6', 'the name count is already used by the language: choose another name'],
    ['void m() { }', '2:6', 'the name m is already used in line 1: choose another name'],
    ['void f() { } void f() { }', '2:19', 'the name f is already used in line 2: choose another name'],
    ['void f() { f(); }', '2:12', 'f calls itself: the language has no recursion, so write a loop'],
    ['void f() { g(); } void g() { f(); }', '2:12', 'g is declared in line 2: declare it before its call'],
    ['uint f() { return ; }', '2:12', 'f returns a number: write return and its value'],
  ])('%s', (functions, at, sentence) => {
    expect(
      errorsIn(functions, 'f(); f(); uint z = 1;'.slice(functions.includes(' f(') ? 0 : 10))[0],
    ).toMatchObject({
      at,
      sentence,
    });
    expect(sentencesOf(functions)).toEqual([sentence]);
  });

  test.each([
    ['f(1);', 'f got 1 arguments: write f()'],
    ['g(1us, 1);', 'g takes a number, such as 4; 1us is a duration'],
    ['g(1);', 'g got 1 arguments: write g(uint a, duration b)'],
    ['uint x = f();', 'f() returns no value: write it as a separate statement'],
    ['work(f);', 'f is a function: write f()'],
    ['uint x = g;', 'g is a function: write g(uint a, duration b)'],
    ['thirds();', 'unknown function thirds; did you mean third?'],
    ['whole();', 'unknown function whole; did you mean while?'],
    ['duration d = h();', 'd is a duration, such as 4us; h() is a number'],
    ['uint f = 1;', 'the name f is already used in line 2: choose another name'],
    ['hold f { }', 'f is not a latch: write one of m, rows'],
  ])('a wrong call: %s', (body, sentence) => {
    const functions = 'void f() { } void g(uint a, duration b) { } uint h() { return 1; } void third() { }';
    expect(sentencesOf(functions, body)[0]).toBe(sentence);
  });
});

describe('an error of one call names its line', () => {
  test('think inside of a transaction', () => {
    const source =
      'workload "w";\nvoid pause_() { think(1us); }\nvoid twice() {\n  pause_();\n}\nthread c[2] {\n  transaction {\n    pause_();\n    twice();\n  }\n  pause_();\n}';
    const sentence = 'think is time between transactions: inside of one, write sleep';
    expect(errorsOf(source)).toEqual([
      { at: '2:17', sentence: `${sentence} (called in line 8)` },
      { at: '2:17', sentence: `${sentence} (called in line 4, from line 9)` },
    ]);
  });

  test('what at_end must not do', () => {
    const source =
      'workload "w"; word w; counter n;\nuint f() { return counted(n); }\nvoid g() { store(w, 1); }\nthread t { transaction { } }\nthread u { f(); }\nat_end { f(); g(); }';
    expect(errorsOf(source)).toEqual([
      {
        at: '2:19',
        sentence: 'counted belongs to at_end: during the run, threads still count (called in line 5)',
      },
      { at: '3:12', sentence: 'at_end only reads and checks: it has no store (called in line 6)' },
    ]);
  });

  test('more latches than a thread may hold', () => {
    const open = (latches: number) => 'hold m { '.repeat(latches);
    const shut = (latches: number) => '} '.repeat(latches);
    const most = script_limits.held_max;
    const functions = `void f() { ${open(most)}${shut(most)} }`;
    expect(sentencesOf(functions, 'f();')).toEqual([]);
    expect(sentencesOf(functions, 'hold m { f(); f(); }')).toEqual([
      `at most ${most} latches may be held at once (called in line 3)`,
    ]);
  });
});

describe('limits', () => {
  test('calls of calls that are too many are refused in time, where they begin', () => {
    const doubled = (depth: number, body: string) =>
      Array.from({ length: depth }, (_, i) => `void f${i + 1}() { f${i}(); f${i}(); }`).reduce(
        (all, one) => `${all} ${one}`,
        `void f0() { ${body} }`,
      );
    const sentence = `a workload has at most ${script_limits.instructions_max} instructions; each call adds those of its function, and here there are more`;
    expect(errorsIn(doubled(30, ''), 'f30();')).toEqual([{ at: '3:34', sentence }]);
    expect(errorsIn(doubled(12, 'work(1us);'), 'f12();')).toEqual([{ at: '3:34', sentence }]);
    expect(sentencesOf(doubled(8, 'work(1us);'), 'f8();')).toEqual([]);
  });

  test('functions that call each other are refused before they nest too deeply', () => {
    const chain = (length: number) =>
      Array.from({ length }, (_, i) => `void f${i + 1}() { f${i}(); }`).reduce(
        (all, one) => `${all} ${one}`,
        'void f0() { work(1us); }',
      );
    expect(sentencesOf(chain(60), 'f60();')).toEqual([]);
    expect(sentencesOf(chain(3000), '')[0]).toMatch(
      /^f\d+ is nested too deeply, together with the functions/,
    );
    const deep = (levels: number) => `${'{ '.repeat(levels)}NEXT ${'} '.repeat(levels)}`;
    const blocks = Array.from(
      { length: 8 },
      (_, i) => `void b${i + 1}() ${deep(90).replace('NEXT', `b${i}();`)}`,
    );
    expect(sentencesOf(`void b0() { } ${blocks.join(' ')}`, 'b8();')[0]).toMatch(/^b\d is nested too deeply/);
  });

  test('registers of arguments and locals are given back', () => {
    const functions = 'uint f(uint a, uint b, uint c) { uint d = a + b; return c * d; }';
    const { registers } = compiled(workload(functions, 'f(1, 2, 3); f(1, 2, 3);'));
    expect(compiled(workload(functions, 'f(1, 2, 3);'.repeat(100))).registers).toBe(registers);
  });
});

test.each([
  ['void f { }', 'expected ( ) after void f'],
  ['void f(x) { }', 'expected void after void f('],
  ['void f(uint) { }', 'expected a name after void f(uint'],
  ['void f();', 'expected { after void f()'],
  ['f() { }', 'expected void before f'],
])('the syntax error of %s is named', (functions, sentence) => {
  expect(sentencesOf(functions)[0]).toContain(sentence);
});

test('a kind of latch in the file takes no values, as in the lab', () => {
  expect(sentencesOf('kind a { void enter(uint x) { } void exit() { } }')[0]).toBe('unexpected uint');
});

test('an error behind a keyword in the place of a name is where it is', () => {
  const source =
    'workload "q";\nthread c[2] {\n  transaction {\n    work(1us);\n  \n}\nthread [2] {\n  work(1us);\n}\n';
  const errors = errorsOf(source);
  expect(errors[0]).toMatchObject({ at: '6:2', sentence: 'expected } after }' });
  expect(errors.at(-1)).toMatchObject({ at: '7:7', sentence: 'expected a name after thread' });
});
