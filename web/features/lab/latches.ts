// Lists the latches of lab/latches/, with which a reader can start.
import { all_lab_latches } from '../../contract/all-lab-latches';
import type { LatchVerdict } from '../../contract/lab-latches';

const files = import.meta.glob<string>('../../../lab/latches/**/*.latch', {
  query: '?raw',
  import: 'default',
  eager: true,
});

const FOLDER = 'lab/latches/';
const idOf = (path: string) => path.slice(path.indexOf(FOLDER) + FOLDER.length, -'.latch'.length);

const sources: ReadonlyMap<string, string> = new Map(
  Object.entries(files).map(([path, source]) => [idOf(path), source]),
);

export interface LatchGroup {
  title: string;
  latches: readonly string[];
}

const thatAre = (wanted: LatchVerdict) =>
  all_lab_latches.filter(({ verdict }) => verdict === wanted).map(({ latch }) => latch);

export const latchGroups: readonly LatchGroup[] = [
  { title: 'Right', latches: thatAre('right') },
  { title: 'Right, but can starve', latches: thatAre('starving') },
  { title: 'Wrong', latches: thatAre('wrong') },
];

/** Well-known latches to measure next to the reader's. */
export const referenceLatches: readonly string[] = all_lab_latches
  .filter(({ is_reference }) => is_reference)
  .map(({ latch }) => latch);

/** The number of latches measured at the same time, limited because each has a color. */
export const REFERENCES_MAX = 4;

/** Returns undefined for an unknown name. */
export const sourceOfLatch = (id: string): string | undefined => sources.get(id);
