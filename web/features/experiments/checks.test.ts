import { describe, expect, test } from 'vitest';

import { compileWorkload } from '../../analysis/workload-language/compile';
import type { RunResult } from '../../contract/run-result';
import { fil_mutex } from '../../contract/test-fixtures';
import { judgeChecks, type ChecksRun } from './checks-judgement';
import { planChecks } from './checks-plan';

const scenario = fil_mutex.manifest.id;
const run = { scenario, duration_s: 0.1 };
const compare = { ...run, with: 'fixed', from_s: 0 };
const tps = { at_least: 100 };

const planOf = (...checks: object[]) => planChecks({ version: 1, checks }, ['errors']);

function planned(...checks: object[]) {
  const plan = planOf(...checks);
  if (!plan.ok) throw new Error(JSON.stringify(plan.errors));
  return plan.value;
}

describe('the plan', () => {
  test('of a run has a run for each seed', () => {
    const [{ specs } = { specs: [] }] = planned({
      name: 'one',
      run: { ...run, seed: 7 },
      seeds: 3,
      expect: { tps },
    });
    expect(specs.map(({ seed }) => seed)).toEqual([7, 8, 9]);
  });

  test('of a comparison has pairs of runs with the same seed', () => {
    const [{ specs } = { specs: [] }] = planned({
      name: 'one',
      compare,
      seeds: 2,
      expect: { tps_ratio: tps },
    });
    expect(specs.map(({ seed }) => seed)).toEqual([1, 1, 2, 2]);
  });

  test('of a workload knows its own counters', () => {
    const { program } = compileWorkload(
      'workload "x"; counter hits; thread t[1] { transaction { work(1us); count(hits); } }',
    );
    const ofFile = { scenario: 'workload', workload: { program }, duration_s: 0.1 };
    const expectCounter = (name: string) => ({
      name: 'one',
      run: ofFile,
      expect: { counters: { [name]: tps } },
    });
    expect(planned(expectCounter('hits'))).toHaveLength(1);
    expect(planOf(expectCounter('misses'))).toMatchObject({ errors: [{ value: 'misses' }] });
    expect(planOf({ ...expectCounter('hits'), run })).toMatchObject({ errors: [{ value: 'hits' }] });
  });

  test.each([
    ['no run', { expect: { tps } }, 'checks[0].run', 'an object of fields of a run spec'],
    ['both', { run, compare, expect: { tps } }, 'checks[0].compare', 'one of name, seeds, confidence, run'],
    [
      'an unknown figure',
      { run, expect: { tpz: tps } },
      'checks[0].expect.tpz',
      'one of tps, transactions, ',
    ],
    [
      'no bound',
      { run, expect: { tps: {} } },
      'checks[0].expect.tps',
      'an object with at_least, at_most or both',
    ],
    ['no figure', { run, expect: {} }, 'checks[0].expect', 'at least one figure with a bound'],
    ['no counter', { run, expect: { counters: {} } }, 'checks[0].expect', 'at least one figure with a bound'],
    [
      'an unknown counter',
      { run, expect: { counters: { x: tps } } },
      'checks[0].expect.counters',
      'a counter of',
    ],
    ['no end', { run: { scenario }, expect: { tps } }, 'checks[0].run.duration_s', 'a number, because'],
    [
      'real threads',
      { run: { ...run, platform: 'threads' }, expect: { tps } },
      'checks[0].run.platform',
      'virtual',
    ],
    [
      'a wrong scenario',
      { run: { ...run, scenario: 'x' }, expect: { tps } },
      'checks[0].run.scenario',
      'one of',
    ],
    [
      'seeds of a digest',
      { run, seeds: 2, expect: { sha256: 'a'.repeat(64) } },
      'checks[0].seeds',
      '1, because',
    ],
    ['no digest', { run, expect: { sha256: 'abc' } }, 'checks[0].expect.sha256', '64 digits'],
    [
      'repeats',
      { compare: { ...compare, repeats: 3 }, expect: { tps_ratio: tps } },
      'checks[0].compare.repeats',
      'nothing:',
    ],
    [
      'equal designs',
      { compare: { ...compare, with: 'original' }, expect: { tps_ratio: tps } },
      'checks[0].compare.with',
      'a design that',
    ],
    [
      'a confidence of 1',
      { run, confidence: 1, expect: { tps } },
      'checks[0].confidence',
      'a number from 0.5 to 0.999',
    ],
  ])('is refused with %s', (_, check, field, allowed) => {
    const plan = planOf({ name: 'one', ...check });
    expect(plan).toMatchObject({ ok: false });
    if (!plan.ok)
      expect(plan.errors.map((error) => `${error.field}: ${error.allowed}`)).toContainEqual(
        expect.stringContaining(`${field}: ${allowed}`),
      );
  });

  test('lists the faults of all checks', () => {
    const plan = planOf({ name: 'a', run: { scenario }, expect: { tps } }, { name: 'b', run, expect: {} });
    expect(plan).toMatchObject({
      ok: false,
      errors: [{ field: 'checks[0].run.duration_s' }, { field: 'checks[1].expect' }],
    });
  });
});

const resultOf = (tps: number, part: Partial<RunResult> = {}): ChecksRun => ({
  result: {
    intervals: Array.from({ length: 60 }, (_, i) => ({
      t_s: (i + 1) / 600,
      tps,
      latency_ms: { p99: 1000 / tps },
    })),
    totals: { tps, transactions: 10, latency_ms: { mean: 1, p50: 1, p95: 2, p99: 3, max: 4 } },
    invariants: [],
    latches: [],
    counters: { errors: 2 },
    ...part,
  } as unknown as RunResult,
  sha256: 'a'.repeat(64),
});

function judged(check: object, runs: ChecksRun[]) {
  const report = judgeChecks(planned({ name: 'one', ...check }), [runs]);
  expect(report.holds).toBe(report.checks[0]!.holds);
  return report.checks[0]!;
}

describe('a run', () => {
  test.each([
    [{ at_least: 100 }, 'holds'],
    [{ at_least: 100.1 }, 'fails'],
    [{ at_most: 100 }, 'holds'],
    [{ at_most: 99.9 }, 'fails'],
    [{ at_least: 90, at_most: 99 }, 'fails'],
  ])('with one seed is compared as it is: %o', (bound, outcome) => {
    const { expectations } = judged({ run, expect: { tps: bound } }, [resultOf(100)]);
    expect(expectations).toMatchObject([{ figure: 'tps', outcome, value: 100, interval: null }]);
  });

  // Mean 100, standard error 5.77, 95 % interval 75.2 to 124.8 and 90 % interval 83.1 to 116.9.
  test.each([
    [{ at_least: 75 }, 0.95, 'holds'],
    [{ at_least: 76 }, 0.95, 'undecided'],
    [{ at_least: 80 }, 0.95, 'undecided'],
    [{ at_least: 80 }, 0.9, 'holds'],
    [{ at_least: 125 }, 0.95, 'fails'],
    [{ at_most: 125 }, 0.95, 'holds'],
    [{ at_most: 124 }, 0.95, 'undecided'],
    [{ at_most: 75 }, 0.95, 'fails'],
  ])('with three seeds is judged by its interval: %o, confidence %f', (bound, confidence, outcome) => {
    const runs = [90, 100, 110].map((one) => resultOf(one));
    const check = judged({ run, seeds: 3, confidence, expect: { tps: bound } }, runs);
    expect(check).toMatchObject({ holds: outcome === 'holds', expectations: [{ outcome, value: 100 }] });
  });

  test('has its latencies, counters and digest', () => {
    const expected = {
      latency_p95_ms: { at_most: 2 },
      counters: { errors: { at_most: 1 } },
      sha256: 'b'.repeat(64),
    };
    const { expectations } = judged({ run, expect: expected }, [resultOf(100)]);
    expect(expectations.map(({ figure, outcome }) => [figure, outcome])).toEqual([
      ['latency_p95_ms', 'holds'],
      ['counters.errors', 'fails'],
      ['sha256', 'fails'],
    ]);
  });

  test('does not count if an invariant is broken', () => {
    const broken = resultOf(100, { invariants: [{ name: 'no lost update', ok: false, detail: '' }] });
    const check = judged({ run, seeds: 2, expect: { tps } }, [resultOf(100), broken]);
    expect(check).toEqual({
      name: 'one',
      holds: false,
      expectations: [],
      fault: 'seed 2: invariant broken: no lost update',
    });
  });
});

describe('a comparison', () => {
  const withFactor = (factors: number[]) =>
    planned({ name: 'one', compare, seeds: factors.length, expect: { tps_ratio: tps } })[0]!.specs.map(
      ({ seed, design }) =>
        resultOf(design.tablespace_lookup === 'atomic_word' ? 100 * factors[seed - 1]! : 100),
    );

  test.each([
    [{ at_least: 1.9 }, 'holds'],
    [{ at_least: 2 }, 'undecided'],
    [{ at_least: 2.2 }, 'fails'],
  ])('is judged by the interval of the ratio: %o', (bound, outcome) => {
    const check = judged({ compare, seeds: 3, expect: { tps_ratio: bound } }, withFactor([1.98, 2, 2.02]));
    expect(check.expectations).toMatchObject([{ figure: 'tps_ratio', outcome }]);
    expect(check.expectations[0]!.value).toBeCloseTo(2, 3);
  });

  test('compares latencies, too', () => {
    const expected = { latency_p99_ratio: { at_most: 0.6 } };
    expect(judged({ compare, seeds: 3, expect: expected }, withFactor([1.98, 2, 2.02])).holds).toBe(true);
  });
});
