// Defines a mark of a run, as window.latchscope.snapshot() returns it.
import type { MarkKind } from './telemetry-states.ts';

/** An event of a run: a turned knob, an executed action, paused clients. */
export interface Mark {
  /** Counts the marks of a run, from 0. */
  number: number;
  run_ns: number;
  kind: MarkKind;
  subject: number;
  value: number;
  /** How long the clients were stopped for it, in microseconds. */
  stopped_us: number;
  /**
   * Run time of the corresponding timed action. A run whose spec has this action runs identically.
   */
  step_ns: number;
  /** The run spec did not contain it at the start. */
  is_by_hand: boolean;
}
