// Runs a plan, on all workers at once, and keeps what is needed of each run. Knows neither React nor the page.
import { CommandRefused, EngineFailure } from '../../engine-client/engine';
import { LATE_SHARE, measuredPart, type MeasuredPart } from '../../analysis/statistics/measured-part';
import type { Plan, PlannedRun } from './experiment-plan';
import type { RunResult } from '../../contract/run-result';
import type { RunSpec } from '../../contract/run-spec';
import { NoEngineBeside } from '../../session/beside-engine';
import type { SeriesWorker, SeriesRunReport } from '../../session/session';

/** What a batch needs of the page. */
export interface BatchPort {
  workers: readonly SeriesWorker[];
  /** Ends the runs that go on, or are starting. */
  stop: () => Promise<void>;
  now_ms: () => number;
}

export interface RunPoint {
  t_s: number;
  tps: number;
  /** null without transactions. */
  p99_ms: number | null;
}

/** What the engine counted in a run, from its beginning to its end. */
interface CountedRun {
  acquisitions: Record<string, number>;
  counters: Record<string, number>;
}

/** A run of the plan that is over. */
export type FinishedRun = PlannedRun & {
  /** Real time, building the server included. */
  took_s: number;
  outcome:
    | { ok: true; measured: MeasuredPart; points: RunPoint[]; counted: CountedRun }
    | { ok: false; reason: string };
};

export interface BatchProgress {
  done: number;
  total: number;
  failed: number;
  /** The runs that go on, in their order; none at the end. */
  current: readonly PlannedRun[];
  /** Real seconds, from the runs so far; null before the first one is over. */
  remaining_s: number | null;
  is_cancelling: boolean;
}

type Tried = { outcome: FinishedRun['outcome']; is_engine_lost: boolean } | 'not_begun';

/** How often a run is tried again that a hidden page has disturbed. */
const TRIES = 3;

export class Batch {
  readonly #plan: Plan;
  readonly #port: BatchPort;
  readonly #onProgress: (progress: BatchProgress, finished: readonly FinishedRun[]) => void;
  /** By place in the plan. */
  readonly #finished = new Map<number, FinishedRun>();
  readonly #current = new Map<number, PlannedRun>();
  /** Places in the plan of those that are to come. */
  readonly #to_come: number[];
  #is_cancelled = false;

  constructor(
    plan: Plan,
    port: BatchPort,
    onProgress: (progress: BatchProgress, finished: readonly FinishedRun[]) => void,
  ) {
    this.#plan = plan;
    this.#to_come = [...plan.runs.keys()];
    this.#port = port;
    this.#onProgress = onProgress;
  }

  isCancelled(): boolean {
    return this.#is_cancelled;
  }

  /** Settles with the runs that are over when all are, or when it was cancelled. Never rejects. */
  async run(): Promise<readonly FinishedRun[]> {
    await Promise.all(this.#port.workers.map((worker, place) => this.#workOn(worker, place === 0)));
    // What a worker gave back when it was lost, after the first one had nothing more to do.
    await this.#workOn(this.#port.workers[0]!, true);
    this.#publish();
    return this.finished;
  }

  /** In the order of the plan, however they came to their ends. */
  get finished(): FinishedRun[] {
    return [...this.#finished].sort(([a], [b]) => a - b).map(([, run]) => run);
  }

  /** Takes the next run of the plan until none is left. The page's own worker lasts; any other is lost with its engine. */
  async #workOn(worker: SeriesWorker, lasts: boolean): Promise<void> {
    while (!this.isCancelled() && this.#to_come.length > 0) {
      const place = this.#to_come.shift()!;
      const planned = this.#plan.runs[place]!;
      this.#current.set(place, planned);
      this.#publish();
      const began_ms = this.#port.now_ms();
      const tried = await this.#outcomeOf(planned, worker);
      this.#current.delete(place);
      if (tried === 'not_begun') {
        this.#to_come.unshift(place);
        return;
      }
      const { outcome, is_engine_lost } = tried;
      // What was cancelled is no failure: it is not there.
      if (this.isCancelled() && !outcome.ok) return;
      const took_s = (this.#port.now_ms() - began_ms) / 1000;
      this.#finished.set(place, { ...planned, took_s, outcome });
      if (is_engine_lost && !lasts) return;
    }
  }

  /** Ends the runs that go on; those that are over are kept. */
  async cancel(): Promise<void> {
    if (this.#is_cancelled) return;
    this.#is_cancelled = true;
    this.#publish();
    await this.#port.stop().catch(() => undefined);
  }

  async #outcomeOf(planned: PlannedRun, worker: SeriesWorker): Promise<Tried> {
    try {
      return { outcome: await this.#triedOften(planned, worker), is_engine_lost: false };
    } catch (error) {
      if (error instanceof NoEngineBeside) return 'not_begun';
      const outcome = { ok: false as const, reason: reasonOf(error) };
      return { outcome, is_engine_lost: error instanceof EngineFailure };
    }
  }

  async #triedOften(planned: PlannedRun, worker: SeriesWorker): Promise<FinishedRun['outcome']> {
    for (let tries = 1; ; tries += 1) {
      const report = await worker.run(planned.spec);
      if (report.was_hidden && planned.spec.platform === 'threads' && !this.#is_cancelled) {
        if (tries < TRIES) continue;
        return { ok: false, reason: `the page was hidden during ${TRIES} tries, which slows real threads` };
      }
      return this.#judge(planned.spec, report);
    }
  }

  /** Numbers of a run that was not as planned would be those of something else. */
  #judge(spec: RunSpec, { result, marks }: SeriesRunReport): FinishedRun['outcome'] {
    const { from_s, duration_s, interval_s } = this.#plan;
    const broken = result.invariants.find(({ ok }) => !ok);
    if (broken !== undefined) return { ok: false, reason: `invariant broken: ${broken.name}` };
    if (result.stopped_early !== undefined)
      return { ok: false, reason: `it ended early: ${result.stopped_early}` };
    const ended_s = result.intervals.at(-1)?.t_s ?? 0;
    if (ended_s < duration_s - interval_s) {
      return { ok: false, reason: `it was stopped after ${round(ended_s)} s of ${duration_s} s` };
    }
    if (marks !== spec.actions.length) {
      return { ok: false, reason: 'a knob was turned, an action fired or the run paused by hand meanwhile' };
    }
    const measured = measuredPart(result.intervals, {
      from_s,
      earliest_s: Math.max(0, ...spec.actions.map(({ at_s }) => at_s)),
      to_s: duration_s,
      interval_s,
      clients: spec.threads,
    });
    if (measured.seconds === 0) return { ok: false, reason: 'no interval lies within the measured part' };
    const points = result.intervals
      .filter(({ t_s }) => t_s <= duration_s + interval_s * LATE_SHARE)
      .map(({ t_s, tps, latency_ms }) => ({ t_s, tps, p99_ms: tps > 0 ? latency_ms.p99 : null }));
    return { ok: true, measured, points, counted: countedOf(result) };
  }

  get progress(): BatchProgress {
    const { runs } = this.#plan;
    const { finished } = this;
    const not_over = runs.filter((_, place) => !this.#finished.has(place));
    const one_by_one_s = remainingSeconds(not_over, finished);
    return {
      done: finished.length,
      total: runs.length,
      failed: finished.filter(({ outcome }) => !outcome.ok).length,
      current: [...this.#current].sort(([a], [b]) => a - b).map(([, run]) => run),
      remaining_s: one_by_one_s && one_by_one_s / Math.min(this.#port.workers.length, not_over.length),
      is_cancelling: this.#is_cancelled && this.#current.size > 0,
    };
  }

  #publish(): void {
    this.#onProgress(this.progress, this.finished);
  }
}

function countedOf({ latches, counters }: RunResult): CountedRun {
  const acquisitions: Record<string, number> = {};
  for (const { latch, acquisitions: taken } of latches)
    acquisitions[latch] = (acquisitions[latch] ?? 0) + taken;
  return { acquisitions, counters };
}

/** Each run to come takes as long as the runs so far that are most like it: of its design and thread count, if there are any. */
export function remainingSeconds(
  to_come: readonly PlannedRun[],
  finished: readonly FinishedRun[],
): number | null {
  if (finished.length === 0) return null;
  return to_come.reduce((sum, run) => sum + expectedSeconds(run, finished), 0);
}

function expectedSeconds({ design, spec }: PlannedRun, finished: readonly FinishedRun[]): number {
  const of_design = finished.filter((run) => run.design === design);
  const known = of_design.length > 0 ? of_design : finished;
  const distance = (threads: number) => Math.abs(Math.log(threads / spec.threads));
  const nearest = Math.min(...known.map((run) => distance(run.spec.threads)));
  const alike = known.filter((run) => distance(run.spec.threads) === nearest);
  const mean_s = alike.reduce((sum, { took_s }) => sum + took_s, 0) / alike.length;
  // A modelled server has more to do with more clients; real threads share one machine, and time passes by itself.
  const scale = spec.platform === 'virtual' ? Math.max(1, spec.threads / alike[0]!.spec.threads) : 1;
  return mean_s * scale;
}

function reasonOf(error: unknown): string {
  if (error instanceof CommandRefused) return `refused: ${error.message}`;
  return error instanceof Error ? error.message : String(error);
}

const round = (value: number) => Number(value.toPrecision(3));
