import { useSyncExternalStore } from 'react';

import type { Session } from '../session/session';
import { useSession } from './session-context';

/** Returns a value of the charts; the view renders again only when the value has changed. */
export function useOfCharts<Value extends string | number | boolean>(
  read: (session: Session) => Value,
): Value {
  const session = useSession();
  return useSyncExternalStore(
    (onChange) => subscribe(session, onChange),
    () => read(session),
  );
}

function subscribe({ store, history }: Session, onChange: () => void): () => void {
  const unsubscribes = [store.subscribe(onChange), history.subscribe(onChange)];
  return () => {
    for (const unsubscribe of unsubscribes) unsubscribe();
  };
}
