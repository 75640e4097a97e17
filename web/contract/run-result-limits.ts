// How large a run result from a file may be: more than the engine writes for an hour with every client, and little enough
// for the page to show all of it. docs/reference/files.md states the same.
import { engine_limits } from './engine-limits.ts';
import type { Fault } from './fault.ts';
import { jsonShape } from './json-shape.ts';

const MIB = 2 ** 20;
export const FILE_MIB_MAX = 32;
export const FILE_BYTES_MAX = FILE_MIB_MAX * MIB;

export const result_limits = {
  /** Of lists and objects within each other; the engine's go to 6. */
  depth: 16,
  /** Of all lists, objects and what they hold, together. */
  values: 3_000_000,
  /** The last may be what was left of the run. */
  intervals: engine_limits.intervals_max + 1,
  /** The engine counts some 70 things. */
  counters: 1_000,
  /** The engine has room for 192 places that take a latch. */
  latches: 500,
  /** The engine writes the 64 most frequent. */
  stacks: 256,
  /** Of one stack; the engine keeps 24. */
  frames: 64,
  /** The engine keeps 2,000 lines. */
  log: 10_000,
  /** Some ten for each phase in which one design was in force. */
  invariants: 10_000,
  /** Each place of a latch is stopped once at the most, and a bug has a few. */
  latches_stopped: 32,
  /** sysbench's, before and after its intervals; the engine writes 10 and 29. */
  sysbench_lines: 100,
  /** Of the name of a latch, a function or a counter; the engine keeps 63. */
  name_characters: 128,
  /** Of any other text; the engine's lines of a log have up to 187. */
  text_characters: 500,
} as const;

/** In bytes, or in characters, of which each is at least one. */
export function fileSizeFaults(bytes: number): Fault[] {
  if (bytes <= FILE_BYTES_MAX) return [];
  return [{ field: 'file', value: `${(bytes / MIB).toFixed(1)} MiB`, allowed: `up to ${FILE_MIB_MAX} MiB` }];
}

/** Checked before parsing: what is nested too deep or holds too much is refused. */
export function shapeFaults(text: string): Fault[] {
  const { depth, values } = jsonShape(text);
  return [
    ...tooMany('file', depth, result_limits.depth, 'lists and objects within each other'),
    ...tooMany('file', values, result_limits.values, 'values'),
  ];
}

const lists = ['intervals', 'latches', 'stacks', 'log', 'invariants'] as const;

/** Of a result that is parsed, before any other check. */
export function sizeFaults(content: Record<string, unknown>): Fault[] {
  const { counters, stacks } = content;
  const frames = Array.isArray(stacks) ? stacks.slice(0, result_limits.stacks).map(framesOf) : [];
  return [
    ...lists.flatMap((list) => tooLong(list, content[list], result_limits[list])),
    ...frames.flatMap((of, i) => tooLong(`stacks[${i}].frames`, of, result_limits.frames)),
    ...(isObject(counters) ? tooMany('counters', Object.keys(counters).length, result_limits.counters) : []),
  ];
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const framesOf = (stack: unknown) => (isObject(stack) && 'frames' in stack ? stack.frames : null);

const tooLong = (field: string, list: unknown, most: number) =>
  Array.isArray(list) ? tooMany(field, list.length, most) : [];

function tooMany(field: string, count: number, most: number, of = 'entries'): Fault[] {
  if (count <= most) return [];
  const [value, allowed] = [count, most].map((number) => number.toLocaleString('en'));
  return [{ field, value: `${value!} ${of}`, allowed: `up to ${allowed!}` }];
}
