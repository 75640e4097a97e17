// Puts the numbers of a stage into words: before, broken and fixed.
import type { StageFigure } from '../contract/scenario-files/stage';
import { formatFigure, formatRatio } from './format';

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

/** Returns the numbers of a stage from their values. */
export function stageNumbersOf(
  stated: readonly Pick<StageNumber, 'title' | 'figure'>[],
  values: readonly number[],
): StageNumber[] {
  return stated.map(({ title, figure }, place) => {
    const value = values[place]!;
    const before = values[place - 1]!;
    const isComparable = stated[place - 1]?.figure === figure && value > 0;
    const ratio = !isComparable ? null : figure === 'rate' ? value / before : before / value;
    return { title, figure, value, ratio };
  });
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
export const withNumbers = (words: string, numbers: readonly StageNumber[]): string =>
  partsWithNumbers(words, numbers)
    .map(({ text }) => text)
    .join('');

/** The same in parts, so that the numbers can stand out. */
export function partsWithNumbers(
  words: string,
  numbers: readonly StageNumber[],
): { text: string; isNumber: boolean }[] {
  return words
    .split(/(\{[1-3]x?\})/)
    .filter((text) => text !== '')
    .map((text) => {
      const [, place, factor] = /^\{([1-3])(x?)\}$/.exec(text) ?? [];
      if (place === undefined) return { text, isNumber: false };
      const number = numbers[Number(place) - 1]!;
      return { text: factor === '' ? numberInWords(number) : factorInWords(number), isNumber: true };
    });
}

const factorInWords = ({ ratio }: StageNumber) =>
  ratio === null ? '' : formatRatio(Math.max(ratio, 1 / ratio));
