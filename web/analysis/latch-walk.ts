// A schedule under which a latch goes wrong, step by step: what happens in each, and how words, threads and store buffers stand
// afterwards. The engine says what each step does; here it is added up.
import type { LabFault, LabPhase, LabStep } from '../contract/lab-results';
import type { LabProgram, LabWord } from './latch-language/program';

/** An element of a word. */
export interface WalkCell {
  /** As it is written: next[2], or locked. */
  name: string;
  value: number;
  /** This step has changed it. */
  is_changed: boolean;
}

export interface WalkThread {
  phase: LabPhase | 'asleep';
  /** Its stores that have not taken effect, the oldest first. */
  buffered: readonly { cell: string; value: number }[];
}

export interface WalkStep {
  /** The thread that moves, from 1; null: before the first step. */
  thread: number | null;
  /** Of the source; null: before the first step. */
  line: number | null;
  sentence: string;
  cells: readonly WalkCell[];
  /** By number, from thread 1. */
  threads: readonly WalkThread[];
}

interface Cell {
  name: string;
  value: number;
}

/** How it all stands before the first step, and after each. */
export function latchWalk(program: LabProgram, fault: LabFault): WalkStep[] {
  const words = new Map(program.words.map((word) => [word.name, cellsOf(word, fault.threads)]));
  const buffers = Array.from({ length: fault.threads }, (): { cell: Cell; value: number }[] => []);
  const told = (changed: Cell | null): WalkCell[] =>
    [...words.values()].flat().map((cell) => ({ ...cell, is_changed: cell === changed }));
  const begin: WalkStep = {
    thread: null,
    line: null,
    sentence: 'Nobody has begun yet.',
    cells: told(null),
    threads: buffers.map(() => ({ phase: 'outside', buffered: [] })),
  };
  const after = fault.steps.map((step): WalkStep => {
    const changed = takeEffect(step, words, buffers[step.thread - 1]!);
    return {
      thread: step.thread,
      line: step.line,
      sentence: stepInWords(step, words),
      cells: told(changed),
      threads: step.phases.map((phase, i) => ({
        phase: step.sleepers.some(({ thread }) => thread === i + 1) ? 'asleep' : phase,
        buffered: buffers[i]!.map(({ cell, value }) => ({ cell: cell.name, value })),
      })),
    };
  });
  return [begin, ...after];
}

function cellsOf(word: LabWord, threads: number): Cell[] {
  const count = word.elements + (word.per_thread ? threads : 0);
  return Array.from({ length: count }, (_, i) => ({
    name: count === 1 ? word.name : `${word.name}[${i}]`,
    value: word.initial_is_index ? i : word.initial,
  }));
}

/** The cell whose value is another one now. */
function takeEffect(
  step: LabStep,
  words: ReadonlyMap<string, readonly Cell[]>,
  buffer: { cell: Cell; value: number }[],
): Cell | null {
  const cell = cellOf(step, words);
  if (cell === null || step.after === undefined) return null;
  if (step.buffered) {
    buffer.push({ cell, value: step.after });
    return null;
  }
  if (step.what === 'takes_effect') buffer.shift();
  const is_changed = cell.value !== step.after && writes(step);
  if (is_changed) cell.value = step.after;
  return is_changed ? cell : null;
}

/** A load may have found its own thread's store, which nobody else sees yet. */
const writes = ({ operation, what }: LabStep) =>
  what === 'takes_effect' || (operation !== 'load' && !operation.startsWith('futex'));

function cellOf({ word, index }: LabStep, words: ReadonlyMap<string, readonly Cell[]>): Cell | null {
  return word === undefined ? null : (words.get(word)?.[index ?? 0] ?? null);
}

function stepInWords(step: LabStep, words: ReadonlyMap<string, readonly Cell[]>): string {
  const { operation, what, result, before, after } = step;
  const name = cellOf(step, words)?.name ?? '';
  if (what === 'choice') return `random gives ${result}`;
  if (what === 'leaves') return 'exit returns, and has touched no word';
  if (name === '') return operation;
  if (what === 'takes_effect') return `its store takes effect: ${name} becomes ${after}`;
  if (step.falls_asleep) return `futex_wait ${name}: it is ${before}, falls asleep`;
  if (operation === 'futex_wait') return `futex_wait ${name}: it is ${before}, goes on`;
  if (operation === 'futex_wake') return `futex_wake ${name}: wakes ${result}`;
  if (step.buffered) return `store ${name} = ${after}, which nobody else sees yet`;
  if (operation === 'load') return `load ${name}: finds ${before}`;
  return `${operation} ${name}: ${before === after ? `stays ${before}` : `${before} becomes ${after}`}`;
}
