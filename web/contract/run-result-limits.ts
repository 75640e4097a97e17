// Limits the size of a run result from a file. The limits exceed the engine's output for an hour
// with all clients, and the page can show all that they allow. docs/reference/files.md lists the
// same limits.
import { engine_limits } from './engine-limits.ts';
import type { Fault } from './fault.ts';

const MIB = 2 ** 20;
export const FILE_MIB_MAX = 32;
export const FILE_BYTES_MAX = FILE_MIB_MAX * MIB;

export const result_limits = {
  /** Nesting of lists and objects; the engine's have up to 6. */
  depth: 16,
  /** Total number of lists, objects and their members. */
  values: 3_000_000,
  /** The last one may be the rest of the run. */
  intervals: engine_limits.intervals_max + 1,
  /** The engine has about 70 counters. */
  counters: 1_000,
  /** The engine has space for 192 places that acquire a latch. */
  latches: 500,
  /** The engine writes the 64 most frequent ones. */
  stacks: 256,
  /** Per stack; the engine stores 24. */
  frames: 64,
  /** The engine stores 2,000 lines. */
  log: 10_000,
  /** About ten for each phase with one design. */
  invariants: 10_000,
  /** Each place of a latch is stopped at most once, and a bug has a few. */
  latches_stopped: 32,
  /** Lines of sysbench before and after its intervals; the engine writes 10 and 29. */
  sysbench_lines: 100,
  /** Name of a latch, a function or a counter; the engine stores 63 characters. */
  name_characters: 128,
  /** Any other text; lines of the engine's log have up to 187 characters. */
  text_characters: 500,
} as const;

/** Checks the size in bytes, or in characters, each of which is at least one byte. */
export function fileSizeFaults(bytes: number, mib_max = FILE_MIB_MAX): Fault[] {
  if (bytes <= mib_max * MIB) return [];
  return [{ field: 'file', value: `${(bytes / MIB).toFixed(1)} MiB`, allowed: `up to ${mib_max} MiB` }];
}

/** Checks nesting and size before parsing. */
export function shapeFaults(text: string): Fault[] {
  const { depth, values } = jsonShape(text);
  return [
    ...tooMany('file', depth, result_limits.depth, 'lists and objects within each other'),
    ...tooMany('file', values, result_limits.values, 'values'),
  ];
}

const lists = ['intervals', 'latches', 'stacks', 'log', 'invariants'] as const;

/** Checks the sizes of a parsed result, before any other check. */
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

/** The size of a JSON document, measured before it is parsed. */
interface JsonShape {
  /** Nesting depth of lists and objects. */
  depth: number;
  /** Approximate number of lists, objects and members: commas and opening brackets. */
  values: number;
}

const codes = ['"', '\\', ',', '[', '{', ']', '}'].map((character) => character.charCodeAt(0));
const [QUOTE, BACKSLASH, COMMA, OPEN_LIST, OPEN_OBJECT, CLOSE_LIST, CLOSE_OBJECT] = codes;

function jsonShape(text: string): JsonShape {
  const shape = { depth: 0, values: 0 };
  let level = 0;
  let is_string = false;
  for (let i = 0; i < text.length; i += 1) {
    const character = text.charCodeAt(i);
    if (is_string) {
      if (character === BACKSLASH) i += 1;
      else if (character === QUOTE) is_string = false;
    } else if (character === QUOTE) is_string = true;
    else if (character === COMMA) shape.values += 1;
    else if (character === OPEN_LIST || character === OPEN_OBJECT) {
      level += 1;
      shape.values += 1;
      if (level > shape.depth) shape.depth = level;
    } else if (character === CLOSE_LIST || character === CLOSE_OBJECT) level -= 1;
  }
  return shape;
}
