// Implements window.latchscope, through which Playwright tests and demos drive the page without
// waiting for time to pass.
import type { BranchReadings, Moment, SnapshotReadings, StateReadings } from '../contract/page-readings';
import type { Judgement, LabCheckResult, LabMeasurement, LabSettings } from '../contract/lab-results';
import type { Explanation } from '../contract/explanation';
import type { BranchDiff } from '../contract/going-back';
import type { Platform } from '../contract/platforms';
import { CommandRefused, refusedField } from '../engine-client/command-refused';
import type { LabCheckOptions } from '../contract/lab-exercise';
import type { Mark } from '../contract/telemetry-states';
import { reasonAgainst } from '../session/command-registry';
import type { Page } from './page';
import { parseExperimentInput } from '../features/experiments';
import type { ExperimentKind } from '../contract/experiment-plan';
import type { OutcomeOf } from '../contract/experiment-outcome';
import { parseStudyInput } from '../features/what-if';
import type { WhatIfReport } from '../contract/what-if-report';
import type { Scenario } from '../contract/manifest';
import type { RunResult } from '../contract/run-result';
import type { Session } from '../session/session';
import { isObject, printable } from '../contract/fault';
import { WORKLOAD } from '../contract/workload-manifest';

export interface Automation {
  /**
   * Settles when the engine is ready, and loads it if the view has not. Rejects with the reason on
   * a page that cannot run it.
   */
  readonly ready: Promise<void>;
  /**
   * Settles when the page shows the link that it was opened with, and the link's run has started.
   * Rejects with an Error whose `errors` name the invalid fields of the link.
   */
  readonly opened: Promise<void>;
  /**
   * Runs a run spec to its end. Rejects with an Error whose `errors` name field, value and allowed
   * range. Field `workload` may be the text of a workload file, here and in the plans below.
   */
  run: (spec: unknown) => Promise<RunResult>;
  /**
   * Runs two designs alternately. Takes a run spec with `with` (the second design), `repeats` and
   * `from_s`.
   */
  compare: (plan: unknown) => Promise<OutcomeOf['comparison']>;
  /**
   * Runs designs with several thread counts. Takes a run spec with `designs`, `counts`, `repeats`
   * and `from_s`.
   */
  sweep: (plan: unknown) => Promise<OutcomeOf['sweep']>;
  /**
   * Runs the causal profile of a bug, or a curve. Takes a run spec with `study` (its kind and
   * fields). Settles with the report.
   */
  whatIf: (plan: unknown) => Promise<WhatIfReport>;
  /**
   * Explains why a transaction of the shown run was slow (docs/guide/explain.md), and shows the
   * explanation. Default: the slowest one.
   */
  explain: (wanted?: unknown) => Promise<Explanation>;
  setKnob: (knob: string, variant: string) => Promise<void>;
  fire: (action: string) => Promise<void>;
  /**
   * Changes `costs` and `latches` of the run on the virtual server from now on, with the fields of
   * a run spec's what-if.
   */
  suppose: (whatIf: unknown) => Promise<void>;
  /**
   * Shows a run spec as the next run, after stopping the current run. Rejects like `run`.
   */
  openRun: (spec: unknown) => Promise<void>;
  /** Shows another scenario, after stopping the current run. */
  openScenario: (id: string) => Promise<void>;
  /** Shows the scenario on another platform, after stopping the current run. */
  openPlatform: (platform: Platform) => Promise<void>;
  /**
   * Shows a run result. Rejects with an Error whose `errors` name field, value and allowed values.
   */
  openResult: (text: string) => Promise<void>;
  pause: () => Promise<void>;
  resume: () => Promise<void>;
  stop: () => Promise<void>;
  /**
   * Moves a run on the virtual server to another of its moments. Settles when time has stopped
   * there and the page shows it.
   */
  goTo: (moment: Moment) => Promise<void>;
  /**
   * Sets the memory for checkpoints of the next run on the virtual server, in MiB; 0 disables them.
   */
  keepMoments: (budgetMib: number) => Promise<void>;
  /**
   * Returns the branches of the run on the virtual server; empty before it has left the first one.
   */
  courses: () => BranchReadings[];
  renameCourse: (id: number, name: string) => Promise<void>;
  /**
   * Returns where two branches diverge and what differs afterwards, for `seeds` seeds (default: 1).
   */
  compareCourses: (a: number, b: number, options?: { seeds?: number }) => Promise<BranchDiff>;
  /** Settles when no command is outstanding and the run state is not a transitional one. */
  idle: () => Promise<void>;
  /** Returns the shown scenario with its manifest. */
  scenario: () => Scenario;
  state: () => StateReadings;
  /**
   * Returns the text of the shown run result, byte for byte as the engine or the opened file has
   * it. null while there is none.
   */
  resultText: () => string | null;
  /** Returns the page's present figures; null while there are none. */
  snapshot: () => SnapshotReadings;
  /**
   * The latch lab; it also shows the results. `source` is a latch; the default is the lab's shown
   * latch.
   */
  readonly lab: {
    /**
     * Compiles a latch to the engine's program. Rejects with an Error whose `errors` name the
     * invalid lines.
     */
    compile: (source: string) => Promise<object>;
    /** Checks whether a latch is correct. Settles with the output of `lab check --json`. */
    check: (source?: string, options?: LabCheckOptions) => Promise<LabCheckResult>;
    /** Measures whether a latch scales, next to the chosen latches. */
    measure: (source?: string, settings?: Partial<LabSettings>) => Promise<LabMeasurement>;
    /**
     * Checks whether a latch solves an exercise of lab/exercises/. Settles with the checks of `lab
     * judge --json`.
     */
    judge: (exercise: string, source?: string) => Promise<Judgement>;
    /** Shows another step of the fault. */
    lookAt: (step: number) => Promise<void>;
  };
  /** Ids of all commands that buttons have. */
  readonly commands: string[];
  execute: (id: string) => Promise<void>;
  /**
   * Makes the engine fail, with a cause that latchscope.h names. Settles when it has been replaced.
   */
  failForTest: (cause?: string) => Promise<void>;
}

declare global {
  interface Window {
    latchscope: Automation;
  }
}

/** `linkOpened` settles when the first link is open. */
export function automationOf(page: Page, linkOpened: Promise<void> = Promise.resolve()): Automation {
  const { session } = page;
  const { history, lanes } = session;
  const store = session.store;
  return {
    get ready() {
      return session.engine().then(() => undefined);
    },
    get opened() {
      return linkOpened.then(() => {
        const { linkErrors } = store.getState();
        if (linkErrors.length > 0) throw new CommandRefused(linkErrors);
      });
    },
    run: async (spec) => whenCompiled(plainCopy('run spec', spec), (compiled) => session.run(compiled)),
    compare: async (plan) =>
      whenCompiled(plainCopy('comparison', plan), (compiled) => experiment(page, 'comparison', compiled)),
    sweep: async (plan) =>
      whenCompiled(plainCopy('sweep', plan), (compiled) => experiment(page, 'sweep', compiled)),
    whatIf: async (plan) => whenCompiled(plainCopy('what-if', plan), (compiled) => whatIf(page, compiled)),
    explain: async (wanted = {}) => explain(page, plainCopy('explain', wanted)),
    setKnob: (knob, variant) => session.setKnob(knob, variant),
    fire: (action) => session.fire(action),
    suppose: async (whatIf) => session.suppose(plainCopy('what_if', whatIf)),
    openRun: async (spec) =>
      whenCompiled(plainCopy('run spec', spec), (compiled) => session.openRun(compiled)),
    openScenario: (id) => session.openScenario(id),
    openPlatform: (platform) => session.openPlatform(platform),
    openResult: async (text: unknown) => {
      if (typeof text !== 'string') throw refusedField('file', text, 'the text of a run result');
      await session.files.openResult(text);
    },
    pause: () => session.pause(),
    resume: () => session.resume(),
    stop: () => session.stop(),
    goTo: async (moment) => session.goTo(parseMoment(plainCopy('moment', moment))),
    keepMoments: async (budgetMib: unknown) => {
      const isBudget = typeof budgetMib === 'number' && budgetMib >= 0 && budgetMib <= BUDGET_MAX_MIB;
      if (!isBudget) throw refusedField('budget_mib', budgetMib, `a number from 0 to ${BUDGET_MAX_MIB}`);
      await (await session.engine()).keepKeyframes(budgetMib * 2 ** 20);
    },
    courses: () => {
      const { branches, current } = page.forks.now();
      return branches.map(({ id, name, parent, atS, spec: { actions }, seen }) => ({
        ...{ id, name, parent, at_s: atS, actions },
        ...{ is_shown: id === current, is_carried_out: seen !== null },
      }));
    },
    renameCourse: async (id: unknown, name: unknown) => {
      if (typeof name !== 'string') throw refusedField('name', name, 'a text');
      await Promise.resolve();
      page.forks.rename(id as number, name);
    },
    compareCourses: async (a, b, options = {}) =>
      page.forks.compare(a, b, parseSeeds(plainCopy('options', options))),
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
    resultText: () => store.getState().resultJson,
    snapshot: () => {
      const { marks, live, model, intervals, server_log, sysbenchReport } = store.getState();
      const seen = { marks: marks.map(engineMark), live, model, intervals, server_log };
      return {
        ...seen,
        sysbench_report: sysbenchReport?.join('\n') ?? null,
        history_rows: history.length,
        lane_segments: lanes.length,
      };
    },
    lab: labOf(page),
    get commands() {
      return session.commands.all().map(({ id }) => id);
    },
    execute: (id) => execute(session, id),
    failForTest: async (cause: unknown = 'assertion') => {
      if (typeof cause !== 'string') throw refusedField('cause', cause, 'a cause from latchscope.h');
      await session.failForTest(cause);
    },
  };
}

/** Loads the lab when a script first uses it. */
function labOf({ lab }: Page): Automation['lab'] {
  const load = async () => (await import('../features/lab/lab-automation')).labAutomation(await lab.load());
  return {
    compile: async (source) => (await load()).compile(source),
    check: async (source, options = {}) => (await load()).check(source, plainCopy('options', options)),
    measure: async (source, settings = {}) => (await load()).measure(source, plainCopy('settings', settings)),
    judge: async (exercise, source) => (await load()).judge(exercise, source),
    lookAt: async (step) => {
      (await load()).lookAt(step);
    },
  };
}

/**
 * Copies a script's value, so that reading it later has no side effects, throws nothing and sees no
 * changes.
 */
function plainCopy(field: string, given: unknown): unknown {
  try {
    return structuredClone(given);
  } catch {
    throw refusedField(field, given, 'plain JSON data');
  }
}

/** Stays in the text of a file that Node.js reads. */
const BYTE_ORDER_MARK = /^\uFEFF/;

/**
 * Calls `use` with a run spec or a plan, in which a workload that is a text is compiled. The scenario
 * may be left out beside a workload. Throws a fault for each error of the text, with its line.
 */
function whenCompiled<Outcome>(
  spec: unknown,
  use: (compiled: unknown) => Promise<Outcome>,
): Promise<Outcome> {
  if (!isObject(spec) || spec.workload === undefined) return use(spec);
  const { scenario = WORKLOAD, workload, ...rest } = spec;
  if (typeof workload !== 'string') return use({ scenario, workload, ...rest });
  return compiledText(workload).then((compiled) => use({ scenario, workload: compiled, ...rest }));
}

async function compiledText(text: string) {
  const source = text.replace(BYTE_ORDER_MARK, '');
  const { compiledSources } = await import('../session/compiled-sources');
  const { compiled, errors } = await compiledSources({ workload: source });
  if (errors !== undefined) throw new CommandRefused(errors);
  return { source, program: compiled.workload };
}

/** Accepts one of the three ways to name a moment. */
function parseMoment(given: unknown): Moment {
  const [[field, value] = ['', null], ...more] = Object.entries(given ?? {});
  const isMoment = momentFields.some((known) => known === field) && more.length === 0;
  if (!isMoment) throw refusedField('moment', given, `one of ${momentFields.join(', ')} with a number`);
  if (typeof value !== 'number') throw refusedField(field, value, 'a number');
  return { [field]: value } as Moment;
}

/** Returns the number of seeds for a comparison of branches. */
function parseSeeds(given: unknown): number {
  const { seeds = 1, ...others } = (given ?? {}) as { seeds?: number };
  const [unknown] = Object.entries(others);
  if (unknown !== undefined) throw refusedField(`options.${unknown[0]}`, unknown[1], 'seeds');
  return seeds;
}

/** A limit that browsers can provide to a worker, in MiB. */
const BUDGET_MAX_MIB = 4096;

const momentFields = ['events', 'run_ns', 'events_back'] as const;

/**
 * Runs a command as its button does: a disabled button's command is refused for the same reason.
 */
async function execute(session: Session, id: unknown): Promise<void> {
  const state = session.store.getState();
  const command = session.commands.all().find((known) => known.id === id);
  if (command === undefined) throw refusedField('command', id, 'an id from window.latchscope.commands');
  const reason = reasonAgainst(command, state);
  if (reason !== null) {
    const error = { field: 'command', value: command.id, allowed: 'an enabled command' };
    throw new CommandRefused([error], `“${command.title}” is not available now: ${reason}`);
  }
  await command.execute();
}

/** Returns the engine's own values, without those looked up in the manifest. */
const engineMark = ({
  number,
  run_ns,
  kind,
  subject,
  value,
  stopped_us,
  step_ns,
  is_by_hand,
}: Mark): Mark => ({
  ...{ number, run_ns, kind, subject, value },
  ...{ stopped_us, step_ns, is_by_hand },
});

/** Accepts {transaction, blame}, both optional. */
async function explain({ explanations }: Page, wanted: unknown): Promise<Explanation> {
  if (typeof wanted !== 'object' || wanted === null)
    throw refusedField('explain', wanted, 'an object with transaction and blame');
  const unknownField = Object.keys(wanted).find((field) => !['transaction', 'blame'].includes(field));
  if (unknownField !== undefined) throw refusedField(unknownField, wanted, 'transaction or blame');
  const { transaction = 'slowest', blame = false } = wanted as Record<string, unknown>;
  if (typeof transaction !== 'string')
    throw refusedField('transaction', transaction, 'a text, such as slowest or nth:7');
  if (typeof blame !== 'boolean') throw refusedField('blame', blame, 'true or false');
  const title = `Transaction requested by a script: ${printable(transaction)}`;
  const { json } = await explanations.explain({ transaction, blame, title });
  return JSON.parse(json) as Explanation;
}

/** Shows the experiment in its view and runs it to its end. */
async function experiment<Kind extends ExperimentKind>(
  { session, experiments }: Page,
  kind: Kind,
  input: unknown,
): Promise<OutcomeOf[Kind]> {
  const { scenarios, machine } = session.store.getState();
  const target = parseExperimentInput(kind, input, scenarios, machine);
  if (!target.ok) throw new CommandRefused(target.errors);
  return experiments.startShown(kind, target.value);
}

/** Shows the study in its view and runs it to its end. */
async function whatIf({ session, studies }: Page, input: unknown): Promise<WhatIfReport> {
  const { scenarios, machine } = session.store.getState();
  const target = parseStudyInput(input, scenarios, machine);
  if (!target.ok) throw new CommandRefused(target.errors);
  const { report, failed } = await studies.startShown(target.value);
  if (report === null) throw new Error(`No valid run: ${failed[0]?.reason ?? 'cancelled'}`);
  return report;
}
