// What a scenario's manifest.json says; scenarios/manifest.schema.json is the full description, and the build checks
// every manifest against it, so the page takes these types on trust.
import type { Design } from './design';
import type { Platform } from './platforms';
import type { Lesson } from './lesson';

/** The percentile that sysbench was told to report (--percentile). */
export type SysbenchPercentile = 95 | 99;

/** What a reported figure is to be compared with; see `reported[].here` of a scenario's manifest. */
export interface MeasuredHere {
  kind:
    | 'counter_per_second'
    | 'latch_acquisitions_per_operation'
    | 'latency_ms_p95'
    | 'latency_ms_p99'
    | 'read_write_requests_per_second'
    | 'transactions_per_second';
  of: string;
  /** When a measurement is of the same kind as the reported figure; always, if there is none. */
  when?: When;
}

export interface When {
  /** The preset that is in force. */
  design?: string;
  /** The action that has not been fired yet. */
  before?: string;
  /** The action that was fired last. */
  after?: string;
}

export interface Variant {
  id: string;
  title: string;
  origin: string;
  explanation: string;
}

export interface Knob {
  id: string;
  title: string;
  question: string;
  /** The first one is the original. */
  variants: Variant[];
}

export interface Parameter {
  id: string;
  title: string;
  unit: string;
  min: number;
  max: number;
  default: number;
  /** On the virtual server: that of the report, where it differs. */
  virtual_default?: number;
  explanation: string;
}

export interface Action {
  id: string;
  title: string;
  explanation: string;
}

export interface ReportedFigure {
  id: string;
  figure: string;
  unit: string;
  value: number | [number, number];
  conditions: string;
  source: string;
  here?: MeasuredHere;
}

export interface ComparisonRun {
  duration_s: number;
  /** The run counts from here to its end. */
  from_s: number;
  /** Instead of the defaults, so that a run takes seconds. */
  parameters?: Record<string, number>;
  /** What makes the bug show. */
  actions?: { at_s: number; action: string }[];
}

/** A form in which a report shows what is wrong. */
export type Evidence =
  'latches' | 'stacks' | 'sysbench' | 'server_log' | 'cpu' | 'blocked_stack' | 'counters';

/** The run that a card of the start page opens and starts: on each platform, what differs from the page's defaults. */
export interface FirstRun extends Record<Platform, FirstRunSpec> {
  /** With fewer cores it is shown on the virtual server. */
  cores_min: number;
  /** What the reader will see. */
  watch: string;
}

export interface FirstRunSpec {
  /** A preset; the original, if left out. */
  design?: string;
  threads?: number;
  duration_s?: number;
  interval_s?: number;
  parameters?: Record<string, number>;
  actions?: ({ at_s: number } & ({ action: string } | { knob: string; variant: string }))[];
}

export interface Manifest {
  id: string;
  bug: number;
  title: string;
  report: { url: string; reporter: string; submitted: string };
  what_is_wrong: string;
  /** For the card on the start page. */
  in_a_sentence: string;
  server_version: string;
  unit_of_work: {
    transaction: string;
    operation: string;
    operation_counter: string;
    /** Whether operations per second are drawn beside transactions per second. */
    operations_are_drawn: boolean;
  };
  threads: { min: number; max: number; default: number; virtual_default: number };
  /** Id of the modelled server that stands for the report's. */
  virtual_server: string;
  /** So much virtual time stands for a second of the report, unless the reader wants more or less of it. */
  virtual_sample_s?: number;
  first_run?: FirstRun;
  /** The run by which designs are compared; left out: a few samples of the usual run. */
  comparison?: Record<Platform, ComparisonRun> & { explanation: string };
  knobs: Knob[];
  designs: Record<string, Design>;
  parameters: Parameter[];
  actions: Action[];
  /** What the page shows first, in this order; the other forms come after it. */
  evidence: Evidence[];
  sysbench_percentile: SysbenchPercentile;
  reported: ReportedFigure[];
  shown_counters: string[];
}

export interface Scenario {
  manifest: Manifest;
  story_html: string;
  /** null: nobody has written one. */
  lesson: Lesson | null;
  reproduction: readonly ReproductionRow[];
  /** null where no run has been drawn for the start page. */
  front_run: FrontRun | null;
  /** null where nothing was measured on a real server. */
  last_seen: LastSeen | null;
}

/** In which real version the bug was last seen alive, and how: from census.json, held against the measured files. */
export interface LastSeen {
  label: string;
  is_alive: boolean;
  /** The first one is what the card says. */
  sightings: readonly string[];
  remark: string | null;
}

/** What the card on the start page draws: scenarios/<bug>/front-run.json, with what came out of its runs on the virtual server. */
export interface FrontRun {
  /** What is drawn, in words. */
  caption: string;
  /** The first one is the original; the others are drawn beside it. */
  runs: readonly FrontRunCurve[];
  figures: {
    unit: string;
    /** Ids of the manifest's reported figures: before and after, or one. */
    reported: readonly string[];
    /** What the report's second figure is of, where it is not of the same run; may be empty. */
    remark: string;
    here: readonly { value: number }[];
  };
}

export interface FrontRunCurve {
  title: string;
  /** A run spec without version, scenario and platform. */
  spec: { duration_s: number; actions?: readonly { at_s: number; action: string }[] };
  intervals: readonly { t_s: number; tps: number }[];
}

/** A reported figure and what comes out on the virtual server: of scenarios/reproduction-results.json. */
export interface ReproductionRow {
  scenario: string;
  /** Id of the reported figure. */
  figure: string;
  label: string;
  unit: string;
  /** null if nobody has published such a figure. */
  reported: number | readonly [number, number] | null;
  here: number;
  /** Of how many looks at the run `here` is the median, and what the others found; null if it is not one. */
  samples: { count: number; least: number; most: number } | null;
  /** here / reported, to the nearer end of a range, 1 inside; null if the two are not held against each other. */
  ratio: number | null;
  /** What `here` rests on; only a prediction is evidence. */
  basis: 'predicted' | 'fitted' | 'counted' | 'follows';
  /** Within which `here` must come out, stated beforehand; null if the two are not held against each other. */
  band: readonly [number, number] | null;
  /** Why it does not; null where it does. */
  misses: string | null;
  note: string;
}
