import type { ExplorerState } from '../state/store';
import { scheduleInFrame, unschedule } from './frame-scheduler';
import type { Session } from '../state/session';

interface Drawing {
  draw: () => void;
  /** Takes over the colours of the page. */
  restyle: () => void;
  /** Calls back when the data have grown; returns how to end that. */
  subscribe: (onData: () => void) => () => void;
  /** Whether a change of the page's state is seen in the drawing. */
  concerns: (state: ExplorerState, before: ExplorerState) => boolean;
}

/** Draws at most once per animation frame. Returns the function that ends it. */
export function drawOnChanges(session: Session, { draw, restyle, subscribe, concerns }: Drawing): () => void {
  const schedule = () => {
    scheduleInFrame(draw);
  };
  const dark_mode = matchMedia('(prefers-color-scheme: dark)');
  dark_mode.addEventListener('change', restyle);
  const unsubscribe_data = subscribe(schedule);
  const unsubscribe_store = session.store.subscribe((state, before) => {
    if (state.theme !== before.theme) restyle();
    if (concerns(state, before)) schedule();
  });
  schedule();
  return () => {
    unschedule(draw);
    dark_mode.removeEventListener('change', restyle);
    unsubscribe_data();
    unsubscribe_store();
  };
}
