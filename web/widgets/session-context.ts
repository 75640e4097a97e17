import { createContext, useContext } from 'react';
import { useStore } from 'zustand';

import type { Session } from '../session/session';
import type { ExplorerState } from '../session/store';

export const SessionContext = createContext<Session | null>(null);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('A view was mounted outside of SessionContext.');
  return session;
}

/** A part of the explorer's state; the view renders again when that part changes. */
export function useExplorer<Part>(select: (state: ExplorerState) => Part): Part {
  return useStore(useSession().store, select);
}
