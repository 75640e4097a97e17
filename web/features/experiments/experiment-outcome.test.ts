import { expect, test } from 'vitest';

import type { Plan } from '../../contract/experiment-plan';
import { fitUsl } from '../../analysis/statistics/usl-fit';
import { uslThroughput } from '../../analysis/statistics/usl';
import type { ExperimentRun } from '../../contract/experiment-outcome';
import {
  comparisonOutcome,
  drawnSteps,
  outcomeAsCsv,
  outcomeAsJson,
  repeatsOf,
  sweepOutcome,
} from './experiment-outcome';
import { planComparison, planSweep } from './experiment-plan';
import { defaultRunSpec } from '../../contract/run-spec';
import { machine, undo_read } from '../../contract/test-fixtures';

const context = { manifest: undo_read.manifest, machine };
const spec = defaultRunSpec(undo_read.manifest, machine, 'virtual');

function valueOf(parsed: ReturnType<typeof planComparison>): Plan {
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
  return parsed.value;
}

const comparison = valueOf(planComparison(spec, { with: null, repeats: 3, from_s: null }, context));
const sweep = valueOf(
  planSweep(
    spec,
    { designs: ['original', 'fixed'], counts: '1,2,4,8,16', repeats: 2, from_s: null },
    context,
  ),
);

/** Finishes every run of the plan with the throughput of `tpsOf`. */
function finish(plan: Plan, tpsOf: (run: Plan['runs'][number]) => number): ExperimentRun[] {
  return plan.runs.map((run) => {
    const tps = tpsOf(run);
    const p99Ms = tps > 0 ? 1000 / tps : null;
    const measured = { from_s: 0, seconds: 1, transactions: tps, tps, p99_ms: p99Ms, is_steady: true };
    return {
      ...run,
      took_s: 1,
      outcome: { ok: true, measured, points: [], counted: { acquisitions: {}, counters: {} } },
    };
  });
}

const failed = (run: ExperimentRun): ExperimentRun => ({
  ...run,
  outcome: { ok: false, reason: 'pins > 0' },
});

test('a comparison is judged by the pairs of one seed', () => {
  const runs = finish(comparison, ({ design, spec: { seed } }) => seed * (design === 0 ? 100 : 250));
  const outcome = comparisonOutcome(comparison, runs);
  expect(outcome.throughput!.ratio).toBeCloseTo(2.5, 9);
  expect(outcome.p99!.ratio).toBeCloseTo(0.4, 9);
  expect(outcome.verdict).toBe('faster');
  expect(outcome.sentence).toMatch(
    /^A guard in 64 shards \(the fix\) is 2\.5 times as fast as MySQL 8\.0 to 9\.7 \(the bug\) .*3 seeds/,
  );
});

test('a seed with a failed run gives no pair', () => {
  const runs = finish(comparison, ({ design }) => (design === 0 ? 100 : 250));
  const outcome = comparisonOutcome(comparison, [failed(runs[0]!), ...runs.slice(1)]);
  expect([outcome.throughput!.pairs, outcome.verdict]).toEqual([2, 'cannot_tell']);
  const [first] = repeatsOf(comparison, outcome.runs);
  expect(first!.runs.map((run) => run?.outcome.ok)).toEqual([false, true]);
});

test('a comparison with a standstill has no ratio', () => {
  const outcome = comparisonOutcome(
    comparison,
    finish(comparison, ({ design }) => (design === 0 ? 0 : 100)),
  );
  expect([outcome.throughput, outcome.verdict]).toEqual([null, 'cannot_tell']);
});

test('a sweep has a curve for each design', () => {
  const laws = [
    [100, 0.1, 0.01],
    [100, 0.05, 0],
  ] as const;
  const runs = finish(
    sweep,
    ({ design, repeat, spec: { threads } }) =>
      uslThroughput(threads, laws[design as 0 | 1]) + (repeat === 0 ? -1 : 1),
  );
  const { curves } = sweepOutcome(sweep, runs, fitUsl);
  expect(curves[0]!.points.map(({ threads }) => threads)).toEqual([1, 2, 4, 8, 16]);
  expect(curves[0]!.points[0]).toMatchObject({ tps: [99, 101], mean_tps: 100 });
  const sigma = curves.map(({ usl }) => (usl.ok ? usl.fit.sigma.value : NaN));
  expect(sigma[0]).toBeCloseTo(0.1, 6);
  expect(sigma[1]).toBeCloseTo(0.05, 6);
});

test('a sweep cut short keeps its points and says why there is no curve', () => {
  const runs = finish(sweep, ({ spec: { threads } }) => 100 * threads).slice(0, 4);
  const { curves } = sweepOutcome(sweep, runs, fitUsl);
  expect(curves.map(({ points }) => points.length)).toEqual([2, 2]);
  expect(curves[0]!.usl).toEqual({ ok: false, reason: expect.stringMatching(/got 2$/) as string });
});

test('as CSV there is a row for each run', () => {
  const runs = finish(comparison, () => 100);
  const csv = outcomeAsCsv(comparisonOutcome(comparison, [failed(runs[0]!), runs[1]!]));
  expect(csv.split('\n')).toEqual([
    'scenario,platform,design,undo_page_size_lookup,purge_latch,threads,repeat,seed,measured_from_s,measured_s,is_steady,transactions,tps,p99_ms,failure',
    'undo-read-117533,virtual,MySQL 8.0 to 9.7 (the bug),shard_mutex,rw_lock,32,1,1,,,,,,,pins > 0',
    'undo-read-117533,virtual,A guard in 64 shards (the fix),cached,sharded_view_guard,32,1,1,0,1,true,100,100,10,',
    '',
  ]);
});

test('a cell of the CSV that holds a comma or a quotation mark is quoted', () => {
  const [run] = finish(comparison, () => 100);
  const outcome = { ok: false as const, reason: 'the engine stopped: "pins > 0", twice' };
  const csv = outcomeAsCsv(comparisonOutcome(comparison, [{ ...run!, outcome }]));
  expect(csv.split('\n')[1]).toMatch(/,1,1,,,,,,,"the engine stopped: ""pins > 0"", twice"$/);
});

test('the JSON has all data and the version of the format', () => {
  const outcome = comparisonOutcome(
    comparison,
    finish(comparison, () => 100),
  );
  expect(JSON.parse(outcomeAsJson(outcome))).toEqual(outcome);
  expect(outcome.version).toBe(1);
});

const points = [100, 300, 0, 0, 50].map((tps, i) => ({
  t_s: 0.1 * (i + 1),
  tps,
  p99_ms: tps > 0 ? tps / 10 : null,
}));

test('a step has the mean throughput of its intervals, and of their percentiles the mean by transactions', () => {
  const [first, second, ...others] = drawnSteps(points, 2);
  expect(first).toEqual({
    t_s: 0.2,
    tps: expect.closeTo(200, 6) as number,
    p99_ms: expect.closeTo(25, 6) as number,
  });
  expect(second).toMatchObject({ t_s: 0.4, tps: 0, p99_ms: null });
  expect(others).toEqual([points[4]]);
});

test('what is left at the end, and is less than half a step, belongs to the last one', () => {
  expect(drawnSteps(points, 4).map(({ t_s }) => t_s)).toEqual([0.5]);
  expect(drawnSteps(points, 3).map(({ t_s }) => t_s)).toEqual([points[2]!.t_s, 0.5]);
});

test('intervals that are long enough are drawn as they are', () => {
  expect(drawnSteps(points, 1)).toEqual(points);
  expect(drawnSteps([], 4)).toEqual([]);
});
