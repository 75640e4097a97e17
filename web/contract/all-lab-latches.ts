// Provides the lab's latches of this build, and the published claims about them. Import it lazily:
// it is fetched with the lab.
import { latches, literature } from 'virtual:lab-latches';

import type { LabLatch, LatchLiterature } from './lab-latches.ts';

export const all_lab_latches = latches as readonly LabLatch[];

const claims_of = literature as Readonly<Record<string, readonly LatchLiterature[]>>;

export const literatureOf = (latch: string): readonly LatchLiterature[] => claims_of[latch] ?? [];
