// Lists the latches of lab/latches/, with which a reader can start.
import { labGallery } from '../../analysis/lab-gallery';
import { all_lab_latches } from '../../contract/all-lab-latches';
import type { LatchVerdict } from '../../contract/lab-latches';

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
export const sourceOfLatch = (id: string): string | undefined => labGallery.sourceOf(id);
