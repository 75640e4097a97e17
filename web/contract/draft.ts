// Defines the next run while the reader edits it, as window.latchscope.state() returns it.
import type { ReadersLatch, StackSamples, TimedAction, WhatIf } from './run-spec.ts';
import type { Platform } from './platforms.ts';
import type { Design } from './design.ts';
import type { Workload } from './workload-program.ts';

export type Field = number | string;

export interface Draft {
  scenario: string;
  design: Design;
  platform: Platform;
  /** Virtual platform only. */
  server: ServerDraft | null;
  events_max: number | null;
  /** Virtual platform only. The page does not show them; the run result contains them. */
  stack_samples: StackSamples | null;
  /** Virtual platform only. */
  what_if: WhatIfDraft | null;
  /** The reader's own latch, which variants named `yours` use. */
  latch: ReadersLatch | null;
  /** Of the scenario `workload`: what runs. */
  workload: Workload | null;
  threads: Field;
  seed: Field;
  /** null or empty: until stopped. */
  duration_s: Field | null;
  /** null or empty: the engine's default, one second. */
  interval_s: Field | null;
  parameters: Record<string, Field>;
  actions: TimedAction[];
}

/** A what-if whose percents may be unparsed text. */
export interface WhatIfDraft {
  costs?: Record<string, Field>;
  latches?: LatchDraft[];
  from_s?: Field;
}

type LatchWhatIf = NonNullable<WhatIf['latches']>[number];
export type LatchDraft = Omit<LatchWhatIf, 'section_percent'> & { section_percent?: Field };

/** A named server, and the reader's values that differ from it. */
export interface ServerDraft {
  based_on: string;
  own: Record<string, Field>;
}

/** The change of the hand-off that a curve assumes. */
export type HandOver = 'as_it_is' | 'line' | 'wake_up' | 'both' | 'free';

export type StudyKind = 'profile' | 'curve';

/** Fields of a study in addition to the run spec. null: default. */
export interface StudySettings {
  kind: StudyKind;
  /** Curve: a latch, one of its sites, or a cost of the server. */
  latch: string | null;
  site: string | null;
  hand_over: HandOver;
  cost: string | null;
  /** Curve: percents, as typed. */
  scale: string | null;
  /** Profile only. */
  percent: Field | null;
  top: Field | null;
  seeds: Field | null;
  /** Run time from which all counts; 0: the whole run. */
  from_s: Field | null;
}
