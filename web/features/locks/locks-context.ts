// Provides the page's latches and threads to views.
import { createContext, useContext } from 'react';

import type { Locks } from './locks-state';

export const LocksContext = createContext<Locks | null>(null);

export function useLocks(): Locks {
  const locks = useContext(LocksContext);
  if (locks === null) throw new Error('A view was mounted outside of LocksContext.');
  return locks;
}
