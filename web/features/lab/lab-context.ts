import { createContext, useContext } from 'react';

import type { LatchLab } from './latch-lab';

export const LabContext = createContext<LatchLab | null>(null);

export function useLab(): LatchLab {
  const lab = useContext(LabContext);
  if (lab === null) throw new Error('A view was mounted outside of LabContext.');
  return lab;
}
