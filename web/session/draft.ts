// Holds the next run while the reader edits it. Number fields may contain text that is not a number
// yet.
import type { Draft, Field, ServerDraft } from '../contract/draft';
import type { Fault } from '../contract/fault';
import type { Scenario } from '../contract/manifest';
import { numberIfHeld } from '../contract/run-spec-pairs';
import {
  parseRunSpec,
  RUN_SPEC_VERSION,
  type Machine,
  type RunSpec,
  type ServerChoice,
} from '../contract/run-spec';

/** An empty field means its default. */
export const fieldOrNull = (value: Field): Field | null => (value === '' ? null : value);

export function draftOf(spec: RunSpec): Draft {
  const { scenario, design, platform, threads, seed, duration_s, parameters, actions } = spec;
  const isVirtual = platform === 'virtual';
  return {
    scenario,
    design,
    platform,
    server: isVirtual && spec.server !== undefined ? serverDraftOf(spec.server) : null,
    events_max: spec.events_max ?? null,
    stack_samples: spec.stack_samples ?? null,
    what_if: spec.what_if ?? null,
    latch: spec.latch ?? null,
    workload: spec.workload ?? null,
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
  draftSpec: RunSpec | null;
  draftErrors: Fault[];
}

export function checkDraft(draft: Draft, scenarios: readonly Scenario[], machine: Machine): CheckedDraft {
  const { server, events_max, stack_samples, what_if, latch, workload, interval_s, ...rest } = draft;
  const input = {
    version: RUN_SPEC_VERSION,
    ...rest,
    duration_s: draft.duration_s === '' ? null : draft.duration_s,
    ...(server === null ? {} : { server: serverChoiceOf(server) }),
    ...(events_max === null ? {} : { events_max }),
    ...(stack_samples === null ? {} : { stack_samples }),
    ...(what_if === null ? {} : { what_if }),
    ...(latch === null ? {} : { latch }),
    ...(workload === null ? {} : { workload }),
    ...(interval_s === null || interval_s === '' ? {} : { interval_s }),
  };
  const parsed = parseRunSpec(input, scenarios, machine);
  return parsed.ok
    ? { draft, draftSpec: parsed.value, draftErrors: [] }
    : { draft, draftSpec: null, draftErrors: parsed.errors };
}

export function serverChoiceOf({ based_on, own }: ServerDraft) {
  return Object.keys(own).length === 0 ? based_on : { based_on, ...own };
}

const typedNumber = /^-?\d+(\.\d+)?$/;
/** Converts typed text to the value of a number field. */
export const fieldOf = (text: string): Field => numberIfHeld(text.trim(), typedNumber);
