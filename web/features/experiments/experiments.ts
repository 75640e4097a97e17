import type { ExperimentOutcome, FinishedRun, OutcomeOf } from '../../contract/experiment-outcome';
import type { ComparisonSettings, ExperimentKind, Plan, SweepSettings } from '../../contract/experiment-plan';
import { CommandRefused } from '../../engine-client/engine';
import { batchOf } from './batch';
import { default_settings, type ExperimentSettings } from './experiment-link';
import { planComparison, planSweep } from './experiment-plan';
import type { Parsed } from '../../contract/run-spec';
import type { StoreApi } from 'zustand/vanilla';

import type { LinkTarget } from '../../session/link';
import type { RunSeries } from '../../session/run-series';
import type { ExperimentState } from './experiment-state';

/** Loaded when the first run is over. */
const outcomeOf = async (plan: Plan, finished: readonly FinishedRun[]) =>
  (await import('./experiment-outcome')).outcomeOf(plan, finished);

/** What experiments need from the page. */
export interface ExperimentPort {
  store: StoreApi<ExperimentState>;
  /** Throws CommandRefused during a run. */
  beginSeries: (name: string, cancel: () => Promise<void>, runs: number) => RunSeries;
  place: (target: LinkTarget) => void;
  now_ms: () => number;
}

/** Runs comparisons and sweeps, one at a time. They continue behind any view of their scenario. */
export class Experiments {
  readonly #port: ExperimentPort;
  #batch: ReturnType<typeof batchOf> | null = null;
  #over: Promise<unknown> = Promise.resolve();

  constructor(port: ExperimentPort) {
    this.#port = port;
  }

  get #store(): StoreApi<ExperimentState> {
    return this.#port.store;
  }

  /** Returns the outcome of the last experiment of this kind, partial if it is in progress. */
  outcome(kind: ExperimentKind): ExperimentOutcome | null {
    return this.#store.getState()[kind];
  }

  editComparison(change: Partial<ComparisonSettings>): void {
    const { comparison_settings } = this.#store.getState();
    this.#store.setState({ comparison_settings: { ...comparison_settings, ...change } });
  }

  editSweep(change: Partial<SweepSettings>): void {
    const { sweep_settings } = this.#store.getState();
    this.#store.setState({ sweep_settings: { ...sweep_settings, ...change } });
  }

  turnThreadsAxis(): void {
    this.#store.setState(({ threads_axis }) => ({
      threads_axis: threads_axis === 'linear' ? 'logarithmic' : 'linear',
    }));
  }

  /**
   * Runs the experiment to its end or until it is cancelled. Rejects with a CommandRefused that
   * names every fault.
   */
  async start<Kind extends ExperimentKind>(kind: Kind): Promise<OutcomeOf[Kind]> {
    const plan = plannedExperiment(this.#store.getState(), kind);
    if (!plan.ok) throw new CommandRefused(plan.errors);
    const series = this.#port.beginSeries(kind, () => this.cancel(), plan.value.runs.length);
    const run = this.#run(plan.value, series);
    this.#over = run.catch(() => undefined);
    return (await run) as OutcomeOf[Kind];
  }

  /** Shows an experiment in its view and runs it to its end. */
  async startShown<Kind extends ExperimentKind>(kind: Kind, target: LinkTarget): Promise<OutcomeOf[Kind]> {
    this.#port.place(target);
    return this.start(kind);
  }

  /** Applies the experiment fields of a link. */
  openLink({ comparison_settings, sweep_settings }: Partial<ExperimentSettings>): void {
    if (comparison_settings !== undefined) this.#store.setState({ comparison_settings });
    if (sweep_settings !== undefined) this.#store.setState({ sweep_settings });
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
    const publishOutcome = async (finished: readonly FinishedRun[]) => {
      this.#store.setState({ [kind]: await outcomeOf(plan, finished) });
    };
    const batch = batchOf(plan, { ...series, nowMs: this.#port.now_ms }, (progress, finished) => {
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
  ExperimentState,
  'draftSpec' | 'draftErrors' | 'scenario' | 'machine' | 'comparison_settings' | 'sweep_settings'
>;

/** Returns the runs planned from the settings, or all faults, including those of the run spec. */
export function plannedExperiment(state: PlannedFrom, kind: ExperimentKind): Parsed<Plan> {
  const { draftSpec, draftErrors, scenario, machine, comparison_settings, sweep_settings } = state;
  if (draftSpec === null) return { ok: false, errors: draftErrors };
  const context = { manifest: scenario.manifest, machine };
  return kind === 'comparison'
    ? planComparison(draftSpec, comparison_settings, context)
    : planSweep(draftSpec, sweep_settings, context);
}

/**
 * Returns the settings for a link. Omits invalid settings, because a link with them could not be
 * opened.
 */
export function settingsShown(state: ExperimentState): ExperimentSettings {
  const { view, comparison_settings, sweep_settings } = state;
  const kind = view === 'sweep' ? 'sweep' : 'comparison';
  return plannedExperiment(state, kind).ok ? { comparison_settings, sweep_settings } : default_settings;
}

function announcementOf({ kind, runs, plan }: ExperimentOutcome, is_cancelled: boolean): string {
  const name = kind === 'comparison' ? 'Comparison' : 'Sweep';
  return is_cancelled ? `${name} cancelled after ${runs.length} of ${plan.runs.length} runs` : `${name} done`;
}
