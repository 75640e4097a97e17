// Samples of the forms, and helpers that read a text as a whole.
import type { Fault } from '../../../contract/fault';
import { type Imported, type ImportForm, ImportRefused } from '../reader';

const texts = import.meta.glob<string>('./*.txt', { query: '?raw', import: 'default', eager: true });

export const sampleNames = Object.keys(texts).map((path) => path.replace(/^\.\/|\.txt$/g, ''));

export const sampleOf = (name: string): string => texts[`./${name}.txt`]!;

export const linesOf = (text: string) => text.replace(/\n$/, '').split('\n');

export function readText(form: ImportForm, text: string): Imported[] {
  const lines = linesOf(text);
  const reader = form.open();
  for (const [index, line] of lines.entries()) reader.line(line, index + 1);
  return reader.end(lines.length);
}

export function faultOf(read: () => unknown): Fault {
  try {
    read();
  } catch (error) {
    if (error instanceof ImportRefused) return error.fault;
    throw error;
  }
  throw new Error('nothing was refused');
}
