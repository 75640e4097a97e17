import type { Session } from '../session/session';
import { isOfBug, type View } from '../session/store';

/**
 * Loads the engine as soon as a view that runs it is shown, so that it is ready before the reader
 * presses Run. Settles when that is done for the present view, even if loading fails.
 */
export async function keepEngineReady(session: Session): Promise<void> {
  const { store } = session;
  const loadFor = (view: View) => (isOfBug(view) ? session.engine() : null);
  store.subscribe(({ view }, before) => {
    if (view !== before.view) loadFor(view)?.catch(() => undefined);
  });
  await loadFor(store.getState().view)?.catch(() => undefined);
}
