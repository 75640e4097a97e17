// window.latchscope: how Playwright tests and demos drive the page, without waiting for time to pass.
import type { Platform } from '../engine-client/platforms';
import { CommandRefused } from '../engine-client/engine';
import { commandsOf, findCommand } from './commands';
import { parseExperimentInput } from './experiment-input';
import type { ExperimentKind } from './experiment-plan';
import type { OutcomeOf } from './experiment-outcome';
import type { Scenario } from './manifest';
import type { RunResult } from './run-result';
import type { Session } from './session';
import type { ExplorerState } from './store';

export interface Automation {
  /** Settles when the engine stands ready; rejects, with the reason, on a page that cannot run it. */
  ready: Promise<void>;
  /** Runs a run spec to its end. Rejects with an Error whose `errors` name field, value and allowed range. */
  run: (spec: unknown) => Promise<RunResult>;
  /** Runs two designs in turn: a run spec, with `with` (the second design), `repeats` and `from_s`. */
  compare: (plan: unknown) => Promise<OutcomeOf['comparison']>;
  /** Runs designs with several thread counts: a run spec, with `designs`, `counts`, `repeats` and `from_s`. */
  sweep: (plan: unknown) => Promise<OutcomeOf['sweep']>;
  setKnob: (knob: string, variant: string) => Promise<void>;
  fire: (action: string) => Promise<void>;
  /** Shows another scenario; a run that goes on is stopped first. */
  openScenario: (id: string) => Promise<void>;
  /** Shows the scenario on another platform; a run that goes on is stopped first. */
  openPlatform: (platform: Platform) => Promise<void>;
  /** Shows a run result. Rejects with an Error whose `errors` name field, value and what is allowed. */
  openResult: (text: string) => Promise<void>;
  pause: () => Promise<void>;
  resume: () => Promise<void>;
  stop: () => Promise<void>;
  /** Settles when no command is outstanding and the run stands in a state that lasts. */
  idle: () => Promise<void>;
  /** The one that is shown, with its manifest. */
  scenario: () => Scenario;
  state: () => Pick<
    ExplorerState,
    | 'run_state'
    | 'engine_status'
    | 'engine_version'
    | 'engine_failure'
    | 'draft'
    | 'spec'
    | 'result'
    | 'lesson'
    | 'presenter'
  >;
  /** What the page shows now; null before there is anything to show. */
  snapshot: () => Pick<
    ExplorerState,
    'marks' | 'live' | 'model' | 'intervals' | 'server_log' | 'sysbench_report'
  > & {
    history_rows: number;
    lane_segments: number;
  };
  /** Ids of everything that a button does. */
  readonly commands: string[];
  execute: (id: string) => Promise<void>;
  /** Makes the engine fail an assertion; settles when it has been replaced. */
  failForTest: () => Promise<void>;
}

declare global {
  interface Window {
    latchscope: Automation;
  }
}

export function automationOf(session: Session, ready: Promise<void>): Automation {
  const { store, history, lanes } = session;
  return {
    ready,
    run: (spec) => session.run(spec),
    compare: (plan) => experiment(session, 'comparison', plan),
    sweep: (plan) => experiment(session, 'sweep', plan),
    setKnob: (knob, variant) => session.setKnob(knob, variant),
    fire: (action) => session.fire(action),
    openScenario: (id) => session.openScenario(id),
    openPlatform: (platform) => session.openPlatform(platform),
    openResult: (text) => session.openResult(text),
    pause: () => session.pause(),
    resume: () => session.resume(),
    stop: () => session.stop(),
    idle: () => session.idle(),
    scenario: () => store.getState().scenario,
    state: () => {
      const {
        run_state,
        engine_status,
        engine_version,
        engine_failure,
        draft,
        spec,
        result,
        lesson,
        presenter,
      } = store.getState();
      const run = { run_state, engine_status, engine_version, engine_failure, draft, spec, result };
      return { ...run, lesson, presenter };
    },
    snapshot: () => {
      const { marks, live, model, intervals, server_log, sysbench_report } = store.getState();
      const seen = { marks, live, model, intervals, server_log, sysbench_report };
      return { ...seen, history_rows: history.length, lane_segments: lanes.length };
    },
    get commands() {
      return commandsOf(store.getState()).map(({ id }) => id);
    },
    execute: async (id) => {
      await findCommand(store.getState(), id).execute(session);
    },
    failForTest: () => session.failForTest(),
  };
}

/** Shows the experiment in its view, and runs it to its end. */
async function experiment<Kind extends ExperimentKind>(
  session: Session,
  kind: Kind,
  input: unknown,
): Promise<OutcomeOf[Kind]> {
  const { scenarios, machine } = session.store.getState();
  const target = parseExperimentInput(kind, input, scenarios, machine);
  if (!target.ok) throw new CommandRefused(target.errors);
  await session.openLink(target);
  return session.experiments.start(kind);
}
