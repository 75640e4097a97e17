// Walks through a schedule that makes a latch fail: each step's event, and the words, threads and
// store buffers after it. The data is the checker's (wasm-engine/lab/check_trace.h); this file adds
// names.
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
interface WalkCell {
  /** As in the source: next[2], or locked. */
  name: string;
  value: number;
  /** This step changed it. */
  isChanged: boolean;
}

export interface WalkThread {
  /** Counts from 1. */
  number: number;
  phase: LabPhase;
  isAsleep: boolean;
  hasEnded: boolean;
  /** Source line that it runs next, or in which it sleeps; null: none. */
  line: number | null;
  isShared: boolean;
  goesRound: boolean;
  waitsForItsStores: boolean;
  /** Its stores that have not taken effect, oldest first. */
  unseen: readonly { cell: string; value: number }[];
}

/** Threads that sleep on an element, in the order in which they will wake. */
interface WalkQueue {
  cell: string;
  threads: readonly number[];
}

export interface WalkStep {
  /** The thread that moves, counted from 1; null before the first step. */
  thread: number | null;
  /** True if the thread runs an instruction, false if one of its stores takes effect. */
  isTurn: boolean;
  /** Source line; null before the first step. */
  line: number | null;
  sentence: string;
  /** What the step did, in short lines: the word, and the values read and written. */
  values: readonly string[];
  cells: readonly WalkCell[];
  threads: readonly WalkThread[];
  queues: readonly WalkQueue[];
}

/** Returns the fault that a check found, otherwise the schedule by which a thread starves. */
export const shownFault = ({ fault, starvation }: LabCheckResult): LabFault | undefined =>
  fault ?? starvation;

/** Returns the state before the first step and after each step. */
export function latchWalk({ begin, steps }: LabFault): WalkStep[] {
  const nameOf = namesIn(begin);
  const moments = [begin, ...steps.map(({ afterwards }) => afterwards)];
  return moments.map((moment, i) => {
    const step = i === 0 ? null : steps[i - 1]!;
    return {
      thread: step?.thread ?? null,
      isTurn: step !== null && step.what !== 'takes_effect',
      line: step?.line ?? null,
      sentence: step === null ? 'No word accessed yet.' : stepInWords(step, nameOf),
      values: step === null ? [] : valuesOf(step, nameOf),
      cells: cellsOf(moment, moments[i - 1] ?? moment),
      threads: moment.threads.map((thread, number) => threadOf(thread, number + 1, moment, nameOf)),
      queues: queuesOf(moment, nameOf),
    };
  });
}

const PACKED_FROM = 0x1_0000;

/** Writes a value in hexadecimal if the word packs several fields, as the command line does. */
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
      isChanged: value !== before.words[number]!.values[index],
    })),
  );

function threadOf(told: LabThread, number: number, { sleepers }: LabMoment, nameOf: NameOf): WalkThread {
  return {
    number,
    phase: told.phase,
    isAsleep: sleepers.some(({ thread }) => thread === number),
    hasEnded: told.ended ?? false,
    line: told.line ?? null,
    isShared: told.shared ?? false,
    goesRound: told.goes_round ?? false,
    waitsForItsStores: told.waits_for_its_stores ?? false,
    unseen: told.unseen_stores.map((store) => ({ cell: nameOf(store), value: store.value })),
  };
}

function queuesOf({ sleepers }: LabMoment, nameOf: NameOf): WalkQueue[] {
  const byCell = group(sleepers, nameOf);
  return [...byCell].map(([cell, asleep]) => ({ cell, threads: asleep.map(({ thread }) => thread) }));
}

function stepInWords(step: LabStep, nameOf: NameOf): string {
  const { operation, what, result, before = 0, after = 0, word, index } = step;
  if (what === 'choice') return `random returns ${result}`;
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

/** Returns only values that the checker reports as read or written by the step. */
function valuesOf(step: LabStep, nameOf: NameOf): string[] {
  const { operation, what, result, read, wrote, word, index } = step;
  if (what === 'choice') return ['random', `returns ${result}`];
  if (what === 'leaves') return ['exit', 'no access'];
  if (word === undefined) return [operation];
  const lines = [nameOf({ word, index: index ?? 0 })];
  if (read !== undefined) lines.push(`reads ${valueInWords(read)}`);
  if (wrote !== undefined) lines.push(`writes ${valueInWords(wrote)}`);
  if (operation === 'compare_exchange' && wrote === undefined) lines.push('no write');
  if (operation === 'futex_wake') lines.push(`wakes ${result}`);
  if (operation === 'futex_wait') lines.push(step.falls_asleep ? 'falls asleep' : 'returns');
  if (step.buffered) lines.push('in its buffer');
  if (what === 'takes_effect') lines.push('takes effect');
  return lines;
}
