// Finds the lines of a workload that take latches or wait for events, and what each cost in a run.
import type { LatchFigures, LatchRow } from '../../contract/live-view';
import { script_operations } from '../../contract/workload-code-operations.ts';
import type { WorkloadProgram } from '../../contract/workload-program';
import { formatFigure, formatShare } from '../format';
import { costOf } from '../latch-table';

interface TakenLatch {
  /** From 1. */
  line: number;
  latch: string;
  /** The enclosing part. Several lines of one part with the same latch or word are one site. */
  site: string;
}

type Operation = (typeof script_operations)[number];

const operationsOf = (is: (operation: Operation) => boolean) =>
  new Set([...script_operations.entries()].filter(([, one]) => is(one)).map(([op]) => op));

const taking = operationsOf(({ immediate }) => immediate === 'hold');
const sleeping = operationsOf(({ name }) => name === 'futex_wait' || name === 'wait');

/** Returns each latch that a line takes, and each word that it waits for, in the order of the code. */
export function linesOfLatches(program: WorkloadProgram): TakenLatch[] {
  const { code, source_lines: lines, holds, latches, names, words = [] } = program;
  return lines.flatMap((line, place) => {
    const op = code[2 * place]! & 0xff;
    const immediate = code[2 * place + 1]!;
    const number = immediate & 0xffff;
    if (sleeping.has(op)) return { line, latch: words[number]!.name, site: names[immediate >>> 24]! };
    if (!taking.has(op)) return [];
    const hold = holds[number]!;
    return { line, latch: latches[hold.latch]!.name, site: names[hold.site]! };
  });
}

export interface LineCost {
  /** Of the clients' time. */
  text: string;
  explanation: string;
}

/**
 * Returns what the latches of each line cost, by line. Lines that share a site have its cost
 * together, so only the first has a figure.
 */
export function costOfLines(taken: readonly TakenLatch[], rows: readonly LatchRow[]): Map<number, LineCost> {
  const found = new Map<number, { cost: number; explanations: string[] }>();
  for (const { line, latch, site } of withoutRepetitions(taken)) {
    const figures = figuresOf(rows, latch, site);
    if (figures === undefined) continue;
    const { cost, explanations } = found.get(line) ?? { cost: 0, explanations: [] };
    const words = inWords(latch, site, figures);
    found.set(line, { cost: cost + costOf(figures), explanations: [...explanations, words] });
  }
  return new Map(
    [...found].map(([line, { cost, explanations }]) => [
      line,
      { text: formatShare(cost), explanation: explanations.join('; ') },
    ]),
  );
}

const withoutRepetitions = (taken: readonly TakenLatch[]) =>
  taken.filter(
    ({ latch, site }, place) =>
      taken.findIndex((other) => other.latch === latch && other.site === site) === place,
  );

const figuresOf = (rows: readonly LatchRow[], latch: string, site: string): LatchFigures | undefined =>
  rows.find((row) => row.latch === latch)?.sites.find((one) => one.function === site);

const inWords = (latch: string, site: string, figures: LatchFigures) =>
  figures.acquisitions === 0
    ? `${latch} in ${site}: waits cost ${formatShare(costOf(figures))} of client time`
    : `${latch} in ${site}: taken ${formatFigure(figures.acquisitions_per_s)} times a second, cost ${formatShare(costOf(figures))} of client time`;
