// Tests of queues and barriers.
import { describe, expect, test } from 'vitest';

import { script_operations } from '../../contract/workload-code-operations.ts';
import { script_limits } from '../../contract/workload-operations.ts';
import { carriedOut, compiled, errorsOf } from './test-fixtures.ts';

const declared =
  'knob length { few = 2; many = 40; } latch m : innodb_mutex; word w; queue jobs[16]; barrier all_in(2);';
const workload = (body: string, declarations = '') =>
  `workload "w"; ${declared}\n${declarations}\nthread client[4] { transaction { ${body} } }`;
const errorsIn = (...of: Parameters<typeof workload>) =>
  errorsOf(workload(...of)).map(({ sentence }) => sentence);
const done = (body: string, declarations = '') =>
  carriedOut(compiled(workload(body, declarations))).slice(1, -1);
const stored = (body: string, declarations = '') =>
  done(body, declarations)
    .filter((line) => line.startsWith('store w '))
    .map((line) => line.replace(/^.* /, ''));

describe('a queue', () => {
  test('gives numbers in the order in which they were sent', () => {
    expect(
      stored(
        'send(jobs, 7); send(jobs, 8 + 1); store(w, receive(jobs)); uint x = receive(jobs); store(w, x);',
      ),
    ).toEqual(['7', '9']);
    const round =
      'uint i = 0; repeat (40) { send(jobs, i); i = i + 1; uint x = receive(jobs); store(w, x); }';
    expect(stored(round)).toEqual(Array.from({ length: 40 }, (_, i) => i.toString()));
  });

  test('is a mutex with its name, and words that name why a thread sleeps', () => {
    const { latches, words } = compiled(workload('send(jobs, 1);'));
    expect(latches).toMatchObject([
      { name: 'm' },
      { name: 'jobs', elements: 1, kind: { kind: 'pthread_mutex' }, source_line: 1 },
      { name: 'all_in', kind: { kind: 'pthread_mutex' } },
    ]);
    expect(words?.slice(1, 6)).toMatchObject([
      { name: 'jobs_empty', line: 1 },
      { name: 'jobs_full', line: 1 },
      { name: 'jobs_receivers', line: 1 },
      { name: 'jobs_senders', line: 1 },
      { name: 'jobs_slots', line: 5, elements: 16, packed: false },
    ]);
  });

  test('takes its mutex at the part around the call, and wakes nobody if nobody waits', () => {
    expect(done('in "hand_over" send(jobs, 3);')).toEqual([
      ...['in hand_over', 'enter jobs at hand_over', 'load jobs_empty 0 to 0', 'load jobs_full 0 to 0'],
      ...['load jobs_empty 0 to 0', 'store jobs_slots[0] 0 to 3', 'fetch_add jobs_empty 0 to 1'],
      ...['load jobs_receivers 0 to 0', 'leave jobs', 'out'],
    ]);
  });

  test('sleeps without its mutex while it is full or empty', () => {
    const sleeps = (body: string) => {
      const { code, words, source_lines } = compiled(workload(body));
      return source_lines.flatMap((_, place) =>
        script_operations[code[2 * place]! & 0xff]!.name === 'wait'
          ? [words![code[2 * place + 1]! & 0xffff]!.name]
          : [],
      );
    };
    expect(sleeps('send(jobs, 1);')).toEqual(['jobs_full']);
    expect(sleeps('uint x = receive(jobs);')).toEqual(['jobs_empty']);
    expect(sleeps('await(all_in);')).toEqual(['all_in_incomplete']);
  });

  test('has as many slots as the longest variant of a knob, and is full at the variant in force', () => {
    const knob = 'queue q[length];';
    expect(compiled(workload('', knob)).words).toContainEqual(
      expect.objectContaining({ name: 'q_slots', elements: 40 }),
    );
    const fill = (variant: number) => () =>
      carriedOut(compiled(workload('send(q, 1); send(q, 2); send(q, 3);', knob)), { variants: [variant] });
    expect(fill(0)).toThrow('it does not end');
    expect(fill(1)()).toContain('store q_slots[2] 0 to 3');
  });

  test('instructions of a call have the line of the call', () => {
    const { source_lines } = compiled(workload('\nsend(jobs,\n 1);\n'));
    expect([...new Set(source_lines)]).toEqual([3, 4, 6]);
  });

  test.each([
    ['send(jobs);', 'send got 1 arguments: write send(jobs, value)'],
    ['receive();', 'receive got 0 arguments: write receive(jobs)'],
    ['send(jobs, 1us);', 'send takes a number, such as 4; 1us is a duration'],
    ['send(job, 1);', 'job is not a queue; did you mean jobs?'],
    ['send(all_in, 1);', 'all_in is not a queue: write one of jobs'],
    ['send(1 + 1, 1);', '1 + 1 is not a queue: write one of jobs'],
    ['uint x = send(jobs, 1);', 'send() returns no value: write it as a separate statement'],
    ['uint x = jobs;', 'jobs is a queue: write receive(jobs) or send(jobs, 1)'],
    ['work(receive(jobs));', 'work takes a duration, such as 4us; receive(jobs) is a number'],
    ['hold jobs { }', 'jobs is a queue, which takes its latch itself'],
    ['uint x = load(jobs_empty);', 'jobs_empty is not declared'],
    ['uint x = load(jobs);', 'load needs a word, such as w; jobs is not a word'],
    ['await(jobs);', 'jobs is not a barrier: write one of all_in'],
    ['await();', 'await got 0 arguments: write await(all_in)'],
    ['uint x = await(all_in);', 'await() returns no value: write it as a separate statement'],
    ['uint x = all_in;', 'all_in is a barrier: write await(all_in)'],
    ['hold all_in { }', 'all_in is a barrier, which takes its latch itself'],
  ])('%s is wrong', (body, sentence) => {
    expect(errorsIn(body)[0]).toBe(sentence);
  });

  test.each([
    ['queue q;', 'a queue has a length: write queue q[16]'],
    ['queue q[0];', 'a queue holds 1 to 256 numbers, not 0'],
    ['queue q[257];', 'a queue holds 1 to 256 numbers, not 257'],
    ['queue q[threads];', 'threads is not constant: only numbers and earlier constants are allowed here'],
    ['queue m[2];', 'the name m is already used in line 1: choose another name'],
    ['word q_slots; queue q[2];', 'the name q_slots is already used in line 2: choose another name'],
    ['queue q[2]; word q_empty;', 'the name q_empty is already used in line 2: choose another name'],
    [`queue ${'q'.repeat(31)}[2];`, 'at most 30 characters are allowed here; these are 31'],
    ['barrier b;', 'a barrier is for some threads: write barrier b(8)'],
    ['barrier b(0);', 'a barrier is for 1 to 1024 threads, not 0'],
    ['barrier b(1us);', '1us is a duration: a number is needed here'],
    ['barrier b(me);', 'me is not constant: only numbers and earlier constants are allowed here'],
  ])('%s is wrong', (declarations, sentence) => {
    expect(errorsIn('', declarations)).toContain(sentence);
  });

  test('its latch counts among those that a thread holds', () => {
    const { held_max } = script_limits;
    const held = (latches: number) => `${'hold m { '.repeat(latches)}send(jobs, 1);${' }'.repeat(latches)}`;
    expect(errorsIn(held(held_max - 1))).toEqual([]);
    expect(errorsOf(workload(held(held_max)))).toEqual([
      {
        at: `3:${34 + held_max * 'hold m { '.length}`,
        sentence: `at most ${held_max} latches may be held at once`,
      },
    ]);
  });
});

describe('a barrier', () => {
  test('lets the last thread pass at once, and wakes the others', () => {
    expect(done('await(one);', 'barrier one(1);')).toEqual([
      ...['enter one at client', 'load one_incomplete 0 to 0', 'load one_arrived 0 to 0'],
      ...[
        'store one_arrived 0 to 0',
        'fetch_add one_incomplete 0 to 1',
        'futex_wake one_incomplete 4294967295',
      ],
      'leave one',
    ]);
  });

  test.each(['2', 'length', 'threads', 'N + 1'])('of %s threads makes the first one wait', (threads) => {
    const source = workload('await(b);', `const N = 1; barrier b(${threads});`);
    expect(() => carriedOut(compiled(source))).toThrow('it does not end');
  });
});

test('at_end has neither', () => {
  const errors = errorsOf(
    'workload "w"; queue q[2]; barrier b(2); thread t { transaction { } } at_end { send(q, 1); check(receive(q)); await(b); }',
  );
  expect(errors.map(({ sentence }) => sentence)).toEqual(
    ['send', 'receive', 'await'].map((name) => `at_end only reads and checks: it has no ${name}`),
  );
});
