import { describe, expect, test } from 'vitest';

import type { Plan } from '../../contract/experiment-plan';
import { CommandRefused, EngineFailure } from '../../engine-client/engine';
import { batchOf, designOf, type ExperimentProgress as BatchProgress } from './batch';
import { remainingSeconds, type BatchPort } from '../../session/batch';
import { NoExtraEngine } from '../../session/extra-engine';
import type { SeriesRunReport } from '../../session/run-series';
import { planComparison } from './experiment-plan';
import type { RunResult } from '../../contract/run-result';
import { defaultRunSpec, type RunSpec } from '../../contract/run-spec';
import { fil_mutex, machine } from '../../contract/test-fixtures';

const context = { manifest: fil_mutex.manifest, machine };

function planOf(platform: 'virtual' | 'threads' = 'virtual', repeats = 2): Plan {
  const spec = {
    ...defaultRunSpec(fil_mutex.manifest, machine, platform),
    duration_s: 0.2,
    actions: [{ at_s: 0.05, action: 'one_table' }],
  };
  const plan = planComparison(spec, { with: null, repeats, from_s: 0.1 }, context);
  if (!plan.ok) throw new Error(JSON.stringify(plan.errors));
  return plan.value;
}

/** Returns the result of a normal run, with a throughput of 100 TPS times its seed. */
function goodResult({ duration_s, interval_s, seed }: RunSpec): RunResult {
  const count = Math.round(duration_s! / interval_s!);
  const intervals = Array.from({ length: count }, (_, i) => ({
    t_s: (i + 1) * interval_s!,
    tps: 100 * seed,
    latency_ms: { p99: 5 },
  }));
  const site = { latch: 'fil_system->mutex', acquisitions: 30 };
  return {
    intervals,
    invariants: [{ name: 'rows', ok: true, detail: '' }],
    latches: [site, { ...site, acquisitions: 12 }],
    counters: { block_reads: 7 },
  } as unknown as RunResult;
}

type Answer = (spec: RunSpec, number: number) => Partial<SeriesRunReport> | Error;

/** Each run takes two seconds. */
class FakePort implements BatchPort {
  readonly workers = [{ run: (spec: RunSpec) => this.#run(spec) }];
  readonly specs: RunSpec[] = [];
  stops = 0;
  #nowMs = 0;
  readonly #answer: Answer;

  constructor(answer: Answer = () => ({})) {
    this.#answer = answer;
  }

  nowMs = () => this.#nowMs;

  #run(spec: RunSpec): Promise<SeriesRunReport> {
    this.specs.push(spec);
    this.#nowMs += 2000;
    const answer = this.#answer(spec, this.specs.length);
    if (answer instanceof Error) return Promise.reject(answer);
    return Promise.resolve({
      result: goodResult(spec),
      marks: spec.actions.length,
      wasHidden: false,
      ...answer,
    });
  }

  stop = (): Promise<void> => {
    this.stops += 1;
    return Promise.resolve();
  };
}

async function runAll(plan: Plan, port: FakePort) {
  const seen: BatchProgress[] = [];
  const batch = batchOf(plan, port, (progress) => {
    seen.push(progress);
  });
  return { finished: await batch.run(), seen };
}

const reasonsOf = (finished: Awaited<ReturnType<typeof runAll>>['finished']) =>
  finished.map(({ outcome }) => (outcome.ok ? 'ok' : outcome.reason));

test('runs alternate, and so does the design that goes first', async () => {
  const port = new FakePort();
  const plan = planOf();
  const { finished } = await runAll(plan, port);
  expect(finished.map(({ design, repeat }) => [design, repeat])).toEqual([
    [0, 0],
    [1, 0],
    [1, 1],
    [0, 1],
  ]);
  expect(port.specs.map(({ seed, design }) => [seed, design.tablespace_lookup])).toEqual([
    [1, 'global_mutex'],
    [1, 'atomic_word'],
    [2, 'atomic_word'],
    [2, 'global_mutex'],
  ]);
});

test('where no beginning is stated, nothing from before the last action is measured', async () => {
  const { finished } = await runAll({ ...planOf(), from_s: null }, new FakePort());
  for (const { outcome } of finished) {
    expect(outcome).toMatchObject({ ok: true });
    expect(outcome.ok ? outcome.measured.from_s : 0).toBeGreaterThan(0.049);
  }
});

test('each run keeps its measured part, a curve over time, and its counters', async () => {
  const { finished } = await runAll(planOf(), new FakePort());
  const [first] = finished;
  expect(first!.took_s).toBe(2);
  expect(first!.outcome).toMatchObject({
    ok: true,
    measured: {
      from_s: expect.closeTo(0.1, 6) as number,
      tps: expect.closeTo(100, 9) as number,
      p99_ms: expect.closeTo(5, 9) as number,
      transactions: 10,
    },
    counted: { acquisitions: { 'fil_system->mutex': 42 }, counters: { block_reads: 7 } },
  });
  const points = first!.outcome.ok ? first!.outcome.points : [];
  expect(points).toHaveLength(60);
  expect(points[0]).toEqual({ t_s: expect.closeTo(0.2 / 60, 6) as number, tps: 100, p99_ms: 5 });
});

test('progress is reported before each run and at the end, with the remaining time', async () => {
  const { seen } = await runAll(planOf(), new FakePort());
  expect(seen.map(({ done, remainingS }) => [done, remainingS])).toEqual([
    [0, null],
    [1, 6],
    [2, 4],
    [3, 2],
    [4, 0],
  ]);
  expect(seen[1]).toMatchObject({ total: 4, failed: 0, current: [{ design: 1 }], isCancelling: false });
  expect(seen.at(-1)!.current).toEqual([]);
});

describe('a run that cannot be counted is kept with the reason, and the batch goes on', () => {
  const stopped = (spec: RunSpec) => {
    const result = goodResult(spec);
    return { result: { ...result, intervals: result.intervals.slice(0, 15) } };
  };
  const broken = (spec: RunSpec) => ({
    result: { ...goodResult(spec), invariants: [{ name: 'no row lost', ok: false, detail: '' }] },
  });
  test.each<[string, (spec: RunSpec) => Partial<SeriesRunReport> | Error, RegExp]>([
    ['the engine stopped for good', () => new EngineFailure('pins > 0'), /^pins > 0$/],
    [
      'the engine refused it',
      () => new CommandRefused([{ field: 'threads', value: '9', allowed: 'up to 8' }]),
      /^refused: threads is 9/,
    ],
    ['it was stopped', stopped, /stopped after 0\.05 s of 0\.2 s/],
    ['somebody turned a knob', () => ({ marks: 2 }), /changed the run/],
    ['an invariant is broken', broken, /invariant broken: no row lost/],
    [
      'ended early',
      (spec) => ({ result: { ...goodResult(spec), stopped_early: 'events_max' } }),
      /ended early: events_max/,
    ],
  ])('%s', async (_, answer, reason) => {
    const port = new FakePort((spec, number) => (number === 2 ? answer(spec) : {}));
    const { finished, seen } = await runAll(planOf(), port);
    expect(reasonsOf(finished)).toEqual(['ok', expect.stringMatching(reason), 'ok', 'ok']);
    expect(seen.at(-1)!.failed).toBe(1);
  });
});

describe('a page that is hidden meanwhile', () => {
  const hiddenAt = (numbers: number[]) =>
    new FakePort((_, number) => ({ wasHidden: numbers.includes(number) }));

  test('makes a run on real threads be run again', async () => {
    const port = hiddenAt([1, 2]);
    const { finished } = await runAll(planOf('threads', 1), port);
    expect(reasonsOf(finished)).toEqual(['ok', 'ok']);
    expect(port.specs).toHaveLength(4);
  });

  test('again and again makes it fail', async () => {
    const { finished } = await runAll(planOf('threads', 1), hiddenAt([1, 2, 3]));
    expect(reasonsOf(finished)).toEqual([expect.stringMatching(/hidden in 3 attempts/), 'ok']);
  });

  test('does not matter to a modeled server', async () => {
    const port = hiddenAt([1, 2, 3, 4]);
    const { finished } = await runAll(planOf(), port);
    expect(reasonsOf(finished)).toEqual(['ok', 'ok', 'ok', 'ok']);
    expect(port.specs).toHaveLength(4);
  });
});

describe('a batch that is cancelled', () => {
  test('keeps finished runs, and drops the run that it stopped', async () => {
    const plan = planOf();
    const port: FakePort = new FakePort((spec, number) => {
      if (number !== 3) return {};
      void batch.cancel();
      const result = goodResult(spec);
      return { result: { ...result, intervals: result.intervals.slice(0, 5) } };
    });
    const seen: BatchProgress[] = [];
    const batch = batchOf(plan, port, (progress) => {
      seen.push(progress);
    });
    const finished = await batch.run();
    expect(reasonsOf(finished)).toEqual(['ok', 'ok']);
    expect([port.specs.length, port.stops]).toEqual([3, 1]);
    expect(seen.some(({ isCancelling }) => isCancelling)).toBe(true);
    expect(seen.at(-1)).toMatchObject({ done: 2, current: [], isCancelling: false });
  });
});

/** A worker whose runs end when the test requests it. */
function slowWorker() {
  const waiting: { spec: RunSpec; end: (outcome?: Error) => void }[] = [];
  const run = (spec: RunSpec) =>
    new Promise<SeriesRunReport>((resolve, reject) => {
      const report = { result: goodResult(spec), marks: spec.actions.length, wasHidden: false };
      waiting.push({
        spec,
        end: (error) => {
          if (error === undefined) resolve(report);
          else reject(error);
        },
      });
    });
  return { run, waiting };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('on several workers', () => {
  function batchOn(count: number, plan = planOf()) {
    const workers = Array.from({ length: count }, slowWorker);
    const seen: BatchProgress[] = [];
    const port = { workers, stop: () => Promise.resolve(), nowMs: () => 0 };
    const batch = batchOf(plan, port, (progress) => {
      seen.push(progress);
    });
    return { workers, seen, over: batch.run(), plan };
  }

  const endNext = async ({ waiting }: ReturnType<typeof slowWorker>, error?: Error) => {
    waiting.shift()!.end(error);
    await settled();
  };

  test('what comes out is that of one worker, in the order of the plan, whichever run ends first', async () => {
    const { finished: oneByOne } = await runAll(planOf(), new FakePort());
    const { workers, seen, over } = batchOn(3);
    expect(seen.at(-1)!.current).toHaveLength(3);
    await endNext(workers[2]!);
    await endNext(workers[2]!);
    await endNext(workers[1]!);
    await endNext(workers[0]!);
    const finished = await over;
    const withoutTime = (runs: typeof finished) => runs.map((run) => ({ ...run, took_s: 0 }));
    expect(withoutTime(finished)).toEqual(withoutTime(oneByOne));
  });

  test('a worker that dies costs its run alone, which says why, and no other is given to it', async () => {
    const { workers, over } = batchOn(2);
    await endNext(workers[1]!, new EngineFailure('The virtual server worker failed: out of memory'));
    for (let run = 0; run < 3; run += 1) await endNext(workers[0]!);
    expect(reasonsOf(await over)).toEqual([
      'ok',
      'The virtual server worker failed: out of memory',
      'ok',
      'ok',
    ]);
    expect(workers[1]!.waiting).toEqual([]);
  });

  test('a worker that cannot be had costs no run', async () => {
    const { workers, over, plan } = batchOn(2, planOf('virtual', 1));
    await endNext(workers[0]!);
    await endNext(workers[1]!, new NoExtraEngine('no memory'));
    await endNext(workers[0]!);
    const finished = await over;
    expect(reasonsOf(finished)).toEqual(['ok', 'ok']);
    expect(finished.map(({ spec }) => spec)).toEqual(plan.runs.map(({ spec }) => spec));
  });
});

test('a modeled run with twice the clients is expected to take twice as long, one on real threads the same', () => {
  for (const [platform, expectedS] of [
    ['virtual', 12],
    ['threads', 6],
  ] as const) {
    const [first] = planOf(platform, 1).runs;
    const spec = { ...first!.spec, threads: 8 };
    const finished = [{ ...first!, spec, took_s: 6, outcome: { ok: false as const, reason: '' } }];
    const toCome = [{ ...first!, spec: { ...spec, threads: 16 } }];
    expect(remainingSeconds(toCome, finished, designOf)).toBe(expectedS);
  }
});
