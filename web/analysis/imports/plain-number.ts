// Reads the numbers that tools of the C locale print, and refuses those of other locales.
import { ImportRefused } from './reader';

const WHOLE = /^\d{1,15}$/;
const DECIMAL = /^\d{1,15}(?:\.\d{1,30})?$/;

/** Reads a number without separators, such as 214.56. */
export function plainNumber(text: string, line: number): number {
  if (!DECIMAL.test(text)) throw new ImportRefused(line, text, 'a number such as 214.56');
  return Number(text);
}

/** Reads a count without separators, such as 7178. */
export function plainCount(text: string, line: number): number {
  if (!WHOLE.test(text)) throw new ImportRefused(line, text, 'a whole number such as 7178');
  return Number(text);
}
