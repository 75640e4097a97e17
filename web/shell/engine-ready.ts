import type { Session } from '../session/session';
import type { View } from '../session/store';

/** The start page's cards play recorded runs, and the lab has engines of its own. */
const viewsWithoutEngine: ReadonlySet<View> = new Set(['front', 'lab']);

/**
 * Loads the engine as soon as a view that runs it is shown, so that it is ready before the reader
 * presses Run. Settles when that is done for the present view, even if loading fails.
 */
export async function keepEngineReady(session: Session): Promise<void> {
  const { store } = session;
  const loadFor = (view: View) => (viewsWithoutEngine.has(view) ? null : session.engine());
  store.subscribe(({ view }, before) => {
    if (view !== before.view) loadFor(view)?.catch(() => undefined);
  });
  await loadFor(store.getState().view)?.catch(() => undefined);
}
