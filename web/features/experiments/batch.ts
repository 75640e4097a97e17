// Runs a plan, one run after the other, and keeps what is needed of each. Knows neither React nor the page.
import { CommandRefused } from '../../engine-client/engine';
import { LATE_SHARE, measuredPart, type MeasuredPart } from '../../analysis/statistics/measured-part';
import type { Plan, PlannedRun } from './experiment-plan';
import type { RunResult } from '../../contract/run-result';
import type { RunSpec } from '../../contract/run-spec';
import type { SeriesRunReport } from '../../session/session';

/** What a batch needs of the page. */
export interface BatchPort {
  /** Runs a spec to its end. */
  run: (spec: RunSpec) => Promise<SeriesRunReport>;
  /** Ends the run that goes on, or is starting. */
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
  /** The run that goes on; null at the end. */
  current: PlannedRun | null;
  /** Real seconds, from the runs so far; null before the first one is over. */
  remaining_s: number | null;
  is_cancelling: boolean;
}

/** How often a run is tried again that a hidden page has disturbed. */
const TRIES = 3;

export class Batch {
  readonly #plan: Plan;
  readonly #port: BatchPort;
  readonly #onProgress: (progress: BatchProgress, finished: readonly FinishedRun[]) => void;
  readonly #finished: FinishedRun[] = [];
  #current: PlannedRun | null = null;
  #is_cancelled = false;

  constructor(
    plan: Plan,
    port: BatchPort,
    onProgress: (progress: BatchProgress, finished: readonly FinishedRun[]) => void,
  ) {
    this.#plan = plan;
    this.#port = port;
    this.#onProgress = onProgress;
  }

  isCancelled(): boolean {
    return this.#is_cancelled;
  }

  /** Settles with the runs that are over when all are, or when it was cancelled. Never rejects. */
  async run(): Promise<readonly FinishedRun[]> {
    for (const planned of this.#plan.runs) {
      if (this.isCancelled()) break;
      this.#current = planned;
      this.#publish();
      const began_ms = this.#port.now_ms();
      const outcome = await this.#outcomeOf(planned);
      // What was cancelled is no failure: it is not there.
      if (this.isCancelled() && !outcome.ok) break;
      const took_s = (this.#port.now_ms() - began_ms) / 1000;
      this.#finished.push({ ...planned, took_s, outcome });
    }
    this.#current = null;
    this.#publish();
    return this.#finished;
  }

  /** Ends the run that goes on; those that are over are kept. */
  async cancel(): Promise<void> {
    if (this.#is_cancelled) return;
    this.#is_cancelled = true;
    this.#publish();
    await this.#port.stop().catch(() => undefined);
  }

  async #outcomeOf(planned: PlannedRun): Promise<FinishedRun['outcome']> {
    try {
      for (let tries = 1; ; tries += 1) {
        const report = await this.#port.run(planned.spec);
        if (report.was_hidden && planned.spec.platform === 'threads' && !this.#is_cancelled) {
          if (tries < TRIES) continue;
          return { ok: false, reason: `the page was hidden during ${TRIES} tries, which slows real threads` };
        }
        return this.#judge(planned.spec, report);
      }
    } catch (error) {
      return { ok: false, reason: reasonOf(error) };
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
    const measured = measuredPart(result.intervals, { from_s, to_s: duration_s, interval_s });
    if (measured.seconds === 0) return { ok: false, reason: 'no interval lies within the measured part' };
    const points = result.intervals
      .filter(({ t_s }) => t_s <= duration_s + interval_s * LATE_SHARE)
      .map(({ t_s, tps, latency_ms }) => ({ t_s, tps, p99_ms: tps > 0 ? latency_ms.p99 : null }));
    return { ok: true, measured, points, counted: countedOf(result) };
  }

  get progress(): BatchProgress {
    const { runs } = this.#plan;
    return {
      done: this.#finished.length,
      total: runs.length,
      failed: this.#finished.filter(({ outcome }) => !outcome.ok).length,
      current: this.#current,
      remaining_s: remainingSeconds(runs.slice(this.#finished.length), this.#finished),
      is_cancelling: this.#is_cancelled && this.#current !== null,
    };
  }

  #publish(): void {
    this.#onProgress(this.progress, [...this.#finished]);
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
