import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { lab_limits, lab_operations } from '../../contract/lab-program.ts';
import { compile } from './compile.ts';
import { listFunction } from './disassemble.ts';
import type { LabProgram } from '../../contract/latch-program.ts';

const EXIT = '\nvoid exit() { }\n';

function compiled(source: string): LabProgram {
  const result = compile(source);
  expect(result.errors).toBeUndefined();
  return result.program!;
}

const errorsOf = (source: string) =>
  (compile(source).errors ?? []).map(({ line, column, sentence, suggestion }) => ({
    at: `${line}:${column}`,
    sentence,
    suggestion,
  }));

/** Returns errors of statements in enter(), which is line 2. */
const errorsIn = (statements: string) =>
  errorsOf(`word locked; thread word next; word many[4];\nvoid enter() { ${statements} }${EXIT}`);

/** Runs enter() with no other thread, and returns the value that it leaves in a word. */
function wordAfterEnter(program: LabProgram, me = 1, threads = 2): number {
  const words = new Map<string, number>();
  const registers = new Uint32Array(lab_limits.registers_max);
  registers.set([me, threads]);
  let pc = program.functions.enter![0];
  for (let steps = 0; steps < 100_000; ++steps) {
    const packed = program.code[pc * 2]!;
    const immediate = program.code[pc * 2 + 1]!;
    ++pc;
    const { name } = lab_operations[packed & 0xff]!;
    const [target, a, b] = [
      (packed >>> 8) & 0xff,
      registers[(packed >>> 16) & 0xff] ?? 0,
      registers[packed >>> 24] ?? 0,
    ];
    const index = (immediate >>> 16) & 0xff;
    const key = `${immediate & 0xffff}:${index === 0xff ? 0 : registers[index]!}`;
    const found = words.get(key) ?? program.words[immediate & 0xffff]?.initial ?? 0;
    const local: Record<string, () => number> = {
      constant: () => immediate,
      copy: () => a,
      add: () => a + b,
      subtract: () => a - b,
      multiply: () => Math.imul(a, b),
      divide: () => Math.floor(a / b),
      remainder: () => a % b,
      bit_and: () => a & b,
      bit_or: () => a | b,
      bit_xor: () => a ^ b,
      shift_left: () => (b < 32 ? a << b : 0),
      shift_right: () => (b < 32 ? a >>> b : 0),
      equal: () => Number(a === b),
      not_equal: () => Number(a !== b),
      less: () => Number(a < b),
      less_or_equal: () => Number(a <= b),
      load: () => found,
      fetch_add: () => found,
      exchange: () => found,
    };
    if (local[name]) registers[target] = local[name]();
    if (name === 'store' || name === 'exchange') words.set(key, a);
    if (name === 'fetch_add') words.set(key, (found + a) >>> 0);
    if (name === 'jump' || (name === 'jump_if_zero' && a === 0) || (name === 'jump_if_not_zero' && a !== 0))
      pc = immediate;
    if (name === 'give_back') return words.get('0:0') ?? program.words[0]!.initial;
  }
  throw new Error('it does not end');
}

const run = (statements: string, me?: number) =>
  wordAfterEnter(compiled(`word out = 7; word many[4];\nvoid enter() { ${statements} }${EXIT}`), me);

describe('code', () => {
  test('a test-and-set loop is small', () => {
    const program = compiled(
      `word locked;\nvoid enter() { while (exchange(locked, 1) != 0) pause(); }${EXIT}`,
    );
    expect(listFunction(program, 'enter').map((line) => line.slice(6))).toEqual([
      'constant r2, 1',
      'exchange r2, locked, r2',
      'jump_if_zero -> 6, r2',
      'constant r2, 1',
      'pause r2',
      'jump -> 0',
      'give_back',
    ]);
  });

  test('an empty function is one instruction', () => {
    const { functions } = compiled('void enter() { }\nvoid exit() { }\n');
    expect(functions).toEqual({ enter: [0, 1], exit: [1, 2] });
  });

  test.each([
    ['uint x = 3; x = x * (x + 1); store(out, x);', 12],
    ['if (load(out) == 7) store(out, 1); else store(out, 2);', 1],
    ['if (!(load(out) != 7) && load(out) > 8 || load(out) >= 7) store(out, 1);', 1],
    ['uint i = 0; while (i < 10) { i = i + 1; if (i == 4) continue; if (i == 6) break; store(out, i); }', 5],
    ['store(out, 1); return; store(out, 2);', 1],
    ['uint i = 0; while (1) { i = i + 1; if (i == 9) return; store(out, i); }', 8],
    ['uint x = load(out) < 8 && load(out) != 0; store(out, x + 10);', 11],
    ['uint x = -load(out); store(out, ~x);', 6],
    ['store(many[2], 5); uint i = 1; store(out, load(many[i + 1]));', 5],
    ['{ uint x = 4; store(out, x); } { uint x; fetch_add(out, x + 2); }', 6],
    ['store(out, me * 100 + threads);', 302],
    ['store(out, nobody - 1 == all);', 1],
  ])('%s', (statements, expected) => {
    expect(run(statements, 3)).toBe(expected);
  });

  test('words, lines and threads as they are declared', () => {
    const { words, threads_max } = compiled(
      `const N = 2 * 4;\nthreads at most 2;\nword a[N] = 1;\nline { word b; word c[3]; }\nthread line { word d = me; word e; }\nword f[threads + 1];\nvoid enter() { }${EXIT}`,
    );
    expect(threads_max).toBe(2);
    expect(
      words.map(({ name, line, elements, per_thread, packed }) => [name, line, elements, per_thread, packed]),
    ).toEqual([
      ['a', 0, 8, false, false],
      ['b', 1, 1, false, false],
      ['c', 1, 3, false, true],
      ['d', 3, 1, true, false],
      ['e', 3, 1, true, false],
      ['f', 5, 1, true, false],
    ]);
    expect(words[3]!.initial_is_index).toBe(true);
  });

  test('client uses no register of what it calls', () => {
    const program = compiled(
      `word a;\nvoid enter() { uint x = load(a); store(a, x); }${EXIT}void client() { uint y = 1; enter(); exit(); check(y == 1); }`,
    );
    expect(listFunction(program, 'client')[0]).toMatch(/constant r4, 1$|constant r3, 1$/);
    expect(listFunction(program, 'client').map((line) => line.slice(6))).toContain('call enter');
  });

  const operators = ['+', '-', '*', '&', '|', '^', '<', '<=', '>', '>=', '==', '!=', '&&', '||'] as const;
  const { tree } = fc.letrec<{ tree: string; leaf: string; pair: string }>((tie) => ({
    tree: fc.oneof({ maxDepth: 5 }, tie('leaf'), tie('pair')),
    leaf: fc.oneof(fc.nat(20).map(String), fc.constantFrom('x', 'y', '4294967295')),
    pair: fc
      .tuple(tie('tree'), fc.constantFrom(...operators), tie('tree'))
      .map(([a, op, b]) => `(${a} ${op} ${b})`),
  }));

  /** Evaluates the expression in JavaScript, truncating each step to 32 bits. */
  const byJavaScript = (expression: string): number => {
    const text = expression
      .replaceAll('*', '%')
      .replaceAll(/\bx\b/g, '13')
      .replaceAll(/\by\b/g, '4000000000');
    const evaluate = (from: number): [number, number] => {
      const digits = /^\d+/.exec(text.slice(from))?.[0];
      if (digits) return [Number(digits), from + digits.length];
      const [a, afterA] = evaluate(from + 1);
      const operator = /^ (\S+) /.exec(text.slice(afterA))![1]!;
      const [b, afterB] = evaluate(afterA + operator.length + 2);
      const values: Record<string, number | boolean> = {
        ...{ '+': a + b, '-': a - b, '%': Math.imul(a, b), '&': a & b, '|': a | b, '^': a ^ b },
        ...{ '<': a < b, '<=': a <= b, '>': a > b, '>=': a >= b, '==': a === b, '!=': a !== b },
        ...{ '&&': a !== 0 && b !== 0, '||': a !== 0 || b !== 0 },
      };
      return [Number(values[operator]) >>> 0, afterB + 1];
    };
    return evaluate(0)[0];
  };

  test('expressions give what JavaScript gives', () => {
    fc.assert(
      fc.property(tree, (expression) => {
        const byLatch = run(`uint x = 13; uint y = 4000000000; store(out, ${expression});`);
        expect(byLatch).toBe(byJavaScript(expression));
      }),
      { seed: 1, numRuns: 300 },
    );
  });
});

describe('errors', () => {
  test.each([
    ['uint x = lokced;', '2:25', 'lokced is not declared; did you mean locked?', 'locked'],
    ['uint x = locked;', '2:25', 'locked is a word: write load(locked) to read it', 'load(locked)'],
    ['locked = 1;', '2:16', 'locked is a word: write store(locked, 1)', 'store(locked, 1)'],
    ['locked++;', '2:16', 'locked is a word: write fetch_add(locked, 1)', 'fetch_add(locked, 1)'],
    ['locked += 2;', '2:16', 'locked is a word: write fetch_add(locked, 2)', 'fetch_add(locked, 2)'],
    ['uint x = 1; x += 2;', '2:28', 'the language has no +=: write x = x + 2', 'x = x + 2'],
    ['uint x = 1; x++;', '2:28', 'the language has no ++: write x = x + 1', 'x = x + 1'],
    [
      'store(next, 1);',
      '2:22',
      'next has an element for each thread: name one, such as next[me]',
      'next[me]',
    ],
    ['store(many[4], 1);', '2:27', 'many has 4 elements: 0 to 3', undefined],
    ['store(&locked, 1);', '2:22', 'the language has no addresses: write locked', 'locked'],
    ['uint x = 1', '2:26', 'expected ; after void enter() { uint x = 1', ';'],
    ['int x = 1;', '2:16', 'every local is an unsigned 32-bit value: write uint instead of int', 'uint'],
    [
      'uint32_t x = 1;',
      '2:16',
      'every local is an unsigned 32-bit value: write uint instead of uint32_t',
      'uint',
    ],
    ['uint x; if (x = 1) pause();', '2:28', '= assigns; to compare, write x == 1', 'x == 1'],
    ['puase();', '2:16', 'unknown function puase; did you mean pause?', 'pause'],
    ['store(locked);', '2:16', 'store got 1 arguments: write store(word, value)', undefined],
    [
      '{ uint x; } x = 1;',
      '2:28',
      'x is out of scope: declared in line 2, in a block that ended; declare it before the block',
      undefined,
    ],
    ['uint x; uint x;', '2:29', 'the name x is already used in line 2: choose another name', undefined],
    ['uint locked;', '2:21', 'the name locked is already used in line 1: choose another name', undefined],
    ['break;', '2:16', 'break is outside a loop', undefined],
    [
      'exit();',
      '2:16',
      'exit() cannot be called in enter: only client and at_end call, and only enter, exit, enter_shared and exit_shared',
      undefined,
    ],
    ['uint x = pause();', '2:25', 'pause() returns no value: write it as a separate statement', undefined],
    [
      'uint x = 5000000000;',
      '2:25',
      '5000000000 is not allowed: a number has 32 bits: 0 to 4294967295, or 0x0 to 0xffffffff',
      undefined,
    ],
    ['for (;;) { }', '2:16', 'the language has no for: write while', undefined],
  ])('%s', (statements, at, sentence, suggestion) => {
    expect(errorsIn(statements)).toEqual([{ at, sentence, suggestion }]);
  });

  test('all of a source at once', () => {
    expect(errorsIn('locked = 1; uint x = lokced; break;')).toHaveLength(3);
    expect(errorsOf('word a = 0\nword b = 0\nvoid enter() { }\nvoid exit() { }').map(({ at }) => at)).toEqual(
      ['1:11', '2:11'],
    );
  });

  test('functions that are missing or come alone', () => {
    expect(errorsOf('word a;\nvoid enter() { }')[0]!.sentence).toBe('a latch needs void exit() { }');
    expect(errorsOf(`void enter() { }${EXIT}void enter_shared() { }`)[0]!.sentence).toBe(
      'enter_shared needs void exit_shared() { }',
    );
  });

  test('too much of everything', () => {
    const sentenceOf = (source: string) => errorsOf(source)[0]?.sentence;
    const times = (count: number, text: (i: number) => string) =>
      Array.from({ length: count }, (_, i) => text(i)).join(' ');
    const enter = (body: string) => `word a; void enter() { ${body} }${EXIT}`;
    expect(sentenceOf(times(33, (i) => `word w${i};`) + enter(''))).toBe('a latch has at most 32 words');
    expect(sentenceOf(enter(times(63, (i) => `uint x${i};`)))).toMatch(
      /needs 65 registers .* at most 64 are allowed$/,
    );
    expect(sentenceOf(enter(times(600, () => 'store(a, 1);')))).toMatch(/at most 1024 instructions/);
    expect(sentenceOf(`${'\n'.repeat(2001)}${enter('')}`)).toMatch(/at most 2000 lines/);
    expect(sentenceOf(`line { word big[17]; } ${enter('')}`)).toBe(
      'a cache line holds at most 16 words, got 17',
    );
    expect(sentenceOf(enter(`store(a, ${'('.repeat(300)}1${')'.repeat(300)});`))).toMatch(/nested too deep/);
  });
});

test.each([
  ['while (!compare_exchange(locked, 0, 1)) pause();', 'compare_exchange(locked, 0, 1) != 0'],
  ['if (compare_exchange(locked, me, 1)) return;', 'compare_exchange(locked, me, 1) == me'],
  ['while (me && !compare_exchange(locked, 0, 1)) pause();', 'compare_exchange(locked, 0, 1) != 0'],
  ['uint has_failed = !compare_exchange(locked, 0, 1);', 'compare_exchange(locked, 0, 1) != 0'],
])('what compare_exchange found is not whether it wrote: %s', (statement, suggestion) => {
  const sentence = `compare_exchange() returns the value it found, not whether it wrote: write ${suggestion}`;
  expect(errorsIn(statement)).toMatchObject([{ sentence, suggestion }]);
  const corrected = statement.replace(/!?compare_exchange\(.*?\)/, suggestion);
  expect(errorsIn(corrected)).toEqual([]);
});

describe('the largest sources are compiled, or refused, in little work', () => {
  const enter = (statements: string) => `word x;\nvoid enter() { ${statements} }${EXIT}`;
  const firstSentence = (source: string) => compile(source).errors?.[0]?.sentence;

  test('a long sum and thousands of parentheses are named as such', () => {
    for (const deep of [`${'1+'.repeat(20_000)}1`, `${'('.repeat(45_000)}1${')'.repeat(45_000)}`])
      expect(firstSentence(enter(`store(x, ${deep});`))).toMatch(/^nested too deeply: at most 200 /);
  });

  test('names that are as long as a source may be are compared with others', () => {
    const [one, other] = ['a'.repeat(45_000), 'b'.repeat(45_000)];
    expect(errorsOf(`word ${one};\nvoid enter() { store(${other}, 1); }${EXIT}`)).toHaveLength(2);
  });

  test('a sentence quotes the beginning of a long name or line, and no more', () => {
    for (const source of [
      'a'.repeat(3_000),
      enter(`${'b'.repeat(3_000)} = 1;`),
      enter(`${'1 + '.repeat(90)}1 = 1;`),
    ])
      expect(firstSentence(source)?.length).toBeLessThanOrEqual(301);
    expect(firstSentence('a'.repeat(3_000))).toBe(`unexpected ${'a'.repeat(40)}…`);
  });

  test('of thousands of errors the first hundred are told', () => {
    const many = Array.from({ length: 9_000 }, (_, i) => `q${i}z = 1;`).join('');
    expect(errorsOf(enter(many))).toHaveLength(100);
  });

  test('a syntax error behind a long source is told as that behind a short one', () => {
    const line =
      'if (load(x) == 0) { store(x, 1); } /* and so on, on one line, as long as a source may be */';
    const long = line.repeat(1_000);
    expect(long.length).toBeGreaterThan(80_000);
    const sentence = firstSentence(enter('store(x, 1); store(x 1);'));
    expect(firstSentence(enter(`${long} store(x, 1); store(x 1);`))?.replace(/after .*/, '')).toBe(
      sentence?.replace(/after .*/, ''),
    );
  });
});
