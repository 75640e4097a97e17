// Creates studies without an engine: each run has the throughput given for its what-if, and the
// report repeats its input.
import type { HotLatch, WhatIfOutcome, WhatIfReport, WhatIfStudy } from '../../contract/what-if-report';
import type { RunResult } from '../../contract/run-result';
import { defaultRunSpec, type RunSpec } from '../../contract/run-spec';
import { fil_mutex, machine, scenarios } from '../../contract/test-fixtures';
import { checkDraft, draftOf } from '../../session/draft';
import type { SeriesRunReport } from '../../session/run-series';
import { sessionForTest } from '../../session/test-fixtures/session-for-test';
import { whatIfFeature } from './index';
import { Studies } from './studies';
import { studyCommands } from './study-commands';

export const LATCH = 'fil_system->mutex';
const OTHER = 'buf_pool->mutex';

function outcomeOf({ what_if, seed }: RunSpec): WhatIfOutcome {
  const latch = what_if?.latches?.[0];
  const gain =
    latch === undefined
      ? 1
      : latch.hand_over === 'free'
        ? 2
        : 1 + (100 - (latch.section_percent ?? 100)) / 100;
  return {
    ...{ tps: 100 * seed * gain, p99_ms: 1 / gain, seconds: 1, cost_ns: { [LATCH]: 5, [OTHER]: 3 } },
    ...{ broken_invariants: [], stopped_early: '' },
  };
}

const reportOf = (spec: RunSpec): SeriesRunReport => ({
  result: { spec, invariants: [] } as unknown as RunResult,
  marks: spec.actions.length,
  wasHidden: false,
  outcome: outcomeOf(spec),
});

/**
 * Each figure is that of the first available run, because only the engine computes figures
 * (web/build/what-if-report.test.ts).
 */
export function drawnReport(study: WhatIfStudy): WhatIfReport {
  type Point = Extract<WhatIfStudy, { points: unknown }>['points'][number];
  const base = 'points' in study ? study.points[0]! : study.base;
  const pointOf = ({ name, what_if, runs }: Point) => {
    const place = runs.findIndex((run) => run !== null);
    const run = runs[place];
    const asItIs = base.runs[place];
    return {
      ...{ name, ...(what_if !== undefined && { what_if }) },
      tps: { mean: run?.tps ?? null },
      tps_ratio:
        run && asItIs
          ? {
              mean: run.tps / asItIs.tps,
              low: run.tps / asItIs.tps - 0.1,
              high: run.tps / asItIs.tps + 0.1,
            }
          : { mean: null },
      p99_ms: { mean: run?.p99_ms ?? null },
      runs: runs.map((one) => one && { tps: one.tps, p99_ms: one.p99_ms }),
    };
  };
  const { version, spec, seeds, from_s } = study;
  const head = { version, spec, seeds, from_s };
  if ('points' in study) return { ...head, points: study.points.map(pointOf) };
  return {
    ...{ ...head, section_percent: study.section_percent, base: pointOf(study.base) },
    latches: study.latches.map(({ latch, section, hand_over }) => ({
      ...{ latch, cost_share: 0.25, section: pointOf(section), hand_over: pointOf(hand_over) },
    })),
  };
}

export function studiesWith(
  onRun: (number: number, spec: RunSpec) => Promise<void> | void = () => undefined,
  hotLatches: readonly HotLatch[] = [
    { latch: LATCH, cost_share: 0.3 },
    { latch: OTHER, cost_share: 0.1 },
  ],
) {
  const spec = defaultRunSpec(fil_mutex.manifest, machine, 'virtual');
  const session = sessionForTest({ features: [whatIfFeature] });
  const store = session.store;
  store.setState({ scenario: fil_mutex, view: 'what_if', ...checkDraft(draftOf(spec), scenarios, machine) });
  let runs = 0;
  const studies = new Studies(
    {
      store,
      place: (target) => session.place(target),
      beginSeries: (name, cancel) => ({
        ...session.beginSeries(name, cancel),
        workers: [
          {
            run: async (run) => {
              runs += 1;
              await onRun(runs, run);
              return reportOf(run);
            },
          },
        ],
        stop: () => Promise.resolve(),
      }),
      engine: () =>
        Promise.resolve({
          whatIfReport: (study) => Promise.resolve(JSON.stringify(drawnReport(study))),
          hotLatches: () => Promise.resolve([...hotLatches]),
        }),
    },
    () => 1000 * runs,
  );
  const saved: { name: string; content: Blob }[] = [];
  session.commands.register(
    studyCommands(studies, session, (name, content) => saved.push({ name, content })),
  );
  return { session, studies, saved, store, state: () => store.getState(), runs: () => runs };
}
