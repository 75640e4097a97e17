// Provides the latch lab to views.
import { createContext, use } from 'react';

import type { Lab } from './lab';
import type { LatchLab } from './latch-lab';

export const LabContext = createContext<Lab | null>(null);

/** Suspends until the lab is loaded. */
export function useLab(): LatchLab {
  const lab = use(LabContext);
  if (lab === null) throw new Error('A view was mounted outside of LabContext.');
  return use(lab.load());
}
