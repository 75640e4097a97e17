// A mark of a run, as window.latchscope.snapshot() returns it.
import type { MarkKind } from './telemetry-states.ts';

/** Something that happened to a run: a knob turned, an action fired, clients paused. */
export interface Mark {
  /** Counts the marks of a run, from 0. */
  number: number;
  run_ns: number;
  kind: MarkKind;
  subject: number;
  value: number;
  /** How long the clients stood for it, microseconds. */
  stopped_us: number;
  /** Run time of the timed action that it is: a run whose spec has this action takes the same course. */
  step_ns: number;
  /** The run spec did not say so from the beginning. */
  is_by_hand: boolean;
}
