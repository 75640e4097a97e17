// The latches of lab/latches/, which a reader can begin with.
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

export const latch_groups: readonly LatchGroup[] = [
  { title: 'Right', latches: thatAre('right') },
  { title: 'Right, but can starve', latches: thatAre('starving') },
  { title: 'Wrong', latches: thatAre('wrong') },
];

/** Latches that are known well, to be measured beside the reader's. */
export const reference_latches: readonly string[] = all_lab_latches
  .filter(({ is_reference }) => is_reference)
  .map(({ latch }) => latch);

/** So many are measured at one time: each has a colour. */
export const REFERENCES_MAX = 4;

/** Undefined: there is none of that name. */
export const sourceOfLatch = (id: string): string | undefined => sources.get(id);
