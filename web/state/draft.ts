// The next run, as the reader is putting it together. Number fields may hold text that is no number yet.
import type { FieldError } from '../engine-client/field-error';
import type { Manifest, Scenario } from './manifest';
import { parseRunSpec, RUN_SPEC_VERSION, type Machine, type RunSpec, type TimedAction } from './run-spec';

export type Field = number | string;

export interface Draft {
  scenario: string;
  design: Record<string, string>;
  threads: Field;
  seed: Field;
  /** null or empty: until stopped. */
  duration_s: Field | null;
  parameters: Record<string, Field>;
  actions: TimedAction[];
}

export function draftOf(spec: RunSpec): Draft {
  const { scenario, design, threads, seed, duration_s, parameters, actions } = spec;
  return { scenario, design, threads, seed, duration_s, parameters, actions };
}

export interface CheckedDraft {
  draft: Draft;
  /** null while there are errors. */
  draft_spec: RunSpec | null;
  draft_errors: FieldError[];
}

export function checkDraft(draft: Draft, scenarios: readonly Scenario[], machine: Machine): CheckedDraft {
  const input = {
    version: RUN_SPEC_VERSION,
    ...draft,
    duration_s: draft.duration_s === '' ? null : draft.duration_s,
  };
  const parsed = parseRunSpec(input, scenarios, machine);
  return parsed.ok
    ? { draft, draft_spec: parsed.value, draft_errors: [] }
    : { draft, draft_spec: null, draft_errors: parsed.errors };
}

/** What a number field holds after the reader has typed `text`. */
export function fieldOf(text: string): Field {
  const trimmed = text.trim();
  return /^-?\d+(\.\d+)?$/.test(trimmed) ? Number(trimmed) : trimmed;
}

/** Name of the preset that a design equals, if it equals one. */
export function presetOf(manifest: Manifest, design: Record<string, string>): string | null {
  const presets = Object.entries(manifest.designs);
  const is_equal = (variants: Record<string, string>) =>
    manifest.knobs.every(({ id }) => variants[id] === design[id]);
  return presets.find(([, variants]) => is_equal(variants))?.[0] ?? null;
}
