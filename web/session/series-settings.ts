// Checks settings that series of runs share.
import type { Field } from '../contract/draft';
import { engine_limits } from '../contract/engine-limits';
import { describeFaults, describeValue, type Fault } from '../contract/fault';
import { SEED_MAX, type Parsed, type RunSpec } from '../contract/run-spec';
import { integerInWords } from '../contract/schema-parts';
import { refusalToStart } from './run-lock';
import { missingHere, type ExplorerState } from './store';

/** How many seeds the engine processes together. */
export const seedsRange = { min: 1, max: engine_limits.repeated_seeds_max };

export const refuse = (field: string, value: unknown, allowed: string) => ({
  ok: false as const,
  errors: [{ field, value: describeValue(value), allowed }],
});

/**
 * Returns a fault unless the seed of a run leaves room for the following seeds: each repeat on the
 * virtual server uses the next one. Another fault reports an invalid `times`.
 */
export function seedFaults({ seed }: RunSpec, times: Field, word: 'seeds' | 'repeats'): Fault[] {
  if (typeof times !== 'number' || !Number.isInteger(times)) return [];
  const most = SEED_MAX - times + 1;
  return seed <= most
    ? []
    : refuse('seed', seed, `an integer from 0 to ${most}, with ${times} ${word}`).errors;
}

interface Range {
  min: number;
  max: number;
}

const isIntegerWithin = (value: Field, { min, max }: Range) =>
  typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max;

export const integerFaults = (field: string, value: Field, range: Range): Fault[] =>
  isIntegerWithin(value, range) ? [] : refuse(field, value, integerInWords(range.min, range.max)).errors;

/** Parses different integers, separated by commas or spaces. `each` names one of them. */
export function parseIntegers(text: string, field: string, range: Range, each: string): Parsed<number[]> {
  const entries = text.split(/[,\s]+/).filter((entry) => entry !== '');
  const allowed = `integers from ${range.min} to ${range.max}, separated by commas`;
  if (entries.length === 0) return refuse(field, text.trim() === '' ? 'nothing' : text, allowed);
  const bad = entries.find((entry) => !/^\d+$/.test(entry) || !isIntegerWithin(Number(entry), range));
  if (bad !== undefined) return refuse(field, bad, allowed);
  const numbers = entries.map(Number);
  const twice = numbers.find((number, i) => numbers.indexOf(number) !== i);
  return twice === undefined ? { ok: true, value: numbers } : refuse(field, twice, `each ${each} once`);
}

/** Returns why a series cannot start now; null if it can. */
export function whyNotStart(state: ExplorerState, plan: () => Parsed<unknown>): string | null {
  const refusal = refusalToStart(state);
  if (refusal !== null) return refusal.message;
  const [missing] = missingHere(state);
  if (missing !== undefined) return missing.explanation;
  const planned = plan();
  return planned.ok ? null : describeFaults(planned.errors)[0]!;
}
