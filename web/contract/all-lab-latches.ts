// The latches of the lab that this page was built with, and what literature says of them. Fetched with the lab: import it where it
// is needed.
import { latches, literature } from 'virtual:lab-latches';

import type { LabLatch, LatchLiterature } from './lab-latches.ts';

export const all_lab_latches = latches as readonly LabLatch[];

const claims_of = literature as Readonly<Record<string, readonly LatchLiterature[]>>;

export const literatureOf = (latch: string): readonly LatchLiterature[] => claims_of[latch] ?? [];
