// Computes the three numbers of a stage from the rows of a run.
import type { Manifest } from '../../contract/manifest';
import type { StageFigure, StageStory } from '../../contract/scenario-files/stage';
import { formatFigure, formatRatio } from '../../analysis/format';
import type { HistoryRows } from '../../recording/history';
import { measuredPhases, type RunPhase } from '../../session/measured-phases';
import type { Course } from './course';

export interface StageNumber {
  title: string;
  figure: StageFigure;
  value: number;
  /**
   * Ratio to the number before, if both have the same unit: above 1 for more transactions or a shorter
   * time.
   */
  ratio: number | null;
}

/** A part of a run, from one step to the next. */
type Part = Pick<RunPhase, 'fromS' | 'toS' | 'tps'>;

/**
 * Returns the numbers of a recorded course. Rates follow the rule of all rates of the page
 * (analysis/rate-window.ts). Throws if a phase is too short to measure.
 */
export function stageNumbers(story: StageStory, course: Course, manifest: Manifest): StageNumber[] {
  const phases = measuredPhases(course, manifest);
  const numbers: StageNumber[] = [];
  for (const { title, after, figure } of story.numbers) {
    const part = partAfter(story, after, phases);
    const value = figures[figure](part, course.history, numbers[0]?.value ?? Number.NaN);
    if (value === null) throw new Error(`${manifest.id}: the phase after step ${after} is too short.`);
    const before = numbers.at(-1);
    const isComparable = before?.figure === figure && value > 0;
    const ratio = !isComparable ? null : figure === 'rate' ? value / before.value : before.value / value;
    numbers.push({ title, figure, value, ratio });
  }
  return numbers;
}

/** The engine applies a step shortly after its time. */
function partAfter({ course }: StageStory, step: number, phases: readonly RunPhase[]): Part {
  const atS = step === 0 ? 0 : course.steps[step - 1]!.at_s;
  const late = ({ fromS }: Part) => Math.abs(fromS - atS);
  return phases.reduce((nearest, phase) => (late(phase) < late(nearest) ? phase : nearest));
}

const figures: Record<StageFigure, (part: Part, rows: HistoryRows, firstRate: number) => number | null> = {
  rate: ({ tps }) => tps,
  standstill_s: longestStandstillS,
  recovery_s: recoveryS,
};

/** Returns the longest time without a transaction. */
function longestStandstillS({ fromS, toS }: Part, rows: HistoryRows): number {
  const tS = rows.column('t_s');
  const transactions = rows.column('transactions');
  let longestS = 0;
  let lastChange = 0;
  for (let row = 1; row < rows.length; row += 1) {
    if (transactions[row] === transactions[lastChange]) {
      const seconds = Math.min(toS, tS[row]!) - Math.max(fromS, tS[lastChange]!);
      longestS = Math.max(longestS, seconds);
    } else lastChange = row;
  }
  return longestS;
}

/** Returns the time from the step until the rate stays above half of the first number. */
function recoveryS({ fromS, toS }: Part, rows: HistoryRows, firstRate: number): number {
  const tS = rows.column('t_s');
  const rate = rows.column('transactions_per_s');
  let recoveredS = fromS;
  for (let row = 0; row < rows.length; row += 1) {
    const isInPart = tS[row]! > fromS && tS[row]! <= toS;
    if (isInPart && rate[row]! < firstRate / 2) recoveredS = tS[row]!;
  }
  return recoveredS - fromS;
}

/** Returns a number with its unit, in three digits: rates as counts, times in seconds or milliseconds. */
export function numberInWords({ figure, value }: Pick<StageNumber, 'figure' | 'value'>): string {
  if (figure === 'rate') return formatFigure(Number(value.toPrecision(3)));
  return value >= 1 ? `${formatFigure(value)} s` : `${formatFigure(value * 1000)} ms`;
}

/** Returns a factor above 1, such as `÷ 78` for fewer transactions; empty if there is none. */
export function ratioInWords({ ratio, figure }: StageNumber): string {
  if (ratio === null) return '';
  return figure === 'rate' ? formatRatio(ratio) : `${formatRatio(ratio)} sooner`;
}

/** Replaces {1} to {3} with the numbers, and {2x} and {3x} with their factors. */
export function withNumbers(words: string, numbers: readonly StageNumber[]): string {
  return words.replace(/\{([1-3])(x?)\}/g, (_, place: string, isFactor: string) => {
    const number = numbers[Number(place) - 1]!;
    if (isFactor === '') return numberInWords(number);
    const { ratio } = number;
    return ratio === null ? '' : formatRatio(Math.max(ratio, 1 / ratio));
  });
}
