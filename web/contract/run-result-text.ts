// Reads the text of a file that the reader chose or dropped, or reports why it has none.
import type { Fault } from './fault.ts';
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

/** Reports whether the text is a measured file, by a field that run results do not have. */
export const isMeasuredText = (text: string) => /"experiments"\s*:/.test(text);

/** Reads a file as text. `allowed` is the message if it is not text. */
export async function readFileText(file: ChosenFile, allowed = A_RUN_RESULT): Promise<Parsed<string>> {
  const refuse = (value: string): { ok: false; errors: Fault[] } => ({
    ok: false,
    errors: [{ field: 'file', value, allowed }],
  });
  const errors = fileSizeFaults(file.size);
  if (errors.length > 0) return { ok: false, errors };
  const content = await file.arrayBuffer().catch(() => null);
  if (content === null) return refuse('a folder, or deleted');
  const bytes = new Uint8Array(content);
  const foreign = foreign_beginnings.find(([begin]) => begin.every((byte, i) => bytes[i] === byte));
  if (foreign !== undefined) return refuse(foreign[1]);
  if (bytes.includes(0)) return refuse('not text: it contains zero bytes');
  try {
    return { ok: true, value: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return refuse('not text in UTF-8');
  }
}
