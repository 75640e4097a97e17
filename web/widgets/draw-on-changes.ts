import type { ExplorerState } from '../session/store';
import { frames } from '../charts/frames';
import type { Session } from '../session/session';

interface Chart {
  /** Applies the page's colors. */
  restyle: () => void;
  destroy: () => void;
}

interface Drawing {
  draw: () => void;
  /** Calls back when there are more data; returns a function that stops it. */
  subscribe: (onData: () => void) => () => void;
  /** Returns whether a change of the page's state changes the drawing; by default none does. */
  concerns?: ((state: ExplorerState, before: ExplorerState) => boolean) | undefined;
  /** Called with errors thrown while drawing. */
  onFault: (error: unknown) => void;
}

/** Draws at most once per animation frame. Returns a function that stops it and removes the chart. */
export function drawOnChanges(
  session: Session,
  chart: Chart,
  { draw, subscribe, concerns, onFault }: Drawing,
): () => void {
  const drawNow = orFault(draw, onFault);
  const restyle = orFault(() => chart.restyle(), onFault);
  const schedule = () => {
    frames.schedule('draw', drawNow);
  };
  const darkMode = matchMedia('(prefers-color-scheme: dark)');
  darkMode.addEventListener('change', restyle);
  const unsubscribeData = subscribe(schedule);
  const unsubscribeStore = session.store.subscribe((state, before) => {
    if (state.theme !== before.theme) restyle();
    // Effects of the reader's input have priority over effects of the run.
    if (concerns?.(state, before) === true) frames.scheduleFirst(drawNow);
  });
  schedule();
  return () => {
    frames.cancel(drawNow);
    darkMode.removeEventListener('change', restyle);
    unsubscribeData();
    unsubscribeStore();
    chart.destroy();
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
