// The next run, while the reader edits it, as window.latchscope.state() returns it.
import type { ReadersLatch, StackSamples, TimedAction, WhatIf } from './run-spec.ts';
import type { Platform } from './platforms.ts';
import type { Design } from './design.ts';

export type Field = number | string;

export interface Draft {
  scenario: string;
  design: Design;
  platform: Platform;
  /** Of the virtual platform. */
  server: ServerDraft | null;
  events_max: number | null;
  /** Of the virtual platform; the page does not show them, the run result has them. */
  stack_samples: StackSamples | null;
  /** Of the virtual platform. */
  what_if: WhatIfDraft | null;
  /** That the reader has written, behind the variants that are called yours. */
  latch: ReadersLatch | null;
  threads: Field;
  seed: Field;
  /** null or empty: until stopped. */
  duration_s: Field | null;
  /** null or empty: the engine's own, a second. */
  interval_s: Field | null;
  parameters: Record<string, Field>;
  actions: TimedAction[];
}

/** A what-if whose percents may hold text. */
export interface WhatIfDraft {
  costs?: Record<string, Field>;
  latches?: LatchDraft[];
  from_s?: Field;
}

type LatchWhatIf = NonNullable<WhatIf['latches']>[number];
export type LatchDraft = Omit<LatchWhatIf, 'section_percent'> & { section_percent?: Field };

/** A named server, and the values in which the reader's own differs from it. */
export interface ServerDraft {
  based_on: string;
  own: Record<string, Field>;
}
