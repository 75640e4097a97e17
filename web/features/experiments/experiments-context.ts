// Provides the page's experiments to views.
import { createContext, useContext } from 'react';

import type { Experiments } from './experiments';

export const ExperimentsContext = createContext<Experiments | null>(null);

export function useExperiments(): Experiments {
  const experiments = useContext(ExperimentsContext);
  if (experiments === null) throw new Error('A view was mounted outside of ExperimentsContext.');
  return experiments;
}
