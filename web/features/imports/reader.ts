// Reads a file in pieces. Loaded with the first one, with the readers of all forms.
import type { NamedText } from '../../analysis/imports/imported-waits';
import type { Fault } from '../../contract/fault';
import { findEntryIn } from '../../analysis/imports/import-report';
import { isGzip, readProfile } from '../../analysis/imports/pprof';
import { ImportRefused } from '../../analysis/imports/reader';
import { SnapshotsRefused } from '../../analysis/imports/snapshots';
import { shownStacks, type ShownStacks } from '../../analysis/imports/shown-stacks';
import { TextImport } from '../../analysis/imports/text-import';

export { importReport } from '../../analysis/imports/import-report';

export const stacksOf = (texts: readonly NamedText[]): ShownStacks => shownStacks(texts, findEntryIn(texts));

/** A file that is read in pieces. */
export type StreamedFile = Pick<File, 'name' | 'size' | 'slice' | 'stream' | 'arrayBuffer'>;

/** Takes a few milliseconds, so that the page answers meanwhile. */
const PIECE_BYTES = 128 * 1024;

/** Lets the page draw and take input, whose tasks come before the next one. */
const nextTask = () =>
  new Promise<void>((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });

/** Calls `onBytes` after each piece. Stops when `stop` is aborted. */
export async function readFile(
  file: StreamedFile,
  stop: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<NamedText> {
  const pieces = file.stream().getReader();
  let piece = await pieces.read();
  if (piece.value !== undefined && isGzip(piece.value)) {
    await pieces.cancel();
    return { source: file.name, ...(await readProfile(file)) };
  }
  const reading = new TextImport();
  try {
    for (; !piece.done; piece = await pieces.read()) {
      for (let at = 0; at < piece.value.length; at += PIECE_BYTES) {
        const part = piece.value.subarray(at, at + PIECE_BYTES);
        reading.write(part);
        onBytes(part.length);
        await nextTask();
        stop.throwIfAborted();
      }
    }
  } finally {
    await pieces.cancel();
  }
  return { source: file.name, ...reading.end() };
}

/** Returns the fault of a text; null if the error is not the text's. */
export function faultOf(error: unknown): Fault | null {
  if (error instanceof ImportRefused || error instanceof SnapshotsRefused) return error.fault;
  if (error instanceof DOMException)
    return { field: 'file', value: 'a folder, or deleted', allowed: 'a file that can be read' };
  return null;
}
