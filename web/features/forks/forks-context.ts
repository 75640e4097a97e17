// Provides the page's branches to views.
import { createContext, useContext } from 'react';

import type { Forks } from './forks';

export const ForksContext = createContext<Forks | null>(null);

export function useForks(): Forks {
  const forks = useContext(ForksContext);
  if (forks === null) throw new Error('A view was mounted outside of ForksContext.');
  return forks;
}
