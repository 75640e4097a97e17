import { mean } from 'd3-array';

import type { StudyPoint as PointOfStudy, WhatIfOutcome, WhatIfStudy } from '../../contract/what-if-report';
import type { StudySettings } from '../../contract/draft';
import type { FinishedRun } from '../../contract/experiment-outcome';
import { CommandRefused, type Engine } from '../../engine-client/engine';
import { reportOfEngine } from '../../engine-client/engine-json';
import { Batch, faultOfRun, type BatchProgress } from '../../session/batch';
import type { LinkTarget } from '../../session/link';
import type { Session } from '../../session/session';
import type { RunSeries } from '../../session/run-series';
import type { Parsed } from '../../contract/run-spec';
import {
  BASELINE,
  planStudy,
  pointsOfLatch,
  runsMax,
  runsOf,
  type StudyPlan,
  type StudyPoint,
  type StudyRun,
} from './study-plan';
import type { StudyOutcome, StudySlice } from './study-state';
import type { ExplorerState } from '../../session/store';

/** What studies need from the session. */
interface StudySession extends Pick<Session, 'store' | 'beginSeries' | 'place'> {
  engine: () => Promise<Pick<Engine, 'whatIfReport' | 'hotLatches'>>;
}

type TimedSeries = RunSeries & { nowMs: () => number };

interface Kept {
  resultSpec: object;
  ofRun: WhatIfOutcome;
}
type Finished = FinishedRun<StudyRun, Kept>;
type StudyBatch = Batch<StudyRun, Kept>;

/**
 * Runs curves and causal profiles, one at a time. They continue behind any view of their scenario.
 */
export class Studies {
  readonly #session: StudySession;
  readonly #nowMs: () => number;
  #batch: StudyBatch | null = null;
  #isCancelled = false;
  #over: Promise<unknown> = Promise.resolve();

  constructor(session: StudySession, nowMs: () => number) {
    this.#session = session;
    this.#nowMs = nowMs;
  }

  edit(change: Partial<StudySettings>): void {
    const { studySettings } = this.#session.store.getState();
    this.#session.store.setState({ studySettings: { ...studySettings, ...change } });
  }

  /** Applies the study's fields of a link. */
  openLink({ studySettings }: Partial<StudySlice>): void {
    if (studySettings !== undefined) this.#session.store.setState({ studySettings });
  }

  /** Shows a study in its view and runs it to its end. */
  async startShown(target: LinkTarget): Promise<StudyOutcome> {
    this.#session.place(target);
    return this.start();
  }

  /**
   * Runs the study to its end or until it is cancelled. Rejects with a CommandRefused that names
   * every fault.
   */
  async start(): Promise<StudyOutcome> {
    const plan = plannedStudy(this.#session.store.getState());
    if (!plan.ok) throw new CommandRefused(plan.errors);
    const series = this.#session.beginSeries('what_if', () => this.cancel(), runsMax(plan.value));
    this.#isCancelled = false;
    const run = new StudyRunner(plan.value, { ...series, nowMs: this.#nowMs }, this.#session, (batch) => {
      this.#batch = batch;
      return this.#wasCancelled();
    }).run();
    const over = run.finally(() => {
      this.#batch = null;
      this.#session.store.setState({ studyProgress: null });
      series.end();
    });
    this.#over = over.catch(() => undefined);
    const outcome = await over;
    const announcement = this.#wasCancelled() ? 'What-if cancelled, results kept' : 'What-if done';
    this.#session.store.setState({ announcement });
    return outcome;
  }

  // A study may be cancelled while it is awaited.
  readonly #wasCancelled = () => this.#isCancelled;

  /** Cancels the study; finished runs remain. Settles when the runs in progress have ended. */
  async cancel(): Promise<void> {
    this.#isCancelled = true;
    await this.#batch?.cancel();
    await this.#over;
  }
}

/**
 * Runs one study: first the unchanged run, then each what-if. A profile uses the most expensive
 * latches of the unchanged run.
 */
class StudyRunner {
  readonly #plan: StudyPlan;
  readonly #series: TimedSeries;
  readonly #session: StudySession;
  /** Called with each batch; returns whether the study is cancelled. */
  readonly #onBatch: (batch: StudyBatch) => boolean;
  #finished: readonly Finished[] = [];
  #latches: string[] = [];
  #published = Promise.resolve();

  constructor(
    plan: StudyPlan,
    series: TimedSeries,
    session: StudySession,
    onBatch: (batch: StudyBatch) => boolean,
  ) {
    this.#plan = plan;
    this.#series = series;
    this.#session = session;
    this.#onBatch = onBatch;
  }

  async run(): Promise<StudyOutcome> {
    const plan = this.#plan;
    this.#session.store.setState({ study: { ...outcomeWithout(plan) } });
    const isCancelled = await this.#runAll(plan.points, runsMax(plan));
    if (plan.kind === 'profile' && !isCancelled) {
      this.#latches = await this.#hotLatches();
      const points = this.#latches.flatMap((latch) => pointsOfLatch(latch, plan));
      await this.#runAll(points, plan.seeds * (1 + points.length));
    }
    await this.#published;
    const outcome = await this.#outcome();
    this.#session.store.setState({ study: outcome });
    return outcome;
  }

  /**
   * `total` is the number of runs in the whole study. Settles with whether the study was cancelled.
   */
  async #runAll(points: readonly StudyPoint[], total: number): Promise<boolean> {
    const before = this.#finished;
    const { fromS } = this.#plan;
    let counted = 0;
    const batch: StudyBatch = new Batch<StudyRun, Kept>(
      {
        runs: runsOf(this.#plan, points),
        judge: ({ spec }, report) => {
          const fault = faultOfRun(spec, report);
          if (fault !== null) return { ok: false, reason: fault };
          return { ok: true, resultSpec: report.result.spec, ofRun: report.outcome! };
        },
        kindOf: () => null,
        outcomeFrom: fromS > 0 ? 'first_interval' : 'beginning',
      },
      this.#series,
      (progress, finished) => {
        this.#finished = [...before, ...finished];
        this.#session.store.setState({ studyProgress: this.#progressOf(progress, before.length, total) });
        if (finished.length === counted) return;
        counted = finished.length;
        this.#publish();
      },
    );
    if (this.#onBatch(batch)) return true;
    await batch.run();
    return batch.isCancelled();
  }

  #progressOf(progress: BatchProgress<StudyRun>, before: number, total: number): BatchProgress<StudyRun> {
    const done = before + progress.done;
    const tookS = this.#tookSeconds();
    const workers = Math.min(this.#series.workers.length, Math.max(1, total - done));
    return {
      ...progress,
      done,
      total,
      failed: this.#failed().length,
      remainingS: tookS && (tookS * (total - done)) / workers,
    };
  }

  #publish(): void {
    this.#published = this.#published.then(async () => {
      this.#session.store.setState({ study: await this.#outcome() });
    });
  }

  async #hotLatches(): Promise<string[]> {
    const study = this.#study();
    if (study === null) return [];
    const hot = await (await this.#session.engine()).hotLatches(study);
    return hot.slice(0, this.#plan.top).map(({ latch }) => latch);
  }

  async #outcome(): Promise<StudyOutcome> {
    const study = this.#study();
    const reportJson = study && (await (await this.#session.engine()).whatIfReport(study));
    return {
      plan: this.#plan,
      report: reportJson === null ? null : reportOfEngine(reportJson),
      reportJson,
      failed: this.#failed(),
      runTookS: this.#tookSeconds(),
    };
  }

  #tookSeconds = () => mean(this.#finished, ({ took_s }) => took_s) ?? null;

  #failed = () =>
    this.#finished.flatMap(({ point, spec, outcome }) =>
      outcome.ok ? [] : [{ point, seed: spec.seed, reason: outcome.reason }],
    );

  /** Returns null while no unchanged run has succeeded. */
  #study(): WhatIfStudy | null {
    const plan = this.#plan;
    const spec = this.#specOfEngine();
    if (spec === null) return null;
    const head = { version: 1 as const, spec, seeds: plan.seeds, from_s: plan.fromS };
    if (plan.kind === 'curve') return { ...head, points: plan.points.map((point) => this.#pointOf(point)) };
    return {
      ...head,
      section_percent: plan.percent,
      base: this.#pointOf(plan.points[0]!),
      latches: this.#latches.map((latch) => {
        const [section, handOver] = pointsOfLatch(latch, plan);
        return { latch, section: this.#pointOf(section), hand_over: this.#pointOf(handOver) };
      }),
    };
  }

  /** Uses the engine's own order of fields. */
  #specOfEngine(): object | null {
    const base = this.#finished.find(({ point, outcome }) => point === BASELINE && outcome.ok);
    if (base?.outcome.ok !== true) return null;
    return { ...base.outcome.resultSpec, seed: this.#plan.spec.seed };
  }

  #pointOf({ name, whatIf }: StudyPoint): PointOfStudy {
    const { spec, seeds } = this.#plan;
    const runs = Array.from({ length: seeds }, (_, place) => {
      const run = this.#finished.find((one) => one.point === name && one.spec.seed === spec.seed + place);
      return run?.outcome.ok === true ? run.outcome.ofRun : null;
    });
    return { name, ...(whatIf !== null && { what_if: whatIf }), runs };
  }
}

const outcomeWithout = (plan: StudyPlan): StudyOutcome => ({
  plan,
  report: null,
  reportJson: null,
  failed: [],
  runTookS: null,
});

export type PlannedFrom = Pick<
  ExplorerState,
  'draftSpec' | 'draftErrors' | 'scenario' | 'scenarios' | 'machine' | 'studySettings'
>;

/** Returns the runs planned from the settings, or all faults, including those of the run spec. */
export function plannedStudy(state: PlannedFrom): Parsed<StudyPlan> {
  const { draftSpec, draftErrors, studySettings } = state;
  if (draftSpec === null) return { ok: false, errors: draftErrors };
  return planStudy(draftSpec, studySettings, state);
}
