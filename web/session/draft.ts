// The next run, while the reader edits it. Number fields may hold text that is not a number yet.
import type { Design } from '../contract/design';
import type { Fault } from '../contract/fault';
import type { Platform } from '../contract/platforms';
import type { Scenario } from '../contract/manifest';
import { numberIfHeld } from '../contract/run-spec-pairs';
import {
  parseRunSpec,
  RUN_SPEC_VERSION,
  type Machine,
  type ReadersLatch,
  type RunSpec,
  type ServerChoice,
  type StackSamples,
  type TimedAction,
  type WhatIf,
} from '../contract/run-spec';

export type Field = number | string;

/** An empty field has its default. */
export const fieldOrNull = (value: Field): Field | null => (value === '' ? null : value);

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

export function draftOf(spec: RunSpec): Draft {
  const { scenario, design, platform, threads, seed, duration_s, parameters, actions } = spec;
  const is_virtual = platform === 'virtual';
  return {
    scenario,
    design,
    platform,
    server: is_virtual && spec.server !== undefined ? serverDraftOf(spec.server) : null,
    events_max: spec.events_max ?? null,
    stack_samples: spec.stack_samples ?? null,
    what_if: spec.what_if ?? null,
    latch: spec.latch ?? null,
    threads,
    seed,
    duration_s,
    interval_s: spec.interval_s ?? null,
    parameters,
    actions,
  };
}

function serverDraftOf(server: ServerChoice): ServerDraft {
  if (typeof server === 'string') return { based_on: server, own: {} };
  const { based_on, ...own } = server;
  return { based_on, own };
}

export interface CheckedDraft {
  draft: Draft;
  /** null while there are errors. */
  draft_spec: RunSpec | null;
  draft_errors: Fault[];
}

export function checkDraft(draft: Draft, scenarios: readonly Scenario[], machine: Machine): CheckedDraft {
  const { server, events_max, stack_samples, what_if, latch, interval_s, ...rest } = draft;
  const input = {
    version: RUN_SPEC_VERSION,
    ...rest,
    duration_s: draft.duration_s === '' ? null : draft.duration_s,
    ...(server === null ? {} : { server: serverChoiceOf(server) }),
    ...(events_max === null ? {} : { events_max }),
    ...(stack_samples === null ? {} : { stack_samples }),
    ...(what_if === null ? {} : { what_if }),
    ...(latch === null ? {} : { latch }),
    ...(interval_s === null || interval_s === '' ? {} : { interval_s }),
  };
  const parsed = parseRunSpec(input, scenarios, machine);
  return parsed.ok
    ? { draft, draft_spec: parsed.value, draft_errors: [] }
    : { draft, draft_spec: null, draft_errors: parsed.errors };
}

function serverChoiceOf({ based_on, own }: ServerDraft) {
  return Object.keys(own).length === 0 ? based_on : { based_on, ...own };
}

const TYPED_NUMBER = /^-?\d+(\.\d+)?$/;
/** What a number field holds after the reader has typed `text`. */
export const fieldOf = (text: string): Field => numberIfHeld(text.trim(), TYPED_NUMBER);
