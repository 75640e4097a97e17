// A schedule under which a latch goes wrong, step by step: what happens in each, and how words, threads and store buffers stand
// afterwards. All of it is what the checker has told (wasm-engine/lab/check_trace.h); here it gets names.
import { group } from 'd3-array';

import type {
  LabCheckResult,
  LabElement,
  LabFault,
  LabMoment,
  LabPhase,
  LabStep,
  LabThread,
} from '../contract/lab-results';

/** An element of a word. */
export interface WalkCell {
  /** As it is written: next[2], or locked. */
  name: string;
  value: number;
  /** This step has changed it. */
  is_changed: boolean;
}

export interface WalkThread {
  /** From 1. */
  number: number;
  phase: LabPhase;
  is_asleep: boolean;
  has_ended: boolean;
  /** Of the source: what it carries out next, or sleeps in; null: nothing. */
  line: number | null;
  is_shared: boolean;
  goes_round: boolean;
  waits_for_its_stores: boolean;
  /** Its stores that have not taken effect, the oldest first. */
  unseen: readonly { cell: string; value: number }[];
}

/** Those who sleep on an element, in the order in which they will be woken. */
export interface WalkQueue {
  cell: string;
  threads: readonly number[];
}

export interface WalkStep {
  /** The thread that moves, from 1; null: before the first step. */
  thread: number | null;
  /** It carries something out, rather than that a store of its takes effect. */
  is_turn: boolean;
  /** Of the source; null: before the first step. */
  line: number | null;
  sentence: string;
  cells: readonly WalkCell[];
  threads: readonly WalkThread[];
  queues: readonly WalkQueue[];
}

/** What a check shows: what is wrong; else how a thread can starve. */
export const shownFault = ({ fault, starvation }: LabCheckResult): LabFault | undefined =>
  fault ?? starvation;

/** How it all stands before the first step, and after each. */
export function latchWalk({ begin, steps }: LabFault): WalkStep[] {
  const nameOf = namesIn(begin);
  const moments = [begin, ...steps.map(({ afterwards }) => afterwards)];
  return moments.map((moment, i) => {
    const step = i === 0 ? null : steps[i - 1]!;
    return {
      thread: step?.thread ?? null,
      is_turn: step !== null && step.what !== 'takes_effect',
      line: step?.line ?? null,
      sentence: step === null ? 'No word accessed yet.' : stepInWords(step, nameOf),
      cells: cellsOf(moment, moments[i - 1] ?? moment),
      threads: moment.threads.map((thread, number) => threadOf(thread, number + 1, moment, nameOf)),
      queues: queuesOf(moment, nameOf),
    };
  });
}

const PACKED_FROM = 0x1_0000;

/** A word that packs several things shows its bits, as on the command line. */
export const valueInWords = (value: number) =>
  value < PACKED_FROM ? String(value) : `0x${value.toString(16)}`;

type NameOf = (element: LabElement) => string;

const nameOfCell = (word: string, index: number, count: number) => (count === 1 ? word : `${word}[${index}]`);

function namesIn({ words }: LabMoment): NameOf {
  const counts = new Map(words.map(({ word, values }) => [word, values.length]));
  return ({ word, index }) => nameOfCell(word, index, counts.get(word) ?? 1);
}

const cellsOf = ({ words }: LabMoment, before: LabMoment): WalkCell[] =>
  words.flatMap(({ word, values }, number) =>
    values.map((value, index) => ({
      name: nameOfCell(word, index, values.length),
      value,
      is_changed: value !== before.words[number]!.values[index],
    })),
  );

function threadOf(told: LabThread, number: number, { sleepers }: LabMoment, nameOf: NameOf): WalkThread {
  return {
    number,
    phase: told.phase,
    is_asleep: sleepers.some(({ thread }) => thread === number),
    has_ended: told.ended ?? false,
    line: told.line ?? null,
    is_shared: told.shared ?? false,
    goes_round: told.goes_round ?? false,
    waits_for_its_stores: told.waits_for_its_stores ?? false,
    unseen: told.unseen_stores.map((store) => ({ cell: nameOf(store), value: store.value })),
  };
}

function queuesOf({ sleepers }: LabMoment, nameOf: NameOf): WalkQueue[] {
  const by_cell = group(sleepers, nameOf);
  return [...by_cell].map(([cell, asleep]) => ({ cell, threads: asleep.map(({ thread }) => thread) }));
}

function stepInWords(step: LabStep, nameOf: NameOf): string {
  const { operation, what, result, before = 0, after = 0, word, index } = step;
  if (what === 'choice') return `random gives ${result}`;
  if (what === 'leaves') return 'exit returns without accessing a word';
  if (word === undefined) return operation;
  const name = nameOf({ word, index: index ?? 0 });
  if (what === 'takes_effect') return `its store takes effect: ${name} becomes ${valueInWords(after)}`;
  if (step.falls_asleep) return `futex_wait ${name}: it is ${valueInWords(before)}, falls asleep`;
  if (operation === 'futex_wait') return `futex_wait ${name}: it is ${valueInWords(before)}, returns`;
  if (operation === 'futex_wake') return `futex_wake ${name}: wakes ${result}`;
  if (step.buffered) return `store ${name} = ${valueInWords(after)}, not yet visible`;
  if (operation === 'load') return `load ${name}: finds ${valueInWords(before)}`;
  return `${operation} ${name}: ${before === after ? `stays ${valueInWords(before)}` : `${valueInWords(before)} becomes ${valueInWords(after)}`}`;
}
