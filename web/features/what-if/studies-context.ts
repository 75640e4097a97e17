// Provides the page's what-if studies to views.
import { createContext, useContext } from 'react';

import type { Studies } from './studies';

export const StudiesContext = createContext<Studies | null>(null);

export function useStudies(): Studies {
  const studies = useContext(StudiesContext);
  if (studies === null) throw new Error('A view was mounted outside of StudiesContext.');
  return studies;
}
