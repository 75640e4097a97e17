import { describe, expect, test } from 'vitest';

import { callable_operations, lab_exercise_schema } from './lab-exercise.ts';
import { lab_faults } from './lab-program.ts';
import { schemaFaults } from './schema-faults.ts';

const withChecks = (...checks: unknown[]) => ({ schema_version: 1, title: 'First come', checks });
const faultsOf = (...checks: unknown[]) => schemaFaults(lab_exercise_schema, withChecks(...checks));
const contest = { kind: 'contest', contest: { threads: 2 }, measure: 'fairness' };

test('each kind of check is taken with the fields that it may have', () => {
  expect(
    faultsOf(
      { kind: 'right', threads: 3, rounds: 2, schedules: 0, states: 1000, memory: 'tso' },
      { kind: 'faulty', fault: 'lost_wake_up' },
      { ...contest, at_least: 0.9 },
      { ...contest, at_most: { times: 1.4, of: 'start' } },
      { kind: 'uses', operations: ['futex_wait'] },
      { kind: 'does_not_use', operations: ['exchange', 'pause'] },
      { kind: 'keeps', functions: ['client'] },
    ),
  ).toEqual([]);
});

describe('what is wrong is named with field, value and what is allowed', () => {
  test('a kind that there is not', () => {
    expect(faultsOf({ kind: 'rigth' })).toEqual([
      {
        field: 'checks[0].kind',
        value: 'rigth',
        allowed: 'one of right, faulty, contest, workload, uses, does_not_use, keeps',
      },
    ]);
  });

  test('a field of another kind', () => {
    expect(faultsOf({ kind: 'keeps', functions: ['exit'], threads: 2 })).toEqual([
      { field: 'checks[0].threads', value: 2, allowed: 'one of kind, functions' },
    ]);
  });

  test('no bound, and two', () => {
    const fault = { field: 'checks[0].at_least', allowed: 'either at_least or at_most' };
    expect(faultsOf(contest)).toEqual([{ ...fault, value: undefined }]);
    expect(faultsOf({ ...contest, at_least: 1, at_most: 2 })).toEqual([{ ...fault, value: 1 }]);
  });

  test('a bound that is neither a number nor of a latch', () => {
    expect(faultsOf({ ...contest, at_least: 'much' })).toEqual([
      {
        field: 'checks[0].at_least',
        value: 'much',
        allowed: 'a number from 0, or an object with times, of',
      },
    ]);
    expect(faultsOf({ ...contest, at_least: { times: 0, of: 'mcs' } })).toEqual([
      { field: 'checks[0].at_least.times', value: 0, allowed: 'a number above 0' },
    ]);
  });

  test('a measure, a fault, an operation and a function that there is not', () => {
    const [measure, fault, operation, run] = faultsOf(
      { ...contest, measure: 'speed', at_most: 1 },
      { kind: 'faulty', fault: 'slow' },
      { kind: 'uses', operations: ['xchg'] },
      { kind: 'keeps', functions: ['main'] },
    );
    expect([measure!.field, measure!.value]).toEqual(['checks[0].measure', 'speed']);
    expect(measure!.allowed).toMatch(/^one of acquisitions_per_s, /);
    expect(fault!.allowed).toBe(`one of ${lab_faults.join(', ')}`);
    expect(operation!.allowed).toBe(`one of ${callable_operations.join(', ')}`);
    expect(run!.allowed).toBe('one of enter, exit, enter_shared, exit_shared, client, at_end');
  });

  test('no checks, and no title', () => {
    expect(schemaFaults(lab_exercise_schema, { schema_version: 1, checks: [] })).toEqual([
      {
        field: 'title',
        value: undefined,
        allowed: 'a text of 5 to 80 characters, all of them visible',
      },
      { field: 'checks', value: [], allowed: 'a list of at least 1 and at most 12 checks' },
    ]);
  });
});

test('operations that a source cannot call are no operations of a check', () => {
  expect(callable_operations).toContain('futex_wake');
  expect(callable_operations).not.toContain('jump');
  expect(callable_operations).not.toContain('add');
});
