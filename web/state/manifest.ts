// What a scenario's manifest.json says; scenarios/manifest.schema.json is the full description, and the build checks
// every manifest against it, so the page takes these types on trust.
import type { MeasuredHere } from '../analysis/reported';

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

export interface Manifest {
  id: string;
  bug: number;
  title: string;
  report: { url: string; reporter: string; submitted: string };
  what_is_wrong: string;
  server_version: string;
  unit_of_work: { transaction: string; operation: string; operation_counter: string };
  threads: { min: number; max: number; default: number };
  knobs: Knob[];
  designs: Record<string, Record<string, string>>;
  parameters: Parameter[];
  actions: Action[];
  reported: ReportedFigure[];
  shown_counters: string[];
}

export interface Scenario {
  manifest: Manifest;
  story_html: string;
}
