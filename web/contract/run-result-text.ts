// Reads a file that the reader chose or dropped as text and as JSON, or reports why it cannot.
import { describeValue, isObject, toldFaults, type Fault } from './fault.ts';
import type { Parsed } from './run-spec.ts';
import { fileSizeFaults } from './run-result-limits.ts';

export const A_RUN_RESULT = 'a run result: JSON from the page or the command line';

/** First bytes of other kinds of files, and the names of these kinds. */
const foreign_beginnings: readonly [bytes: readonly number[], what: string][] = [
  [[0x1f, 0x8b], 'compressed with gzip'],
  [[0x28, 0xb5, 0x2f, 0xfd], 'compressed with zstd'],
  [[0x50, 0x4b, 0x03, 0x04], 'a zip archive'],
  [[0xff, 0xfe], 'text in UTF-16, not in UTF-8'],
  [[0xfe, 0xff], 'text in UTF-16, not in UTF-8'],
];

/** A file from the reader's device. */
export type ChosenFile = Pick<File, 'name' | 'size' | 'arrayBuffer'>;

/**
 * Reports whether a text begins as a run result or a measured file. Lists of other programs begin
 * with a square bracket, too: `[New LWP 1002]` of gdb, `[ 10s ]` of sysbench.
 */
export const beginsAsOwnFile = (beginning: string) => /^\uFEFF?\s*\{/.test(beginning);

/** Reports whether the text is a measured file, by a field that run results do not have. */
export const isMeasuredText = (text: string) => /"experiments"\s*:/.test(text);

/** Reads a file as text. `allowed` is the message if it is not text. */
export async function readFileText(file: ChosenFile, allowed = A_RUN_RESULT): Promise<Parsed<string>> {
  const refuseFile = (value: string) => refuse([{ field: 'file', value, allowed }]);
  const errors = fileSizeFaults(file.size);
  if (errors.length > 0) return { ok: false, errors };
  const content = await file.arrayBuffer().catch(() => null);
  if (content === null) return refuseFile('a folder, or deleted');
  const bytes = new Uint8Array(content);
  const foreign = foreign_beginnings.find(([begin]) => begin.every((byte, i) => bytes[i] === byte));
  if (foreign !== undefined) return refuseFile(foreign[1]);
  if (bytes.includes(0)) return refuseFile('not text: it contains zero bytes');
  try {
    return { ok: true, value: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return refuseFile('not text in UTF-8');
  }
}

/** Parses a JSON object. `allowed` is the message if it is not one. */
export function parseJsonObject(text: string, allowed: string): Parsed<Record<string, unknown>> {
  const refuseFile = (value: string) => refuse([{ field: 'file', value, allowed }]);
  try {
    const content: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    if (isObject(content)) return { ok: true, value: content };
    return refuseFile(describeValue(content));
  } catch (error) {
    return refuseFile(
      text.trim() === '' ? '' : `not JSON (${error instanceof Error ? error.message : 'broken'})`,
    );
  }
}

export const refuse = (errors: Fault[]): { ok: false; errors: Fault[] } => ({
  ok: false,
  errors: toldFaults(errors),
});
