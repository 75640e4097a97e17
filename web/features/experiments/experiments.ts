import type { ExperimentOutcome, ExperimentRun, OutcomeOf } from '../../contract/experiment-outcome';
import type { ComparisonSettings, ExperimentKind, Plan, SweepSettings } from '../../contract/experiment-plan';
import { CommandRefused } from '../../engine-client/engine';
import { batchOf } from './batch';
import { defaultSettings, type ExperimentSettings } from './experiment-link';
import { planComparison, planSweep } from './experiment-plan';
import type { Parsed } from '../../contract/run-spec';

import type { LinkTarget } from '../../session/link';
import type { Session } from '../../session/session';
import type { RunSeries } from '../../session/run-series';
import type { ExplorerState, ExplorerStore } from '../../session/store';

/** Loaded when the first run is over. */
const outcomeOf = async (plan: Plan, finished: readonly ExperimentRun[]) =>
  (await import('./experiment-outcome')).outcomeOf(plan, finished);

/** Runs comparisons and sweeps, one at a time. They continue behind any view of their scenario. */
export class Experiments {
  readonly #session: Pick<Session, 'store' | 'beginSeries' | 'place'>;
  readonly #nowMs: () => number;
  #batch: ReturnType<typeof batchOf> | null = null;
  #over: Promise<unknown> = Promise.resolve();

  constructor(session: Pick<Session, 'store' | 'beginSeries' | 'place'>, nowMs: () => number) {
    this.#session = session;
    this.#nowMs = nowMs;
  }

  get #store(): ExplorerStore {
    return this.#session.store;
  }

  /** Returns the outcome of the last experiment of this kind, partial if it is in progress. */
  outcome(kind: ExperimentKind): ExperimentOutcome | null {
    return this.#store.getState()[kind];
  }

  editComparison(change: Partial<ComparisonSettings>): void {
    const { comparisonSettings } = this.#store.getState();
    this.#store.setState({ comparisonSettings: { ...comparisonSettings, ...change } });
  }

  editSweep(change: Partial<SweepSettings>): void {
    const { sweepSettings } = this.#store.getState();
    this.#store.setState({ sweepSettings: { ...sweepSettings, ...change } });
  }

  turnThreadsAxis(): void {
    this.#store.setState(({ threadsAxis }) => ({
      threadsAxis: threadsAxis === 'linear' ? 'logarithmic' : 'linear',
    }));
  }

  /**
   * Runs the experiment to its end or until it is cancelled. Rejects with a CommandRefused that
   * names every fault.
   */
  async start<Kind extends ExperimentKind>(kind: Kind): Promise<OutcomeOf[Kind]> {
    const plan = plannedExperiment(this.#store.getState(), kind);
    if (!plan.ok) throw new CommandRefused(plan.errors);
    const series = this.#session.beginSeries(kind, () => this.cancel(), plan.value.runs.length);
    const run = this.#run(plan.value, series);
    this.#over = run.catch(() => undefined);
    return (await run) as OutcomeOf[Kind];
  }

  /** Shows an experiment in its view and runs it to its end. */
  async startShown<Kind extends ExperimentKind>(kind: Kind, target: LinkTarget): Promise<OutcomeOf[Kind]> {
    this.#session.place(target);
    return this.start(kind);
  }

  /** Applies the experiment fields of a link. */
  openLink({ comparisonSettings, sweepSettings }: Partial<ExperimentSettings>): void {
    if (comparisonSettings !== undefined) this.#store.setState({ comparisonSettings });
    if (sweepSettings !== undefined) this.#store.setState({ sweepSettings });
  }

  /** Cancels the batch; finished runs remain. Settles when the runs in progress have ended. */
  async cancel(): Promise<void> {
    await this.#batch?.cancel();
    await this.#over;
  }

  async #run(plan: Plan, series: RunSeries): Promise<ExperimentOutcome> {
    const { kind } = plan;
    let counted = 0;
    let published = Promise.resolve();
    const publishOutcome = async (finished: readonly ExperimentRun[]) => {
      this.#store.setState({ [kind]: await outcomeOf(plan, finished) });
    };
    const batch = batchOf(plan, { ...series, nowMs: this.#nowMs }, (progress, finished) => {
      this.#store.setState({ batch: { plan, ...progress } });
      if (finished.length === counted) return;
      counted = finished.length;
      published = published.then(() => publishOutcome(finished));
    });
    this.#batch = batch;
    this.#store.setState({ batch: { plan, ...batch.progress }, [kind]: null });
    try {
      const outcome = await outcomeOf(plan, await batch.run());
      await published;
      const announcement = announcementOf(outcome, batch.isCancelled());
      this.#store.setState({ [kind]: outcome, announcement });
      return outcome;
    } finally {
      this.#batch = null;
      this.#store.setState({ batch: null });
      series.end();
    }
  }
}

export type PlannedFrom = Pick<
  ExplorerState,
  'draftSpec' | 'draftErrors' | 'scenario' | 'machine' | 'comparisonSettings' | 'sweepSettings'
>;

/** Returns the runs planned from the settings, or all faults, including those of the run spec. */
export function plannedExperiment(state: PlannedFrom, kind: ExperimentKind): Parsed<Plan> {
  const { draftSpec, draftErrors, scenario, machine, comparisonSettings, sweepSettings } = state;
  if (draftSpec === null) return { ok: false, errors: draftErrors };
  const context = { manifest: scenario.manifest, machine };
  return kind === 'comparison'
    ? planComparison(draftSpec, comparisonSettings, context)
    : planSweep(draftSpec, sweepSettings, context);
}

/**
 * Returns the settings for a link. Omits invalid settings, because a link with them could not be
 * opened.
 */
export function settingsShown(state: ExplorerState): ExperimentSettings {
  const { view, comparisonSettings, sweepSettings } = state;
  const kind = view === 'sweep' ? 'sweep' : 'comparison';
  return plannedExperiment(state, kind).ok ? { comparisonSettings, sweepSettings } : defaultSettings;
}

function announcementOf({ kind, runs, plan }: ExperimentOutcome, isCancelled: boolean): string {
  const name = kind === 'comparison' ? 'Comparison' : 'Sweep';
  return isCancelled ? `${name} cancelled after ${runs.length} of ${plan.runs.length} runs` : `${name} done`;
}
