// window.latchscope: how Playwright tests and demos drive the page, without waiting for time to pass.
import type { CourseTold, SnapshotReadings, StateReadings } from '../contract/page-readings';
import type { Judgement } from '../contract/judgement';
import type { Explanation } from '../contract/explanation';
import type { CourseDiff } from '../contract/going-back';
import type { Platform } from '../contract/platforms';
import { CommandRefused } from '../engine-client/engine';
import type { LabCheckOptions } from '../contract/lab-exercise';
import type { LabCheckResult } from '../contract/lab-results';
import type { Moment } from '../contract/model-readings';
import type { Mark } from '../contract/mark';
import { reasonAgainst } from '../session/command-registry';
import { storeWithSlice } from '../session/feature';
import type { Page } from './page';
import type { PageState } from './page-state';
import { parseExperimentInput } from '../features/experiments/experiment-input';
import type { ExperimentKind } from '../contract/experiment-plan';
import type { OutcomeOf } from '../contract/experiment-outcome';
import type { LabMeasurement, LabSettings } from '../contract/lab-measurement';
import { parseStudyInput } from '../features/what-if/study-input';
import type { WhatIfReport } from '../contract/what-if-report';
import type { Scenario } from '../contract/manifest';
import type { RunResult } from '../contract/run-result';
import type { Session } from '../session/session';
import { printable } from '../contract/printable';
import { describeValue } from '../contract/versions';

export interface Automation {
  /**
   * Settles when the engine stands ready, and loads it where the view has not; rejects, with the reason, on a page that cannot
   * run it.
   */
  readonly ready: Promise<void>;
  /** Runs a run spec to its end. Rejects with an Error whose `errors` name field, value and allowed range. */
  run: (spec: unknown) => Promise<RunResult>;
  /** Runs two designs in turn: a run spec, with `with` (the second design), `repeats` and `from_s`. */
  compare: (plan: unknown) => Promise<OutcomeOf['comparison']>;
  /** Runs designs with several thread counts: a run spec, with `designs`, `counts`, `repeats` and `from_s`. */
  sweep: (plan: unknown) => Promise<OutcomeOf['sweep']>;
  /** Runs the causal profile of a bug, or a curve: a run spec, with `study` (its kind and fields). Settles with the report. */
  whatIf: (plan: unknown) => Promise<WhatIfReport>;
  /** Why a transaction of the run that is shown was slow (docs/guide/explain.md); shows it, too. The slowest one unless it says which. */
  explain: (wanted?: unknown) => Promise<Explanation>;
  setKnob: (knob: string, variant: string) => Promise<void>;
  fire: (action: string) => Promise<void>;
  /** From now on the run on the virtual server supposes this: `costs` and `latches`, as in a run spec. */
  suppose: (what_if: unknown) => Promise<void>;
  /** Shows another scenario; a run that goes on is stopped first. */
  openScenario: (id: string) => Promise<void>;
  /** Shows the scenario on another platform; a run that goes on is stopped first. */
  openPlatform: (platform: Platform) => Promise<void>;
  /** Shows a run result. Rejects with an Error whose `errors` name field, value and what is allowed. */
  openResult: (text: string) => Promise<void>;
  pause: () => Promise<void>;
  resume: () => Promise<void>;
  stop: () => Promise<void>;
  /** Takes a run on the virtual server to another of its moments; settles when time stands there and the page shows it. */
  goTo: (moment: Moment) => Promise<void>;
  /** From the next run on the virtual server on, its moments are kept within so much memory; 0: none. */
  keepMoments: (budget_mib: number) => Promise<void>;
  /** The courses that the run on the virtual server has taken; none before it has left the first one. */
  courses: () => CourseTold[];
  renameCourse: (id: number, name: string) => Promise<void>;
  /** Where two courses part, and what differs since, with so many seeds; 1 unless it is said. */
  compareCourses: (a: number, b: number, options?: { seeds?: number }) => Promise<CourseDiff>;
  /** Settles when no command is outstanding and the run stands in a state that lasts. */
  idle: () => Promise<void>;
  /** The one that is shown, with its manifest. */
  scenario: () => Scenario;
  state: () => StateReadings;
  /** What the page shows now; null before there is anything to show. */
  snapshot: () => SnapshotReadings;
  /** The latch lab: shows what it does, too. A latch is its source; without one, it is that which the lab shows. */
  readonly lab: {
    /** The program that the engine takes. Rejects with an Error whose `errors` name the lines that are wrong. */
    compile: (source: string) => Promise<object>;
    /** Whether a latch is right: what `lab check --json` writes. */
    check: (source?: string, options?: LabCheckOptions) => Promise<LabCheckResult>;
    /** Whether it scales, beside the latches that are chosen. */
    measure: (source?: string, settings?: Partial<LabSettings>) => Promise<LabMeasurement>;
    /** Whether a latch solves an exercise of lab/exercises/: what `lab judge --json` says of its checks. */
    judge: (exercise: string, source?: string) => Promise<Judgement>;
    /** Another step of the fault. */
    lookAt: (step: number) => Promise<void>;
  };
  /** Ids of everything that a button does. */
  readonly commands: string[];
  execute: (id: string) => Promise<void>;
  /** Makes the engine fail, by a cause that latchscope.h names; settles when it has been replaced. */
  failForTest: (cause?: string) => Promise<void>;
}

declare global {
  interface Window {
    latchscope: Automation;
  }
}

export function automationOf(page: Page): Automation {
  const { session } = page;
  const { history, lanes } = session;
  const store = storeWithSlice<PageState>(session.store);
  return {
    get ready() {
      return session.engine().then(() => undefined);
    },
    run: async (spec) => session.run(plainCopy('run spec', spec)),
    compare: async (plan) => experiment(page, 'comparison', plainCopy('comparison', plan)),
    sweep: async (plan) => experiment(page, 'sweep', plainCopy('sweep', plan)),
    whatIf: async (plan) => whatIf(page, plainCopy('what-if', plan)),
    explain: async (wanted = {}) => explain(page, plainCopy('explain', wanted)),
    setKnob: (knob, variant) => session.setKnob(knob, variant),
    fire: (action) => session.fire(action),
    suppose: async (what_if) => session.suppose(plainCopy('what_if', what_if)),
    openScenario: (id) => session.openScenario(id),
    openPlatform: (platform) => session.openPlatform(platform),
    openResult: async (text: unknown) => {
      if (typeof text !== 'string') throw refused('file', text, 'the text of a run result');
      await session.files.openResult(text);
    },
    pause: () => session.pause(),
    resume: () => session.resume(),
    stop: () => session.stop(),
    goTo: async (moment) => session.goTo(parseMoment(plainCopy('moment', moment))),
    keepMoments: async (budget_mib: unknown) => {
      const is_budget = typeof budget_mib === 'number' && budget_mib >= 0 && budget_mib <= BUDGET_MAX_MIB;
      if (!is_budget) throw refused('budget_mib', budget_mib, `a number from 0 to ${BUDGET_MAX_MIB}`);
      await session.keepMoments(budget_mib * 2 ** 20);
    },
    courses: () => {
      const { courses, current } = page.forks.now();
      return courses.map(({ id, name, parent, at_s, spec: { actions }, seen }) => ({
        ...{ id, name, parent, at_s, actions },
        ...{ is_shown: id === current, is_carried_out: seen !== null },
      }));
    },
    renameCourse: async (id: unknown, name: unknown) => {
      if (typeof name !== 'string') throw refused('name', name, 'a text');
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
    snapshot: () => {
      const { marks, live, model, intervals, server_log, sysbench_report } = store.getState();
      const seen = { marks: marks.map(engineMark), live, model, intervals, server_log };
      return {
        ...seen,
        sysbench_report: sysbench_report?.join('\n') ?? null,
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
      if (typeof cause !== 'string') throw refused('cause', cause, 'a cause from latchscope.h');
      await session.failForTest(cause);
    },
  };
}

/** Loaded when a script first asks for it. */
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

const refused = (field: string, value: unknown, allowed: string) =>
  new CommandRefused([{ field, value: describeValue(value), allowed }]);

/** What a script hands over, as it is now: nothing in it can change any more, throw or do anything else when it is read. */
function plainCopy(field: string, given: unknown): unknown {
  try {
    return structuredClone(given);
  } catch {
    throw refused(field, given, 'plain JSON data');
  }
}

/** One of the three ways to name a moment. */
function parseMoment(given: unknown): Moment {
  const [[field, value] = ['', null], ...more] = Object.entries(given ?? {});
  const is_moment = moment_fields.some((known) => known === field) && more.length === 0;
  if (!is_moment) throw refused('moment', given, `one of ${moment_fields.join(', ')} with a number`);
  if (typeof value !== 'number') throw refused(field, value, 'a number');
  return { [field]: value } as Moment;
}

/** How many seeds courses are compared with. */
function parseSeeds(given: unknown): number {
  const { seeds = 1, ...others } = (given ?? {}) as { seeds?: number };
  const [unknown] = Object.entries(others);
  if (unknown !== undefined) throw refused(`options.${unknown[0]}`, unknown[1], 'seeds');
  return seeds;
}

/** What a browser may give a worker. */
const BUDGET_MAX_MIB = 4096;

const moment_fields = ['events', 'run_ns', 'events_back'] as const;

/** As a button does it: while the button is disabled, the command is refused for the same reason. */
async function execute(session: Session, id: unknown): Promise<void> {
  const state = session.store.getState();
  const command = session.commands.all().find((known) => known.id === id);
  if (command === undefined) throw refused('command', id, 'an id from window.latchscope.commands');
  const reason = reasonAgainst(command, state);
  if (reason !== null) {
    const error = { field: 'command', value: command.id, allowed: 'an enabled command' };
    throw new CommandRefused([error], `“${command.title}” is not available now: ${reason}`);
  }
  await command.execute();
}

/** The engine's own words, without what the page has looked up in the manifest. */
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

/** {transaction, blame}; each may be left out. */
async function explain({ explanations }: Page, wanted: unknown): Promise<Explanation> {
  if (typeof wanted !== 'object' || wanted === null)
    throw refused('explain', wanted, 'an object with transaction and blame');
  const unknown_field = Object.keys(wanted).find((field) => !['transaction', 'blame'].includes(field));
  if (unknown_field !== undefined) throw refused(unknown_field, wanted, 'transaction or blame');
  const { transaction = 'slowest', blame = false } = wanted as Record<string, unknown>;
  if (typeof transaction !== 'string')
    throw refused('transaction', transaction, 'a text, such as slowest or nth:7');
  if (typeof blame !== 'boolean') throw refused('blame', blame, 'true or false');
  const title = `Transaction requested by a script: ${printable(transaction)}`;
  const { json } = await explanations.explain({ transaction, blame, title });
  return JSON.parse(json) as Explanation;
}

/** Shows the experiment in its view, and runs it to its end. */
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

/** Shows the study in its view, and runs it to its end. */
async function whatIf({ session, studies }: Page, input: unknown): Promise<WhatIfReport> {
  const { scenarios, machine } = session.store.getState();
  const target = parseStudyInput(input, scenarios, machine);
  if (!target.ok) throw new CommandRefused(target.errors);
  const { report, failed } = await studies.startShown(target.value);
  if (report === null) throw new Error(`No valid run: ${failed[0]?.reason ?? 'cancelled'}`);
  return report;
}
