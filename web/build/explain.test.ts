// Explains runs with the page's own engine, including runs with interactive changes.
import { describe, expect, test } from 'vitest';

import { chainPath } from '../analysis/chain-path';
import { chainWalk } from '../analysis/chain-walk';
import { all_scenarios as scenarios } from '../contract/all-scenarios';
import type { ExplainedPart, Explanation } from '../contract/explanation';
import { defaultRunSpec, type RunSpec } from '../contract/run-spec';
import { small_server } from '../contract/small-server-fixtures';
import { lastVariant, machine } from '../contract/test-fixtures';
import { framesAsTasks } from '../engine-client/test-fixtures/frames-as-tasks';
import { loadVirtualEngineInNode } from '../engine-client/test-fixtures/virtual-engine-in-node';
import { explainFeature } from '../features/explain';
import { Explanations } from '../features/explain/explanations';
import type { Wanted } from '../features/explain/which-transaction';
import { ExtraEngine } from '../session/extra-engine';
import type { Session } from '../session/session';
import { sessionInNode } from '../session/test-fixtures/session-in-node';

framesAsTasks();

/** Long enough for transactions to end, and short enough for many runs. */
const seconds: Record<string, number> = { 'xa-gtid-99638': 0.1, 'binlog-purge-104615': 0.05 };

function shortSpec({ manifest }: (typeof scenarios)[number]): RunSpec {
  const spec = defaultRunSpec(manifest, machine, 'virtual');
  const durationS = seconds[manifest.id] ?? 0.02;
  const parameters = { ...spec.parameters, ...small_server[manifest.id] };
  const threads = Math.min(16, manifest.threads.max);
  return { ...spec, parameters, threads, duration_s: durationS, interval_s: durationS / 2 };
}

const sumOf = (parts: readonly { ps: number }[]) => parts.reduce((sum, { ps }) => sum + ps, 0);

/** Checks that parts are contiguous and that each chain covers exactly the time of its part. */
function expectToCover(parts: readonly ExplainedPart[], fromPs: number, wholePs: number): void {
  let reachedPs = fromPs;
  for (const part of parts) {
    expect(part.from_ps).toBe(reachedPs);
    reachedPs += part.ps;
    if (part.chain !== undefined) expectToCover(part.chain, part.from_ps, part.ps);
  }
  expect(reachedPs - fromPs).toBe(wholePs);
}

describe.each(scenarios.map((scenario) => [scenario.manifest.id, scenario] as const))(
  '%s',
  (_id, scenario) => {
    test('parts and chains add up to the picosecond, in JSON, tables, blame and path', async () => {
      const engine = new ExtraEngine(loadVirtualEngineInNode);
      const partsDone: number[] = [];
      for (const transaction of ['slowest', 'p99', 'nth:5']) {
        const { json, text, tables } = await engine.explain(
          shortSpec(scenario),
          { transaction, blame: true },
          (partDone) => partsDone.push(partDone),
        );
        const { transaction: found, blame } = JSON.parse(json) as Explanation;
        expectToCover(found.parts, 0, found.latency_ps);
        expect(sumOf(blame!.by_state)).toBe(blame!.latency_ps);
        expect(sumOf(blame!.by_end)).toBe(blame!.latency_ps);
        const states = tables.find(({ id }) => id === 'states')!;
        expect(states.rows.reduce((sum, { ps = 0 }) => sum + ps, 0)).toBe(found.latency_ps);
        for (const { heading } of tables) expect(text).toContain(heading);
        const own = chainPath({ transaction: found }).segments.filter(({ depth }) => depth === 0);
        expect(own.at(-1)!.toNs - own[0]!.fromNs).toBeCloseTo(found.latency_ps / 1000, 3);
      }
      expect(partsDone.some((part) => part > 0 && part < 1)).toBe(true);
      engine.dispose();
    });
  },
);

describe('the page', () => {
  const slowest: Wanted = { transaction: 'slowest', blame: false, title: 'The slowest' };

  function pageOf() {
    const session = sessionInNode({ features: [explainFeature] });
    const explanations = new Explanations({
      session,
      showChain: () => undefined,
      locks: {
        moment: null,
        showPath: () => undefined,
        showPathPart: () => undefined,
        revealLanes: () => undefined,
      },
      copyText: () => Promise.resolve(''),
      files: { save: () => undefined },
    });
    const explain = async (transaction = 'slowest') => {
      const { json } = await explanations.explain({ ...slowest, transaction });
      return JSON.parse(json) as Explanation;
    };
    return { session, explanations, explain };
  }

  /** Moves to a moment and pauses there. */
  const standAt = async (session: Session, runNs: number) => {
    await session.goTo({ run_ns: runNs });
    expect(session.store.getState()).toMatchObject({ run_state: 'paused', result: null });
  };

  const transactionsShown = (session: Session) => session.history.column('transactions').at(-1);
  const spec = { ...shortSpec(scenarios[0]!), duration_s: 0.02 };

  test('explains the run that is over, and one that stands after it went back, took another course and was stopped', async () => {
    const { session, explain } = pageOf();
    const [knob] = scenarios[0]!.manifest.knobs;
    const turned = { knob: knob!.id, variant: lastVariant(knob!).id };
    await session.run(spec);
    const whole = await explain();
    const { totals } = session.store.getState().result!;
    expect(whole.transactions).toBe(totals.transactions);
    // The page only knows the histogram bucket of a latency.
    expect(whole.transaction.latency_ps / 1e9 / totals.latency_ms.max).toBeCloseTo(1, 2);

    const walk = chainWalk(whole);
    expect(walk.length).toBeLessThan(whole.transaction.parts.length);
    const endPs = walk.reduce((atPs, { fromPs, ps }) => (fromPs === atPs ? atPs + ps : Number.NaN), 0);
    expect(endPs).toBe(whole.transaction.latency_ps);

    await standAt(session, 5_000_000);
    const until5Ms = await explain();
    expect(until5Ms.spec.duration_s).toBe(0.005);
    expect(until5Ms.transactions).toBe(transactionsShown(session));
    const { transaction: underWay } = await explain('thread:0@0.005');
    expect(underWay.is_over).toBe(false);
    expect(underWay.began_run_ps + underWay.latency_ps).toBe(5e9);
    expectToCover(underWay.parts, 0, underWay.latency_ps);

    await session.setKnob(turned.knob, turned.variant);
    await session.resume();
    await finished(session);
    const other = await explain();
    expect(other.spec.actions).toMatchObject([turned]);
    expect(other.spec.actions).toEqual(session.store.getState().result!.spec.actions);
    expect(other.transactions).toBe(session.store.getState().result!.totals.transactions);
    expect(other.transactions).not.toBe(whole.transactions);

    await standAt(session, 10_000_000);
    expect((await explain()).transactions).toBe(transactionsShown(session));
    expect(session.store.getState()).toMatchObject({ run_state: 'paused', result: null });
    await session.resume();
    await finished(session);
  });

  test('an explanation that is cancelled halfway leaves the run as it was, and another one can follow', async () => {
    const { session, explanations, explain } = pageOf();
    await session.run(spec);
    const result = session.store.getState().resultJson;
    const cancelled = expect(explanations.explain(slowest)).rejects.toThrow('was cancelled');
    await isUnderWay(session);
    explanations.close();
    await cancelled;
    expect((await explain()).rank).toBe(1);
    expect(session.store.getState().resultJson).toBe(result);
  });
});

const finished = ({ store }: Session) =>
  new Promise<void>((resolve) => {
    store.subscribe(({ run_state, runLock }) => {
      if (run_state === 'finished' && runLock === 'none') resolve();
    });
  });

/** Resolves when the explanation has started but is not complete. */
const isUnderWay = ({ store }: Session) =>
  new Promise<void>((resolve) => {
    store.subscribe(({ explaining }) => {
      if (explaining.stage === 'under_way' && explaining.partDone > 0) resolve();
    });
  });
