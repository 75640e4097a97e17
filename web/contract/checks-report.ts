// Defines the report of a file of checks (checks.ts).
/** `undecided`: the interval contains the bound. More seeds make it narrower. */
export type ExpectationOutcome = 'holds' | 'fails' | 'undecided';

export interface JudgedExpectation {
  /** Its path below `expect`, such as `tps` or `counters.purged_undo_records`. */
  figure: string;
  outcome: ExpectationOutcome;
  /** Figure and requirement. */
  sentence: string;
  /** Mean over the seeds; null without one. */
  value: number | string | null;
  /** null with fewer than two seeds. */
  interval: readonly [low: number, high: number] | null;
}

export interface CheckReport {
  name: string;
  /** All of its expectations hold. */
  holds: boolean;
  expectations: JudgedExpectation[];
  /** Set if a run does not count, such as after a broken invariant. Then nothing else is judged. */
  fault?: string;
}

export interface ChecksReport {
  version: 1;
  holds: boolean;
  checks: CheckReport[];
}
