import type { ExplorerState } from '../session/store';
import { scheduleInFrame, scheduleNext, unschedule } from '../charts/frame-scheduler';
import type { Session } from '../session/session';

interface Drawing {
  draw: () => void;
  /** Takes over the colours of the page. */
  restyle: () => void;
  /** Calls back when the data have grown; returns how to end that. */
  subscribe: (onData: () => void) => () => void;
  /** Whether a change of the page's state is seen in the drawing. */
  concerns: (state: ExplorerState, before: ExplorerState) => boolean;
  /** Called with what drawing has thrown. */
  onFault: (error: unknown) => void;
}

/** Draws at most once per animation frame. Returns the function that ends it. */
export function drawOnChanges(
  session: Session,
  { draw, restyle: restyleNow, subscribe, concerns, onFault }: Drawing,
): () => void {
  const drawNow = orFault(draw, onFault);
  const restyle = orFault(restyleNow, onFault);
  const schedule = () => {
    scheduleInFrame(drawNow);
  };
  const dark_mode = matchMedia('(prefers-color-scheme: dark)');
  dark_mode.addEventListener('change', restyle);
  const unsubscribe_data = subscribe(schedule);
  const unsubscribe_store = session.store.subscribe((state, before) => {
    if (state.theme !== before.theme) restyle();
    // What the reader has done shows before what the run has.
    if (concerns(state, before)) scheduleNext(drawNow);
  });
  schedule();
  return () => {
    unschedule(drawNow);
    dark_mode.removeEventListener('change', restyle);
    unsubscribe_data();
    unsubscribe_store();
  };
}

/** The same work outside of React: what it throws goes to `onFault`, which shows it in the part's place. */
export function orFault(work: () => void, onFault: (error: unknown) => void): () => void {
  return () => {
    try {
      work();
    } catch (error) {
      onFault(error);
    }
  };
}
