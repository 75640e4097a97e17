// Defines an interval of a run of this page, as window.latchscope.snapshot() returns it.
import type { RunInterval } from './run-result.ts';

/** An interval of a run in this page's own engine. */
export interface EngineInterval extends RunInterval {
  seconds: number;
}
