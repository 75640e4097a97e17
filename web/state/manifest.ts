// What a scenario's manifest.json says; scenarios/manifest.schema.json is the full description, and the build checks
// every manifest against it, so the page takes these types on trust.
import type { MeasuredHere } from '../analysis/reported';
import type { SysbenchPercentile } from '../analysis/sysbench';

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

/** A form in which a report shows what is wrong. */
export type Evidence =
  'latches' | 'stacks' | 'sysbench' | 'server_log' | 'cpu' | 'blocked_stack' | 'counters';

export interface Manifest {
  id: string;
  bug: number;
  title: string;
  report: { url: string; reporter: string; submitted: string };
  what_is_wrong: string;
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
  knobs: Knob[];
  designs: Record<string, Record<string, string>>;
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
  reproduction: readonly ReproductionRow[];
}

/** A reported figure and what comes out on the virtual server: a row of scenarios/reproduction-results.json. */
export interface ReproductionRow {
  scenario: string;
  /** Id of the reported figure. */
  figure: string;
  label: string;
  unit: string;
  reported: number | readonly [number, number];
  here: number;
  /** here / reported, to the nearer end of a range, 1 inside; null if the two are not held against each other. */
  ratio: number | null;
  /** Something was chosen so that the figure comes out; otherwise it followed. */
  fitted: boolean;
  note: string;
}
