import type { ExplorerState } from '../session/store';
import { scheduleInFrame, scheduleNext, unschedule } from '../charts/frame-scheduler';
import type { Session } from '../session/session';

interface Drawing {
  draw: () => void;
  /** Applies the page's colors. */
  restyle: () => void;
  /** Calls back when there are more data; returns a function that stops it. */
  subscribe: (onData: () => void) => () => void;
  /** Returns whether a change of the page's state changes the drawing. */
  concerns: (state: ExplorerState, before: ExplorerState) => boolean;
  /** Called with errors thrown while drawing. */
  onFault: (error: unknown) => void;
}

/** Draws at most once per animation frame. Returns a function that stops it. */
export function drawOnChanges(
  session: Session,
  { draw, restyle: restyleNow, subscribe, concerns, onFault }: Drawing,
): () => void {
  const drawNow = orFault(draw, onFault);
  const restyle = orFault(restyleNow, onFault);
  const schedule = () => {
    scheduleInFrame(drawNow);
  };
  const darkMode = matchMedia('(prefers-color-scheme: dark)');
  darkMode.addEventListener('change', restyle);
  const unsubscribeData = subscribe(schedule);
  const unsubscribeStore = session.store.subscribe((state, before) => {
    if (state.theme !== before.theme) restyle();
    // Effects of the reader's input have priority over effects of the run.
    if (concerns(state, before)) scheduleNext(drawNow);
  });
  schedule();
  return () => {
    unschedule(drawNow);
    darkMode.removeEventListener('change', restyle);
    unsubscribeData();
    unsubscribeStore();
  };
}

/** Wraps work outside of React: `onFault` gets its errors and shows them in place of the part. */
export function orFault(work: () => void, onFault: (error: unknown) => void): () => void {
  return () => {
    try {
      work();
    } catch (error) {
      onFault(error);
    }
  };
}
