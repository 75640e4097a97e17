// Tests rewinding with the page's own engine: from any moment the run repeats byte for byte.
import { describe, expect, test } from 'vitest';

import { all_scenarios as scenarios } from '../contract/all-scenarios';
import { small_server } from '../contract/small-server-fixtures';
import { lastVariant, machine } from '../contract/test-fixtures';
import { defaultRunSpec, type RunSpec } from '../contract/run-spec';
import { Engine } from '../engine-client/engine';
import type { ModelControls } from '../engine-client/engine-host';
import { framesAsTasks } from '../engine-client/test-fixtures/frames-as-tasks';
import {
  loadVirtualEngineInNode,
  loadVirtualEngineOnSlowHost,
} from '../engine-client/test-fixtures/virtual-engine-in-node';
import { historyColumns } from '../recording/history';
import type { Session } from '../session/session';
import { sessionInNode } from '../session/test-fixtures/session-in-node';

const MOMENTS = process.env.LATCHSCOPE_LONG === '1' ? 100 : 3;
const BUDGET_BYTES = 512 * 2 ** 20;
/** wasm-engine/telemetry/latch_trace.h */
const LATCH_EVENTS_IN_RING = 2 ** 16;

framesAsTasks();

/** Yields pseudo-random numbers, the same each time. */
function* numbers(): Generator<number, never> {
  for (let number = 7; ;) {
    number = (number * 48_271) % 2_147_483_647;
    yield number / 2_147_483_647;
  }
}

/** Returns a short run with many events: a knob is turned during it. */
function shortSpec(scenario: (typeof scenarios)[number]): RunSpec {
  const { manifest } = scenario;
  const spec = defaultRunSpec(manifest, machine, 'virtual');
  const [knob] = manifest.knobs;
  const durationS = 0.02;
  return {
    ...spec,
    parameters: { ...spec.parameters, ...small_server[manifest.id] },
    threads: Math.min(16, manifest.threads.max),
    duration_s: durationS,
    interval_s: 0.005,
    actions: [{ at_s: durationS / 2, knob: knob!.id, variant: lastVariant(knob!).id }],
  };
}

async function engineKeepingMoments(): Promise<{ engine: Engine; model: ModelControls }> {
  const engine = await Engine.load(loadVirtualEngineInNode);
  await engine.keepKeyframes(BUDGET_BYTES);
  await engine.readEvery(250_000, () => undefined);
  return { engine, model: engine.model! };
}

async function run(engine: Engine, spec: RunSpec): Promise<string> {
  await engine.create(spec);
  await engine.start();
  await engine.finished();
  return engine.resultJson();
}

async function goOn(engine: Engine): Promise<string> {
  await engine.resume();
  await engine.finished();
  return engine.resultJson();
}

describe.each(scenarios.map((scenario) => [scenario.manifest.id, scenario] as const))(
  '%s',
  (_id, scenario) => {
    test('from any moment the run goes on as it did the first time', async () => {
      const { engine, model } = await engineKeepingMoments();
      const spec = shortSpec(scenario);
      const result = await run(engine, spec);
      const { furthest_events, keyframes } = model.readings().past!;
      expect(keyframes).toBeGreaterThan(0);
      const random = numbers();
      const first = await firstEvents(engine);
      for (let moment = 0; moment < MOMENTS; moment += 1) {
        const events = first + Math.floor(random.next().value * (furthest_events - first));
        await engine.rewind({ events });
        expect(engine.telemetry.header().runState).toBe('paused');
        expect(model.readings().events).toBe(events);
        expect(await goOn(engine)).toBe(result);
      }
      engine.dispose();
    });
  },
);

/** Returns the first moment that a rewind can reach. */
async function firstEvents(engine: Engine): Promise<number> {
  await engine.rewind({ run_ns: 0 });
  return engine.model!.readings().events;
}

describe('the page', () => {
  test('shows of a run that went on from an earlier moment what it showed the first time', async () => {
    const session = sessionInNode();
    const [scenario] = scenarios;
    await session.run(shortSpec(scenario!));
    const first = shownOf(session);
    await session.goTo({ run_ns: 5_000_000 });
    expect(session.store.getState()).toMatchObject({
      run_state: 'paused',
      runLock: 'going',
      marks: [],
      result: null,
    });
    expect(session.history.endS).toBe(0.005);
    await session.goTo({ events_back: 1 });
    await session.resume();
    await finished(session);
    expect(shownOf(session)).toEqual(first);
  });

  test('shows nothing of later where nothing was measured yet', async () => {
    const session = sessionInNode();
    await session.run(shortSpec(scenarios[0]!));
    expect(session.store.getState().live).not.toBeNull();
    expect(session.latchTrace.tracks).toHaveLength(4);
    await session.goTo({ run_ns: 0 });
    expect(session.store.getState().live).toBeNull();
    expect(session.latchTrace.tracks).toEqual([]);
    await session.resume();
    await finished(session);
    expect(session.latchTrace.tracks).toHaveLength(4);
  });

  // The trace of the second run is longer than the engine's ring.
  test.each([
    ['fil-mutex-69276', 'a short trace'],
    ['undo-read-117533', 'a long trace'],
  ])('shows the same latch events at a moment, on any way there and on a slow host: %s, %s', async (id) => {
    const scenario = scenarios.find(({ manifest }) => manifest.id === id)!;
    const spec = { ...shortSpec(scenario), interval_s: 0.02 };
    const momentsNs = [16_000_000, 200_000, 5_000_000, 750_000];
    const tracksAt = async (session: Session, runNs: number) => {
      await session.goTo({ run_ns: runNs });
      return session.latchTrace.tracks.map(({ latch, events }) => ({
        latch,
        events: events.length,
        last_event: events.at(-1),
        knows_before: events[0]!.at_ns < runNs,
      }));
    };
    const session = sessionInNode();
    await session.run(spec);
    const atMoments = new Map<number, Awaited<ReturnType<typeof tracksAt>>>();
    for (const runNs of momentsNs) atMoments.set(runNs, await tracksAt(session, runNs));
    for (const tracks of atMoments.values()) {
      expect(tracks).toContainEqual(expect.objectContaining({ knows_before: true }));
      // More events would be left over from the way there, which differs.
      expect(tracks.reduce((sum, { events }) => sum + events, 0)).toBeLessThanOrEqual(LATCH_EVENTS_IN_RING);
    }
    // The most expensive latches change during the run.
    expect(new Set([...atMoments.values()].map((tracks) => JSON.stringify(tracks))).size).toBeGreaterThan(1);
    const slowSession = sessionInNode({
      loaders: { threads: loadVirtualEngineOnSlowHost, virtual: loadVirtualEngineOnSlowHost },
    });
    await slowSession.run(spec);
    for (const runNs of momentsNs.toReversed())
      expect(await tracksAt(slowSession, runNs), String(runNs)).toEqual(atMoments.get(runNs));
  });

  test('takes another course from where a knob is turned, and cannot go on to what came after', async () => {
    const session = sessionInNode();
    const [scenario] = scenarios;
    const spec = { ...shortSpec(scenario!), actions: [] };
    await session.run(spec);
    const { totals } = session.store.getState().result!;
    await session.goTo({ run_ns: 10_000_000 });
    const knob = scenario!.manifest.knobs[0]!;
    await session.setKnob(knob.id, lastVariant(knob).id);
    await expect(session.goTo({ run_ns: 15_000_000 })).rejects.toMatchObject({
      errors: [{ field: 'run_ns' }],
    });
    await session.resume();
    await finished(session);
    const { result, previousRun } = session.store.getState();
    expect(previousRun).toMatchObject({ kind: 'other_course', history: { endS: 0.02 } });
    expect(result!.totals.transactions).not.toBe(totals.transactions);
    expect(result!.spec.actions).toHaveLength(1);
    // The spec of the result repeats the run from its beginning.
    expect((await sessionInNode().run(result!.spec)).totals).toEqual(result!.totals);
  });

  test('on the way to a later moment makes again what was done by hand, and goes on to the same end', async () => {
    const session = sessionInNode();
    const [scenario] = scenarios;
    await session.run({ ...shortSpec(scenario!), actions: [] });
    await session.goTo({ run_ns: 10_000_000 });
    const knob = scenario!.manifest.knobs[0]!;
    await session.setKnob(knob.id, lastVariant(knob).id);
    const toTheEnd = async () => {
      await session.resume();
      await finished(session);
      return session.store.getState().result;
    };
    const result = await toTheEnd();
    expect(result!.spec.actions).toHaveLength(1);
    // Only checkpoints up to the change remain.
    for (const runNs of [15_000_000, 5_000_000, 12_500_000, 10_000_000]) {
      await session.goTo({ run_ns: runNs });
      expect(session.store.getState().marks).toHaveLength(runNs > 10_000_000 ? 1 : 0);
    }
    expect(await toTheEnd()).toEqual(result);
    // Another change at the same moment replaces the first one.
    await session.goTo({ run_ns: 10_000_000 });
    await session.setKnob(knob.id, knob.variants[1]!.id);
    const { actions } = (await toTheEnd())!.spec;
    expect(actions).toEqual([expect.objectContaining({ variant: knob.variants[1]!.id })]);
  });

  test('refuses a moment beyond the end, before the beginning or of no number, and the run stays as it was', async () => {
    const session = sessionInNode();
    await session.run(shortSpec(scenarios[0]!));
    const before = shownOf(session);
    for (const [moment, error] of [
      [{ run_ns: 1e12 }, { field: 'run_ns', value: '1000000000000', allowed: 'from 0 to 20000000' }],
      [{ events_back: 1e12 }, { field: 'events_back' }],
      [{ events: Number.NaN }, { field: 'events', value: 'NaN' }],
    ] as const) {
      await expect(session.goTo(moment)).rejects.toMatchObject({ errors: [error] });
      expect(shownOf(session)).toEqual(before);
    }
  });
});

/** Returns all data of the run that the page draws. */
function shownOf({ store, history, phaseReadings }: Session) {
  const { marks, log, server_log, intervals, resultJson, latencies, live, run_state, runLock } =
    store.getState();
  const rows = historyColumns.map((name) => [name, [...history.column(name)]]);
  const phases = phaseReadings.all.map(({ begunAtNs, after }) => [
    begunAtNs,
    after.runNs,
    [...after.counters],
  ]);
  return {
    marks,
    log,
    server_log,
    intervals,
    resultJson,
    latencies,
    live,
    run_state,
    turn: runLock,
    rows,
    phases,
  };
}

const finished = ({ store }: Session) =>
  new Promise<void>((resolve) => {
    store.subscribe(({ run_state, runLock }) => {
      if (run_state === 'finished' && runLock === 'none') resolve();
    });
  });
