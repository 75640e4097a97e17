// Defines a scenario's manifest.json: its schema, and the types derived from it.
// tools/scenario-manifests.mjs reads all manifests for the engine and the page, and checks names
// that must exist elsewhere.
import * as z from 'zod/mini';

import type { Lesson } from './lesson.ts';
import type { ReproducedFigure } from './reproduced-figures.ts';
import type { StageStory } from './scenario-files/stage.ts';
import type { Workload } from './workload-program.ts';
import { CLIENTS_MAX, DURATION_S, INTERVAL_S, partOfARunSpec, timedAction } from './run-spec-fields.ts';
import {
  anInteger,
  aNumber,
  choice,
  documentOf,
  exactly,
  hyphenated,
  identifier,
  IDENTIFIER_IN_WORDS,
  integer,
  integerFrom,
  listOf,
  number,
  numberFrom,
  recordOf,
  strictObject,
  text,
  textLike,
  truth,
} from './schema-parts.ts';

const sentence = () => text({ min: 3, max: 600 });
const heading = () => text({ min: 2, max: 90 });
const words = () => text({ min: 1, max: 200 });

/** A form in which a report shows its evidence. */
const evidence_forms = [
  'latches',
  'stacks',
  'sysbench',
  'server_log',
  'cpu',
  'blocked_stack',
  'counters',
] as const;
export type Evidence = (typeof evidence_forms)[number];

/** The measurement to compare a reported figure with. */
const measured_here = strictObject({
  kind: choice([
    'counter_per_second',
    'futex_bucket_spin_percent',
    'latch_acquisitions_per_operation',
    'latency_ms_p95',
    'latency_ms_p99',
    'read_write_requests_per_second',
    'transactions_per_second',
  ]),
  of: text({ max: 200 }).check(
    z.describe('counter id or latch name; empty for latencies, requests, transactions and CPU time'),
  ),
  when: z.exactOptional(
    strictObject({
      design: z.exactOptional(identifier().check(z.describe('while this preset is active'))),
      before: z.exactOptional(identifier().check(z.describe('until this action is fired'))),
      after: z.exactOptional(identifier().check(z.describe('while this action is the last one fired'))),
    }).check(
      z.refine((when) => Object.keys(when).length > 0, { error: 'at least one of design, before, after' }),
      z.describe('when the measurement is comparable with the reported figure; always, if left out'),
    ),
  ),
}).check(
  z.describe(
    'the comparable measurement on this machine: a counter per second, or one counter or latch per operation',
  ),
);
export type MeasuredHere = z.infer<typeof measured_here>;
export type When = NonNullable<MeasuredHere['when']>;

/** Kinds of lab latches; an rw-latch is also accepted as a latch. */
const latch_kinds = ['latch', 'rw_latch'] as const;

const variant = strictObject({
  id: identifier(),
  title: heading(),
  origin: heading().check(z.describe('who had or has it')),
  explanation: sentence(),
  needs: z.exactOptional(
    choice(latch_kinds).check(
      z.describe(
        'the variant is the run spec’s own latch, of this kind; a run spec without a latch cannot name it',
      ),
    ),
  ),
});
export type Variant = z.infer<typeof variant>;

const knob = strictObject({
  id: identifier(),
  title: heading(),
  question: sentence().check(z.describe('the decision that this knob represents')),
  variants: listOf(variant, 'variants', { min: 2, max: 8 }).check(
    z.describe('the first one is the original'),
  ),
});
export type Knob = z.infer<typeof knob>;

const parameter = strictObject({
  id: identifier(),
  title: heading(),
  unit: text({ max: 24 }),
  min: anInteger(),
  max: anInteger(),
  default: anInteger(),
  virtual_default: z.exactOptional(
    anInteger().check(
      z.describe('the report’s value, for the virtual server; only if it differs from default'),
    ),
  ),
  explanation: sentence(),
});
export type Parameter = z.infer<typeof parameter>;

const action = strictObject({ id: identifier(), title: heading(), explanation: sentence() });
export type Action = z.infer<typeof action>;

const reported_figure = strictObject({
  id: identifier(),
  figure: sentence(),
  unit: text({ max: 60 }),
  value: z
    .union([aNumber(), z.tuple([aNumber(), aNumber()])], { error: 'a number, or the range [low, high]' })
    .check(z.describe('a number, or the range [low, high]')),
  ends: z.exactOptional(
    z
      .tuple([identifier(), identifier()], { error: 'the presets of [low, high]' })
      .check(
        z.describe(
          'only if the range spans two designs: the presets of its low and high ends. Each figure is compared with the end of its own design',
        ),
      ),
  ),
  conditions: sentence(),
  source: sentence(),
  here: z.exactOptional(measured_here),
});
export type ReportedFigure = z.infer<typeof reported_figure>;

const comparison_run = strictObject({
  duration_s: number(DURATION_S),
  from_s: z.exactOptional(
    numberFrom(0).check(
      z.describe(
        'for a temporary effect, such as a stop: everything counts from here to the end of the run. If left out, measuring starts once the run has settled, by the page’s rule',
      ),
    ),
  ),
  repeats: z.exactOptional(
    integer({ min: 3, max: 50 }).check(
      z.describe('runs of each design in a comparison, if runs take long; 5 if left out'),
    ),
  ),
  parameters: z.exactOptional(
    recordOf(identifier(), anInteger(), 'integers').check(
      z.describe(
        'used instead of the defaults so that a run takes seconds; the page says so beside the figures',
      ),
    ),
  ),
  actions: z.exactOptional(
    listOf(timedAction(identifier()), 'actions').check(z.describe('the actions that make the bug visible')),
  ),
});
export type ComparisonRun = z.infer<typeof comparison_run>;

const part_of_a_run_spec = partOfARunSpec().check(
  z.describe('fields of a run spec that differ from the page’s defaults'),
);

export const manifest_schema = documentOf(1, {
  id: hyphenated().check(z.describe('folder name')),
  bug: integerFrom(1).check(z.describe('number in the MySQL bug database')),
  title: heading(),
  report: strictObject({
    url: textLike(/^https:\/\//, 'a link that begins with https://'),
    reporter: words(),
    submitted: textLike(/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/, 'a day, such as 2026-11-23'),
  }),
  what_is_wrong: sentence().check(z.describe('the bug in one sentence')),
  in_a_sentence: text({ min: 3, max: 140 }).check(
    z.describe(
      'the bug for its card on the start page, in words that need no knowledge of InnoDB; not compiled into the engine',
    ),
  ),
  server_version: words(),
  unit_of_work: strictObject({
    transaction: words().check(z.describe('description of one transaction')),
    operation: words().check(z.describe('the unit by which latch acquisitions are divided, singular')),
    operation_counter: identifier().check(z.describe('the counter of that operation')),
    operations_are_drawn: truth().check(
      z.describe(
        'whether the page draws operations per second beside transactions per second. False if a transaction is one operation, or thousands',
      ),
    ),
    beside_tps: z.exactOptional(
      strictObject({
        title: heading(),
        counters: listOf(identifier(), 'counters', { min: 1, max: 4 }),
      }).check(
        z.describe(
          'the tile beside transactions per second, if operations per second would be the same figure. It shows the sum of these counters, per second. Not compiled into the engine',
        ),
      ),
    ),
  }),
  threads: strictObject({
    min: integer({ min: 1, max: CLIENTS_MAX }),
    max: integer({ min: 1, max: CLIENTS_MAX }).check(
      z.describe(`on this machine; the virtual server runs up to ${CLIENTS_MAX.toLocaleString('en')}`),
    ),
    default: integerFrom(1).check(z.describe('raised to the machine’s number of cores if that is larger')),
    virtual_default: integer({ min: 1, max: CLIENTS_MAX }).check(
      z.describe('the report’s number, for the virtual server'),
    ),
  }),
  virtual_server: hyphenated().check(
    z.describe('id of the server in servers.json on which the report’s figures are reproduced'),
  ),
  virtual_sample_s: z.exactOptional(
    number({ min: INTERVAL_S.min, max: 1 }).check(
      z.describe(
        'virtual time that the page shows as one second of the report; 0.02 if left out. Long enough for many transactions, short enough for the reader',
      ),
    ),
  ),
  first_run: z.exactOptional(
    strictObject({
      cores_min: integerFrom(1).check(
        z.describe(
          'a machine with fewer cores shows the first run on the virtual server. `npm run bench` measures two cores. If the original is less than twice as slow as the fixed design there, the value is above 2',
        ),
      ),
      watch: sentence().check(z.describe('what the reader sees before choosing the fixed design')),
      threads: part_of_a_run_spec,
      virtual: part_of_a_run_spec,
    }).check(
      z.describe(
        'the run that the card on the start page starts; it must show the bug within seconds. The page’s defaults, if left out. Not compiled into the engine',
      ),
    ),
  ),
  comparison: z.exactOptional(
    strictObject({
      explanation: sentence().check(z.describe('the part of a run that is measured')),
      virtual: comparison_run,
      threads: comparison_run,
    }).check(
      z.describe(
        'the run with which the page compares designs, short enough to repeat. If left out, a few samples of the usual run',
      ),
    ),
  ),
  knobs: listOf(knob, 'knobs', { min: 1, max: 8 }),
  designs: recordOf(
    identifier(),
    recordOf(identifier(), identifier(), 'knobs and variants'),
    'designs',
    IDENTIFIER_IN_WORDS,
  ).check(
    z.refine((designs) => 'original' in designs && 'fixed' in designs, {
      error: 'designs among which are original and fixed',
    }),
    z.describe('presets: a variant for every knob; original is the first, and fixed is among them'),
  ),
  design_titles: recordOf(identifier(), heading(), 'titles', IDENTIFIER_IN_WORDS).check(
    z.describe('the page’s name for each preset; not compiled into the engine'),
  ),
  parameters: listOf(parameter, 'parameters', { max: 16 }),
  actions: listOf(action, 'actions', { max: 12 }),
  evidence: listOf(choice(evidence_forms), 'forms', { min: 1 }).check(
    z.refine((forms) => new Set(forms).size === forms.length, { error: 'each form once in the list' }),
    z.describe('the forms in which the report shows the problem; the page shows them first, in this order'),
  ),
  sysbench_percentile: z
    .union([exactly(95), exactly(99)], { error: 'one of 95, 99' })
    .check(z.describe('the percentile in sysbench’s lines: the report’s, or sysbench’s default, 95')),
  reported: listOf(reported_figure, 'figures'),
  shown_counters: listOf(identifier(), 'counters').check(
    z.describe('counters that the page shows for this scenario, in this order'),
  ),
});
/** The manifest of a bug: what runs, and what its report adds. */
export type BugManifest = z.infer<typeof manifest_schema>;

type FieldOfABug =
  | ('$schema' | 'schema_version' | 'bug' | 'report' | 'server_version')
  | ('what_is_wrong' | 'in_a_sentence' | 'evidence' | 'reported');

/** What runs, without a bug: a workload that a reader wrote. */
export type WorkloadManifest = Omit<BugManifest, FieldOfABug> &
  Partial<Record<FieldOfABug, never>> & { workload: Workload };

/** Has all fields of a bug, or the workload. */
export type Manifest = (BugManifest & { workload?: never }) | WorkloadManifest;

/** A bug of scenarios/, or the reader's own workload. */
export interface Scenario {
  manifest: Manifest;
  /** In the page, the number of a text, as in a lesson. */
  story_html: string;
  /** null: there is none. */
  lesson: Lesson | null;
  /** In the page, only the figures of its card. */
  reproduction: readonly ReproducedFigure[];
  /** null: the start page has no runs of this scenario. */
  front_run: FrontRun | null;
  /** null: it has no recorded stage. */
  stage: StageSummary | null;
  /** null: no measurements on a real server. */
  last_seen: LastSeen | null;
}

/** What the stage says about a bug: from stage.json, with the values of its recorded run. */
export interface StageSummary extends Pick<StageStory, 'headline' | 'sentence' | 'rate'> {
  numbers: readonly Pick<StageStory['numbers'][number], 'title' | 'figure'>[];
  values: readonly number[];
}

/**
 * The latest real version that showed the bug, and the evidence: from census.json, checked against
 * the measured files.
 */
export interface LastSeen {
  label: string;
  is_alive: boolean;
  /** The first one is the text of the card. */
  sightings: readonly string[];
  remark: string | null;
}

/**
 * The data of the card on the start page: scenarios/<bug>/front-run.json, with results of its runs
 * on the virtual server.
 */
export interface FrontRun {
  /** Description of the drawing. */
  caption: string;
  /** The first run is the original; the others are drawn with it. */
  runs: readonly FrontRunCurve[];
  figures: {
    unit: string;
    /** Ids of the manifest's reported figures: before and after, or one. */
    reported: readonly string[];
    /** Subject of the report's second figure, if it belongs to another run; may be empty. */
    remark: string;
    /** Labels of rows of the reproduction: the card has no figures of its own. */
    here: readonly string[];
  };
}

/** The drawn fields of an interval of a run result. */
export interface DrawnInterval {
  /** End of the interval. */
  t_s: number;
  tps: number;
  latency_ms: Record<'p50' | 'p95' | 'p99' | 'max', number>;
}

export interface FrontRunCurve {
  title: string;
  /** A run spec without version, scenario and platform. */
  spec: { duration_s: number; actions?: readonly { at_s: number; action: string }[] };
  intervals: readonly DrawnInterval[];
}
