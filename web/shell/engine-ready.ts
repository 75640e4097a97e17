import type { Session } from '../session/session';
import type { View } from '../session/store';

/** The cards of the start page play recorded runs, and the lab has engines of its own. */
const views_without_engine: ReadonlySet<View> = new Set(['front', 'lab']);

/**
 * From now on the engine stands ready by the time that somebody presses Run: it is loaded as soon as a view is shown that
 * runs it. Settles when that is done for the view that is shown now, also where it fails.
 */
export async function keepEngineReady(session: Session): Promise<void> {
  const { store } = session;
  const loadFor = (view: View) => (views_without_engine.has(view) ? null : session.engine());
  store.subscribe(({ view }, before) => {
    if (view !== before.view) loadFor(view)?.catch(() => undefined);
  });
  await loadFor(store.getState().view)?.catch(() => undefined);
}
