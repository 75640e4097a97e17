import { describe, expect, test } from 'vitest';

import type { ImportReport, ReportedLatch } from '../../contract/import-report';
import { undo_result } from '../../contract/run-result-fixtures';
import { fil_mutex, machine, scenarios, undo_read } from '../../contract/test-fixtures';
import type { SeriesRunReport } from '../../session/run-series';
import { modeledLatches, type ModeledLatch, type ModelRequest } from './modeled-latches';
import {
  modelOutcome,
  offeredFamilies,
  planModel,
  sharedLatches,
  type ModelKept,
  type ModelPlan,
  type ModelRun,
} from './model-runs';

const modeled: ModeledLatch = {
  scenario: fil_mutex.manifest.id,
  latch: 'fil_system->mutex',
  name: 'Fil_shard::m_mutex',
  role: 'cause',
};
const request: ModelRequest = {
  modeled,
  family: null,
  shape: { sockets: '2', cores_per_socket: '16', threads_per_core: '1' },
  clients: '40',
};
const planned = (change: Partial<ModelRequest> = {}) =>
  planModel({ ...request, ...change }, { scenarios, machine });

function planOf(change: Partial<ModelRequest> = {}): ModelPlan {
  const plan = planned(change);
  if (!plan.ok) throw new Error(JSON.stringify(plan.errors));
  return plan.value;
}

describe('the plan', () => {
  test('an unknown processor is each family once, with the reader’s shape and clients', () => {
    const { servers, batch } = planOf();
    expect(servers).toHaveLength(offeredFamilies.length);
    expect(batch.runs).toHaveLength(3 * servers.length);
    expect(batch.runs.length / 3).toBeLessThanOrEqual(8);
    for (const { spec } of batch.runs)
      expect(spec).toMatchObject({
        threads: 40,
        platform: 'virtual',
        server: { based_on: 'snb-ep-2013', cores_per_socket: 16 },
      });
    const transfers = batch.runs.map(({ spec }) => spec.server as Record<string, number>);
    expect(new Set(transfers.map((server) => server.cross_socket_transfer_ps)).size).toBe(servers.length);
  });

  test('a known processor is its costs at both ends of their ranges and in the middle', () => {
    const { servers } = planOf({ family: 'epyc-milan' });
    expect(servers.map(({ title, costs }) => [title, costs.pause_ps, costs.residency_ps])).toEqual([
      ['Lowest costs', 16_000, 10_000],
      ['Medium costs', 20_000, 20_000],
      ['Highest costs', 24_000, 30_000],
    ]);
  });

  test('one server runs as reported, with the latch free, and with the fixed design', () => {
    const [none, free, fixed] = planOf().batch.runs;
    expect(none!.spec.what_if).toBeUndefined();
    expect(none!.spec.design).toEqual(fil_mutex.manifest.designs.original);
    expect(free!.spec).toEqual({
      ...none!.spec,
      what_if: { latches: [{ latch: 'fil_system->mutex', section_percent: 0, hand_over: 'free' }] },
    });
    expect(fixed!.spec.design).toMatchObject(fil_mutex.manifest.designs.fixed!);
  });

  test('a run with an action counts after it', () => {
    const { batch } = planOf({ modeled: { ...modeled, scenario: undo_read.manifest.id } });
    expect(batch.outcomeFrom).toBe('first_interval');
    expect(batch.runs[0]!.spec.interval_s).toBe(0.151);
    expect(planOf().batch.outcomeFrom).toBe('beginning');
  });

  test('a field that is not possible is named', () => {
    const plan = planned({ shape: { ...request.shape, sockets: 'two' }, clients: '0' });
    expect(plan.ok ? [] : plan.errors.map(({ field }) => field)).toEqual(
      expect.arrayContaining(['threads', 'server.sockets']),
    );
  });
});

describe('what a run tells', () => {
  const cost = (ns: Record<string, number>): SeriesRunReport => ({
    result: {
      ...undo_result,
      latches: (['a', 'b', 'a'] as const).map((latch) => ({
        ...undo_result.latches[0]!,
        latch,
        queue_ns: 100,
      })),
    },
    marks: 0,
    wasHidden: false,
    outcome: {
      ...{ tps: 5, p99_ms: 1, seconds: 2, cost_ns: ns, broken_invariants: [], stopped_early: '' },
    },
  });
  const judged = (report: SeriesRunReport) => {
    const { runs, judge } = planOf().batch;
    const outcome = judge(runs[0]!, report);
    return outcome.ok ? outcome : null;
  };

  test('costs of latches are parts of the time of all clients', () => {
    const kept = judged(cost({ a: 4e9, b: 8e9 }))!;
    expect(kept.timeShares.get('a')).toBeCloseTo(0.05);
    expect(kept.timeShares.get('b')).toBeCloseTo(0.1);
    expect(kept.timeShares.get('the processors')).toBeCloseTo(0.4);
  });

  test('queues at one latch count together', () => {
    const { queueShares } = judged(cost({}))!;
    expect([...queueShares]).toEqual([
      ['a', expect.closeTo(2 / 3)],
      ['b', expect.closeTo(1 / 3)],
    ]);
  });

  test('a run that another change disturbed does not count', () => {
    expect(judged({ ...cost({}), marks: 1 })).toBeNull();
  });
});

const kept = (tps: number, limit = 'the processors', queueShares: [string, number][] = []): ModelKept => ({
  tps,
  timeShares: new Map([
    [limit, 0.6],
    ['other', 0.2],
  ]),
  queueShares: new Map(queueShares),
});

const finished = (run: ModelRun, ofRun: ModelKept | null) => ({
  ...run,
  took_s: 1,
  outcome:
    ofRun === null ? { ok: false as const, reason: 'refused: too small' } : { ok: true as const, ...ofRun },
});

test('the range is over the servers that have both runs; each tells its next limit', () => {
  const plan = planOf({ family: 'epyc-milan' });
  const [a0, a1, a2, b0, b1, , c0] = plan.batch.runs;
  const outcome = modelOutcome(plan, [
    finished(a0!, kept(100, 'x', [['m', 0.5]])),
    finished(a1!, kept(150, 'the processors')),
    finished(a2!, kept(300)),
    finished(b0!, kept(200, 'x', [['m', 0.7]])),
    finished(b1!, kept(500, 'LOCK_index')),
    finished(c0!, null),
  ]);
  expect(outcome.freeRatio).toEqual([1.5, 2.5]);
  expect(outcome.fixedRatio).toEqual([3, 3]);
  expect(outcome.next).toEqual([
    ['the processors', 1],
    ['LOCK_index', 1],
  ]);
  expect(outcome.servers.map(({ tps, failed }) => [tps, failed])).toEqual([
    [100, null],
    [200, null],
    [null, 'refused: too small'],
  ]);
  expect(outcome.queueShares).toEqual(new Map([['m', [0.5, 0.7]]]));
});

const bug = (role: 'cause' | 'part', latch = modeled.latch, scenario = modeled.scenario) => ({
  ...{ scenario, latch, role, report: 'https://example.org', broken: [], fixed: null },
});

function reported(name: string, share: number, bugs: ReturnType<typeof bug>[] | null): ReportedLatch {
  return {
    ...{ name, event: null, share, count: null, wait_s: null, mean_wait_us: null, per_statement: null },
    waiting_threads: null,
    matched:
      bugs === null
        ? null
        : { id: name, name, kind: 'mutex', guards: '', names: [], symptoms: [], sources: [], bugs },
  } as unknown as ReportedLatch;
}

const report = (...latches: ReportedLatch[]) => ({ latches }) as unknown as ImportReport;

test('latches that a bug models: causes first, each once, none without waiting', () => {
  const found = modeledLatches(
    report(
      reported('part', 0.5, [bug('part', 'p')]),
      reported('unknown', 0.3, null),
      reported('cause', 0.2, [bug('cause', 'c'), bug('part', 'c', undo_read.manifest.id)]),
      reported('elsewhere', 0.1, [bug('cause', 'e', 'another')]),
      reported('again', 0.1, [bug('cause', 'c')]),
      reported('idle', 0, [bug('cause', 'i')]),
    ),
    scenarios,
  );
  expect(found.map(({ latch, scenario, role }) => [latch, scenario, role])).toEqual([
    ['c', modeled.scenario, 'cause'],
    ['p', modeled.scenario, 'part'],
    ['c', undo_read.manifest.id, 'part'],
  ]);
});

test('shares stand beside those of the model for latches that both have', () => {
  const plan = planOf({ family: 'epyc-milan' });
  const outcome = modelOutcome(plan, [finished(plan.batch.runs[0]!, kept(1, 'x', [['m', 0.4]]))]);
  const { shared, ofReader } = sharedLatches(
    report(
      reported('mutex', 0.2, [bug('cause', 'm')]),
      reported('its condition', 0.3, [bug('cause', 'm')]),
      reported('elsewhere', 0.1, [bug('cause', 'm', 'another')]),
      reported('unknown', 0.4, null),
    ),
    outcome,
  );
  expect(shared).toEqual([expect.objectContaining({ latch: 'm', ofReader: 0.5, ofModel: [0.4, 0.4] })]);
  expect(ofReader).toBe(0.5);
});
