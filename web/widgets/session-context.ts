import { createContext, useContext } from 'react';
import { useStore } from 'zustand';

import { storeWithSlice } from '../session/feature';
import type { Session } from '../session/session';
import type { ExplorerState } from '../session/store';

export const SessionContext = createContext<Session | null>(null);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('A view was mounted outside of SessionContext.');
  return session;
}

/**
 * A part of the explorer's state; the view renders again when that part changes. `State` says which slices of features the
 * view reads; the shell sees to it that they are in the store.
 */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters
export function useExplorer<Part, State extends ExplorerState = ExplorerState>(
  select: (state: State) => Part,
): Part {
  return useStore(storeWithSlice<State>(useSession().store), select);
}
