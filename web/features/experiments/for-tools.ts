// Plans and evaluates comparisons, sweeps and checks for the npm package and the command line, which
// execute the runs themselves. All runs are on the virtual server.
import { fitUsl } from '../../analysis/statistics/usl-fit';
import { all_scenarios } from '../../contract/all-scenarios';
import type { ExperimentOutcome } from '../../contract/experiment-outcome';
import type { ExperimentKind, Plan } from '../../contract/experiment-plan';
import type { RunResult } from '../../contract/run-result';
import type { Parsed } from '../../contract/run-spec';
import { outcomeOfRun } from './batch';
import { anyMachine, parseExperiment } from './experiment-input';
import { comparisonOutcome, sweepOutcome } from './experiment-outcome';

export { judgeChecks } from './checks-judgement';
export { planChecks } from './checks-plan';

/** A run as a tool has executed it. */
export interface ExecutedRun {
  /** The run result as the engine wrote it. */
  text: string;
  /** Real time. */
  tookS: number;
}

/** Plans a comparison or a sweep as a script of the page gives it, or returns all faults. */
export function planExperiment(kind: ExperimentKind, input: unknown): Parsed<Plan> {
  const parsed = parseExperiment(kind, input, all_scenarios, anyMachine);
  return parsed.ok ? { ok: true, value: parsed.value.plan } : parsed;
}

/** Returns the outcome of a plan whose runs are over. `executed` has the order of the plan. */
export function evaluateExperiment(plan: Plan, executed: readonly ExecutedRun[]): ExperimentOutcome {
  const finished = plan.runs.map((run, place) => {
    const { text, tookS } = executed[place]!;
    const report = {
      result: JSON.parse(text) as RunResult,
      marks: run.spec.actions.length,
      wasHidden: false,
    };
    return { ...run, took_s: tookS, outcome: outcomeOfRun(plan, run, report) };
  });
  return plan.kind === 'comparison'
    ? comparisonOutcome(plan, finished)
    : sweepOutcome(plan, finished, fitUsl);
}
