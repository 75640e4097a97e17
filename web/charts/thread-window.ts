// Computes the part of virtual time that lanes and latch tracks show, and the selected moment. Pure
// functions over run times in nanoseconds.
import { createStore, type StoreApi } from 'zustand/vanilla';

import { withGuardedListeners } from '../recording/listeners';

export const WIDTH_MIN_NS = 200;
/** A COMMIT that waits for a purge takes seconds. */
export const WIDTH_MAX_NS = 10_000_000_000;
const INITIAL_WIDTH_NS = 500_000;

export interface ThreadWindow {
  width_ns: number;
  /** End of the window; null: it follows the run. */
  end_ns: number | null;
  look: Look | null;
}

/** The selected moment, of a thread or of a latch. */
export interface Look {
  t_ns: number;
  /**
   * The latch's last event at that moment, by its number in the run's trace; null: the last one up
   * to `t_ns`.
   */
  event: number | null;
  slot: number | null;
  /** It stays when the pointer leaves. */
  is_pinned: boolean;
}

/** The visible time of a run. */
export interface KnownTime {
  known_from_ns: number;
  now_ns: number;
}

export type ThreadWindowStore = StoreApi<ThreadWindow>;

export const initial_thread_window: ThreadWindow = { width_ns: INITIAL_WIDTH_NS, end_ns: null, look: null };

export const createThreadWindowStore = (): ThreadWindowStore =>
  withGuardedListeners(createStore<ThreadWindow>(() => initial_thread_window));

/** Returns the window's range. A run younger than the window is shown from its start. */
export function windowRange({ width_ns, end_ns }: ThreadWindow, now_ns: number) {
  const to_ns = Math.max(end_ns ?? now_ns, width_ns);
  return { fromNs: to_ns - width_ns, toNs: to_ns };
}

const clamp = (value: number, min: number, max: number) => Math.min(Math.max(value, min), max);

/** Scales the window by `factor`; the moment `around_ns` stays in place. */
export function zoomWindow(
  window: ThreadWindow,
  { now_ns }: KnownTime,
  factor: number,
  around_ns: number,
): ThreadWindow {
  const width_ns = clamp(window.width_ns * factor, WIDTH_MIN_NS, WIDTH_MAX_NS);
  const range = windowRange(window, now_ns);
  const part = (around_ns - range.fromNs) / window.width_ns;
  const end_ns = around_ns + (1 - part) * width_ns;
  return { ...window, width_ns, end_ns: end_ns >= now_ns ? null : end_ns };
}

/**
 * Moves the window by `by_ns`, within the known time. At the end of the known time it follows the
 * run again.
 */
export function panWindow(window: ThreadWindow, known: KnownTime, by_ns: number): ThreadWindow {
  const end_ns = windowRange(window, known.now_ns).toNs + by_ns;
  if (end_ns >= known.now_ns) return { ...window, end_ns: null };
  return { ...window, end_ns: Math.max(end_ns, known.known_from_ns + window.width_ns) };
}

/** Stops the window at its current position. */
export const holdWindow = (window: ThreadWindow, { now_ns }: KnownTime): ThreadWindow => ({
  ...window,
  end_ns: window.end_ns ?? Math.max(now_ns, window.width_ns),
});

/** Moves the window to contain a moment. */
export function windowWith(window: ThreadWindow, known: KnownTime, t_ns: number): ThreadWindow {
  const { fromNs, toNs } = windowRange(window, known.now_ns);
  if (t_ns >= fromNs && t_ns <= toNs) return window;
  return panWindow(window, known, t_ns + window.width_ns / 2 - toNs);
}
