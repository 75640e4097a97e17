import { describe, expect, test } from 'vitest';

import { script_limits } from '../../contract/workload-operations.ts';
import { carriedOut, compiled, errorsOf } from './test-fixtures.ts';

const clients = 'thread client[4] { transaction { } }';
/** Line 2 has the declarations. */
const workload = (declarations: string) =>
  `workload "w"; latch m : innodb_mutex; word w; counter misses;\n${declarations}\n${clients}`;
const errorsIn = (declarations: string) => errorsOf(workload(declarations)).map(({ sentence }) => sentence);

describe('threads without transactions', () => {
  test.each([
    ['thread t every 1s { }', { name: 't', threads: 1, runs: 'every', period: 1e12 }],
    ['const T = 10ms; thread t[2] every T * 2 { }', { threads: 2, runs: 'every', period: 2e10 }],
    ['thread t once { }', { threads: 1, runs: 'once' }],
    ['thread once once { }', { name: 'once', runs: 'once' }],
    [
      'action drop "DROP TABLE, 20 GB" { }',
      { name: 'drop', threads: 1, runs: 'on_action', title: 'DROP TABLE, 20 GB' },
    ],
    ['action drop { }', { runs: 'on_action', title: 'drop' }],
    ['at_end { check(1); }', { name: 'at_end', threads: 1, runs: 'at_end' }],
  ])('%s', (declaration, group) => {
    const [first] = compiled(workload(declaration)).groups;
    expect(first).toMatchObject({ has_transaction: false, ...group });
    expect(Object.keys(first!).toSorted()).toEqual(
      [...new Set(['name', 'threads', 'has_transaction', 'code', ...Object.keys(group)])].toSorted(),
    );
  });

  test('those that run again and again say nothing of it', () => {
    expect(compiled(workload('thread t { sleep(1ms); }')).groups[0]).not.toHaveProperty('runs');
  });

  test('the body of an action is that of a thread', () => {
    const program = compiled(workload('action a { in "drop" hold m { work(1us); } sleep(1ms); return; }'));
    expect(carriedOut(program)).toEqual([
      ...['in drop', 'enter m at drop', 'work 1000000', 'leave m', 'out', 'sleep 1000000000'],
    ]);
  });

  test('at_end checks what was counted, and words', () => {
    const program = compiled(
      workload(
        'at_end { uint n = counted(misses); check(n == 3); check(load(w) <= counted(transactions)); }',
      ),
    );
    const done = carriedOut(program, { counted: { misses: 3n, transactions: 5n } });
    expect(done).toEqual(['check 1', 'load w 0 to 0', 'check 1']);
    expect(carriedOut(program)[0]).toBe('check 0');
  });

  test.each([
    ['thread t every 1ns { }', 'a period is from 1us to 1h, not 1ns'],
    ['thread t every 2h { }', 'a period is from 1us to 1h, not 2h'],
    ['action a "" { }', 'write a few words'],
    ['thread t every 4 { }', '4 is a number: a duration is needed here'],
    [
      'param p = 1s from 1ms to 2s; thread t every p { }',
      'p is not constant: only numbers and earlier constants are allowed here',
    ],
    ['thread t every 1s { transaction { } }', 'a group with every has no transaction: clients have it'],
    ['thread t once { transaction { } }', 'a group with once has no transaction: clients have it'],
    ['action a { transaction { } }', 'an action has no transaction: clients have it'],
    ['action a[2] { }', 'an action has one thread: it takes no number'],
    ['action m { }', 'the name m is already used in line 1: choose another name'],
    ['at_end { } at_end { }', 'a workload has one at_end: write all checks into it'],
    ['at_end { transaction { } }', 'at_end has no transaction: clients have it'],
    ['at_end { work(1us); }', 'at_end only reads and checks: it has no work'],
    ['at_end { hold m { } }', 'at_end only reads and checks: it has no hold'],
    ['at_end { shared m { } }', 'at_end only reads and checks: it has no shared'],
    ['at_end { try hold m { } }', 'at_end only reads and checks: it has no try'],
    ['at_end { in "x" check(1); }', 'at_end only reads and checks: it has no in'],
    ['at_end { store(w, 1); }', 'at_end only reads and checks: it has no store'],
    ['at_end { uint x = fetch_add(w, 1); }', 'at_end only reads and checks: it has no fetch_add'],
    ['at_end { uint x = uniform(3); }', 'at_end only reads and checks: it has no uniform'],
    ['at_end { count(misses); }', 'at_end only reads and checks: it has no count'],
    ['at_end { if (counted(misses)) pause(); }', 'at_end only reads and checks: it has no pause'],
    [
      'thread t { uint x = counted(misses); }',
      'counted belongs to at_end: during the run, threads still count',
    ],
    ['at_end { check(counted(missed) == 0); }', 'missed is not a counter; did you mean misses?'],
    ['at_end { check(counted() == 0); }', 'counted got 0 arguments: write counted(counter)'],
    ['at_end { check(misses == 0); }', 'misses is a counter: at_end reads it, as counted(misses)'],
  ])('%s', (declaration, sentence) => {
    expect(errorsIn(declaration)).toEqual([sentence]);
  });

  test('all of them count among the threads without a transaction, except at_end', () => {
    const threads = 'thread a[2] { } thread b[2] every 1s { } thread c once { } action d { } action e { }';
    expect(errorsIn(`${threads} at_end { }`)).toEqual([]);
    expect(errorsIn(threads.replace('c once', 'c[2] once'))).toEqual([
      'at most 7 threads in all have no transaction; with e there are 8',
    ]);
  });

  test('there are at most 8 groups', () => {
    const many = Array.from({ length: script_limits.groups_max - 1 }, (_, i) => `action a${i} { }`);
    expect(errorsIn(many.join(' '))).toEqual([]);
    expect(errorsIn(`${many.join(' ')} at_end { }`)).toEqual([
      `a workload has at most ${script_limits.groups_max} groups of threads`,
    ]);
  });

  test.each([
    ['thread t evry 1s { }', 'unexpected evry; did you mean every?'],
    ['thread t every { }', 'expected a value after thread t every'],
    ['thread t every 1s', 'expected a body in { } after thread t every 1s'],
    ['acton a { }', 'unexpected acton; did you mean action?'],
    ['action { }', 'expected a name after action'],
    ['action "DROP" { }', 'expected a name after action'],
    ['at_end check(1);', 'expected { after at_end'],
    ['at_nd { }', 'unexpected at_nd; did you mean at_end?'],
  ])('the syntax error of %s is named', (declaration, sentence) => {
    expect(errorsIn(declaration)[0]).toBe(sentence);
  });
});
