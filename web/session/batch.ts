// Runs a plan of runs on all workers at once and stores the needed data of each. Does not depend on
// React or the page.
import type { BatchRun, FinishedRun, RunOutcome } from '../contract/experiment-outcome';
import { CommandRefused, EngineFailure } from '../engine-client/engine';
import type { RunSpec } from '../contract/run-spec';
import { NoExtraEngine } from './extra-engine';
import type { OutcomeFrom } from '../contract/what-if-report';
import type { SeriesWorker, SeriesRunReport } from './run-series';

export interface BatchPlan<Run extends BatchRun, Kept> {
  /** In execution order. */
  runs: readonly Run[];
  /** Rejects a run that deviated from the plan, because its numbers would mean something else. */
  judge: (run: Run, report: SeriesRunReport) => RunOutcome<Kept>;
  /** Runs of one kind take about equally long, apart from their thread counts. */
  kindOf: (run: Run) => unknown;
  /** What the workers store of each run for a what-if; nothing if omitted. */
  outcomeFrom?: OutcomeFrom;
}

/** What a batch needs from the page. */
export interface BatchPort {
  workers: readonly SeriesWorker[];
  /** Ends the runs in progress, including those that are starting. */
  stop: () => Promise<void>;
  nowMs: () => number;
}

export interface BatchProgress<Run extends BatchRun = BatchRun> {
  done: number;
  total: number;
  failed: number;
  /** Runs in progress, in plan order; empty at the end. */
  current: readonly Run[];
  /** Real seconds, estimated from the finished runs; null before the first one is over. */
  remainingS: number | null;
  isCancelling: boolean;
}

type Tried<Kept> = { outcome: RunOutcome<Kept>; isEngineLost: boolean } | 'not_begun';

/** How often a run is tried if a hidden page disturbs it. */
const TRIES = 3;

export class Batch<Run extends BatchRun, Kept> {
  readonly #plan: BatchPlan<Run, Kept>;
  readonly #port: BatchPort;
  readonly #onProgress: (progress: BatchProgress<Run>, finished: readonly FinishedRun<Run, Kept>[]) => void;
  /** Finished runs by place in the plan. */
  readonly #finished = new Map<number, FinishedRun<Run, Kept>>();
  readonly #current = new Map<number, Run>();
  /** Places in the plan of the remaining runs. */
  readonly #toCome: number[];
  #isCancelled = false;

  constructor(
    plan: BatchPlan<Run, Kept>,
    port: BatchPort,
    onProgress: (progress: BatchProgress<Run>, finished: readonly FinishedRun<Run, Kept>[]) => void,
  ) {
    this.#plan = plan;
    this.#toCome = [...plan.runs.keys()];
    this.#port = port;
    this.#onProgress = onProgress;
  }

  isCancelled(): boolean {
    return this.#isCancelled;
  }

  /** Settles with the finished runs when all are over or the batch was cancelled. Never rejects. */
  async run(): Promise<readonly FinishedRun<Run, Kept>[]> {
    await Promise.all(this.#port.workers.map((worker, place) => this.#workOn(worker, place === 0)));
    // Runs what a lost worker returned after the first worker had finished.
    await this.#workOn(this.#port.workers[0]!, true);
    this.#publish();
    return this.finished;
  }

  /** Finished runs in plan order. */
  get finished(): FinishedRun<Run, Kept>[] {
    return [...this.#finished].sort(([a], [b]) => a - b).map(([, run]) => run);
  }

  /**
   * Takes runs of the plan until none is left. The page's own worker outlives a failure; any other
   * is lost with its engine.
   */
  async #workOn(worker: SeriesWorker, lasts: boolean): Promise<void> {
    while (!this.isCancelled() && this.#toCome.length > 0) {
      const place = this.#toCome.shift()!;
      const planned = this.#plan.runs[place]!;
      this.#current.set(place, planned);
      this.#publish();
      const beganMs = this.#port.nowMs();
      const tried = await this.#outcomeOf(planned, worker);
      this.#current.delete(place);
      if (tried === 'not_begun') {
        this.#toCome.unshift(place);
        return;
      }
      const { outcome, isEngineLost } = tried;
      // A cancelled run is not a failure; leave it out.
      if (this.isCancelled() && !outcome.ok) return;
      const tookS = (this.#port.nowMs() - beganMs) / 1000;
      this.#finished.set(place, { ...planned, took_s: tookS, outcome });
      if (isEngineLost && !lasts) return;
    }
  }

  /** Ends the runs in progress; finished runs remain. */
  async cancel(): Promise<void> {
    if (this.#isCancelled) return;
    this.#isCancelled = true;
    this.#publish();
    await this.#port.stop().catch(() => undefined);
  }

  async #outcomeOf(planned: Run, worker: SeriesWorker): Promise<Tried<Kept>> {
    try {
      return { outcome: await this.#triedOften(planned, worker), isEngineLost: false };
    } catch (error) {
      if (error instanceof NoExtraEngine) return 'not_begun';
      const outcome = { ok: false as const, reason: reasonOf(error) };
      return { outcome, isEngineLost: error instanceof EngineFailure };
    }
  }

  async #triedOften(planned: Run, worker: SeriesWorker): Promise<RunOutcome<Kept>> {
    for (let tries = 1; ; tries += 1) {
      const report = await worker.run(planned.spec, this.#plan.outcomeFrom);
      if (report.wasHidden && planned.spec.platform === 'threads' && !this.#isCancelled) {
        if (tries < TRIES) continue;
        return {
          ok: false,
          reason: `the page was hidden in ${TRIES} attempts, which slows real threads; keep it visible`,
        };
      }
      return this.#plan.judge(planned, report);
    }
  }

  get progress(): BatchProgress<Run> {
    const { runs } = this.#plan;
    const { finished } = this;
    const notOver = runs.filter((_, place) => !this.#finished.has(place));
    const oneByOneS = remainingSeconds(notOver, finished, this.#plan.kindOf);
    return {
      done: finished.length,
      total: runs.length,
      failed: finished.filter(({ outcome }) => !outcome.ok).length,
      current: [...this.#current].sort(([a], [b]) => a - b).map(([, run]) => run),
      remainingS: oneByOneS && oneByOneS / Math.min(this.#port.workers.length, notOver.length),
      isCancelling: this.#isCancelled && this.#current.size > 0,
    };
  }

  #publish(): void {
    this.#onProgress(this.progress, this.finished);
  }
}

/**
 * Estimates the remaining seconds from finished runs of the same kind and thread count where
 * available, else from the most similar ones.
 */
export function remainingSeconds<Run extends BatchRun>(
  toCome: readonly Run[],
  finished: readonly (Run & Pick<FinishedRun<BatchRun, object>, 'took_s'>)[],
  kindOf: (run: Run) => unknown,
): number | null {
  if (finished.length === 0) return null;
  return toCome.reduce((sum, run) => sum + expectedSeconds(run, finished, kindOf), 0);
}

function expectedSeconds<Run extends BatchRun>(
  planned: Run,
  finished: readonly (Run & Pick<FinishedRun<BatchRun, object>, 'took_s'>)[],
  kindOf: (run: Run) => unknown,
): number {
  const { spec } = planned;
  const ofKind = finished.filter((run) => kindOf(run) === kindOf(planned));
  const known = ofKind.length > 0 ? ofKind : finished;
  const distance = (threads: number) => Math.abs(Math.log(threads / spec.threads));
  const nearest = Math.min(...known.map((run) => distance(run.spec.threads)));
  const alike = known.filter((run) => distance(run.spec.threads) === nearest);
  const meanS = alike.reduce((sum, { took_s }) => sum + took_s, 0) / alike.length;
  // A modeled server has more work with more clients. Real threads share one machine, and their
  // run time is fixed.
  const scale = spec.platform === 'virtual' ? Math.max(1, spec.threads / alike[0]!.spec.threads) : 1;
  return meanS * scale;
}

function reasonOf(error: unknown): string {
  if (error instanceof CommandRefused) return `refused: ${error.message}`;
  return error instanceof Error ? error.message : String(error);
}

/** Returns why a completed run does not count, whatever is stored of it; null if it counts. */
export function faultOfRun({ actions }: RunSpec, { result, marks }: SeriesRunReport): string | null {
  const broken = result.invariants.find(({ ok }) => !ok);
  if (broken !== undefined)
    return `invariant broken: ${broken.name}${broken.detail === '' ? '' : ` (${broken.detail})`}`;
  if (result.stopped_early !== undefined) return `ended early: ${result.stopped_early}`;
  if (marks !== actions.length) return 'a knob, an action or a pause changed the run';
  return null;
}
