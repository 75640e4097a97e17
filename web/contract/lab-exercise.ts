// Defines a latch-lab exercise, a folder of lab/exercises (docs/guide/writing-exercises.md): its
// exercise.json, and all of it as web/build/lab-modules.ts reads it.
import * as z from 'zod/mini';

import { lab_faults, lab_functions, lab_operations } from './lab-program.ts';
import { clients, seed } from './run-spec-fields.ts';
import {
  anInteger,
  choice,
  documentOf,
  exactly,
  hyphenated,
  identifier,
  integerFrom,
  listOf,
  numberAbove,
  numberFrom,
  recordOf,
  strictObject,
  text,
  textLike,
  truth,
} from './schema-parts.ts';

export type LabFaultKind = (typeof lab_faults)[number];

/** The measures of a contest, and their units. */
export const contest_measures = {
  acquisitions_per_s: 'acquisitions per s',
  hand_over_ns: 'ns per hand-off',
  wait_median_ns: 'ns median wait',
  wait_p99_ns: 'ns p99 wait',
  line_transfers_per_acquisition: 'line transfers per acquisition',
  futex_waits_per_acquisition: 'sleeps per acquisition',
  overtaken_max: 'overtakers during one wait',
  in_order_percent: 'percent of acquisitions in order',
  fairness: 'Jain’s fairness index',
} as const;
export type ContestMeasure = keyof typeof contest_measures;

/** The measures of a bug's workload, and their units. */
export const workload_measures = {
  transactions_per_s: 'transactions per s',
  latency_p95_ms: 'ms p95 latency',
  latency_p99_ms: 'ms p99 latency',
} as const;
export type WorkloadMeasure = keyof typeof workload_measures;
const workload_measure_names = Object.keys(workload_measures) as [WorkloadMeasure, ...WorkloadMeasure[]];

const measure_names = Object.keys(contest_measures) as [ContestMeasure, ...ContestMeasure[]];

const check_options = {
  threads: z.exactOptional(integerFrom(1).check(z.describe('only this number of threads'))),
  rounds: z.exactOptional(integerFrom(1).check(z.describe('how often each enters'))),
  schedules: z.exactOptional(integerFrom(0).check(z.describe('number of random schedules'))),
  states: z.exactOptional(integerFrom(1).check(z.describe('at most this many states per part'))),
  memory: z.exactOptional(choice(['sc', 'tso', 'both'] as const)),
  starvation: z.exactOptional(truth().check(z.describe('false: the checker does not look for it'))),
};

const contest = strictObject({
  server: z.exactOptional(hyphenated().check(z.describe('a server of scenarios/servers.json'))),
  threads: integerFrom(1),
  hold_ns: z.exactOptional(integerFrom(0)),
  think_ns: z.exactOptional(integerFrom(0)),
  shared_percent: z.exactOptional(integerFrom(0)),
  duration_us: z.exactOptional(integerFrom(1)),
  seed: z.exactOptional(integerFrom(0)),
}).check(z.describe('the settings of `lab bench`, which checks each field'));
export type LabContestSpec = z.infer<typeof contest>;

/** Name of the latch that an exercise begins with. */
export const START = 'start';

const of_a_latch = strictObject({
  times: numberAbove(0),
  of: hyphenated().check(z.describe(`a latch of lab/latches, or ${START}: start.latch of the exercise`)),
}).check(z.describe('a multiple of the figure that another latch reaches in the same contest'));

const bound = z.exactOptional(
  z.union([numberFrom(0), of_a_latch], { error: 'a number from 0, or an object with times, of' }),
);

const ONE_BOUND = 'either at_least or at_most';
const hasOneBound = (given: { at_least?: unknown; at_most?: unknown }) =>
  (given.at_least === undefined) !== (given.at_most === undefined);

const workload = strictObject({
  scenario: hyphenated().check(z.describe('a folder of scenarios/')),
  design: recordOf(identifier(), identifier(), 'knobs and variants').check(
    z.describe('the knobs that differ from the original design, with the judged latch as a variant'),
  ),
  threads: z.exactOptional(clients()),
  duration_s: numberAbove(0),
  seed: z.exactOptional(seed()),
  parameters: z.exactOptional(recordOf(identifier(), anInteger(), 'integers')),
}).check(z.describe('part of a run spec, run on the virtual server'));
export type WorkloadSpec = z.infer<typeof workload>;

const of_a_design = strictObject({
  times: numberAbove(0),
  of: textLike(
    /^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)?$/,
    `${START}, a preset of the scenario, or knob.variant`,
  ).check(z.describe(`a design as Compare names it, or ${START}: start.latch of the exercise`)),
}).check(z.describe('a multiple of the figure that another design reaches in the same workload'));

const bound_of_workload = z.exactOptional(
  z.union([numberFrom(0), of_a_design], { error: 'a number from 0, or an object with times, of' }),
);

const callable = lab_operations.filter(
  ({ name, immediate }) =>
    immediate === 'word' || ['random', 'check', 'pause', 'yield', 'fence'].includes(name),
);
export const callable_operations = callable.map(({ name }) => name);
const operations = listOf(choice(callable_operations), 'operations', { min: 1 });

export const exercise_check_schema = z.discriminatedUnion(
  'kind',
  [
    strictObject({
      kind: exactly('right'),
      ...check_options,
      require_fair: z.exactOptional(truth().check(z.describe('also requires that no thread can starve'))),
    }).check(z.describe('`lab check` finds no fault')),
    strictObject({ kind: exactly('faulty'), fault: choice(lab_faults), ...check_options }).check(
      z.describe('`lab check` finds this fault'),
    ),
    strictObject({
      kind: exactly('contest'),
      contest,
      measure: choice(measure_names),
      at_least: bound,
      at_most: bound,
    }).check(
      z.describe('a figure of `lab bench` is within a bound, without any fault'),
      z.refine(hasOneBound, { path: ['at_least'], error: ONE_BOUND }),
    ),
    strictObject({
      kind: exactly('workload'),
      workload,
      measure: choice(workload_measure_names),
      at_least: bound_of_workload,
      at_most: bound_of_workload,
    }).check(
      z.describe('a figure of a bug’s run is within a bound; invariants hold'),
      z.refine(hasOneBound, { path: ['at_least'], error: ONE_BOUND }),
    ),
    strictObject({ kind: exactly('uses'), operations }).check(z.describe('the latch uses each of these')),
    strictObject({ kind: exactly('does_not_use'), operations }).check(
      z.describe('the latch uses none of these'),
    ),
    strictObject({
      kind: exactly('keeps'),
      functions: listOf(choice(lab_functions), 'functions', { min: 1 }),
    }).check(z.describe('these functions are the same as in start.latch')),
  ],
  { error: 'one of right, faulty, contest, workload, uses, does_not_use, keeps' },
);
export type ExerciseCheck = z.infer<typeof exercise_check_schema>;
/** Options of `lab check`; omitted ones have defaults. */
export type LabCheckOptions = Omit<Extract<ExerciseCheck, { kind: 'right' }>, 'kind' | 'require_fair'>;
export type ContestCheck = Extract<ExerciseCheck, { kind: 'contest' }>;
export type WorkloadCheck = Extract<ExerciseCheck, { kind: 'workload' }>;

export const lab_exercise_schema = documentOf(1, {
  title: text({ min: 5, max: 80 }),
  checks: listOf(exercise_check_schema, 'checks', { min: 1, max: 12 }).check(
    z.describe('start.latch fails at least one of them, model.latch none'),
  ),
}).check(z.describe('An exercise of the latch lab: docs/guide/writing-exercises.md.'));

export interface LabExercise {
  /** Name of its folder, such as `05-ticket`. Exercises are sorted by it. */
  id: string;
  title: string;
  checks: ExerciseCheck[];
  text: ExerciseText;
  start: string;
  model: string;
}

/** An exercise as the page receives it. */
export interface ShownExercise extends Omit<LabExercise, 'text'> {
  task_html: string;
  hints_html: string[];
  afterwards_html: string;
}

/** Content of text.md, in Markdown. */
export interface ExerciseText {
  task: string;
  /** The first hint reveals least. */
  hints: string[];
  /** The lesson of the model answer, with its sources. */
  afterwards: string;
}
