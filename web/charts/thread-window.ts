// Computes the part of virtual time that lanes and latch tracks show, and the selected moment. Pure
// functions over run times in nanoseconds.
import { createStore, type StoreApi } from 'zustand/vanilla';

import { withGuardedListeners } from '../recording/listeners';

export const WIDTH_MIN_NS = 200;
/** A COMMIT that waits for a purge takes seconds. */
export const WIDTH_MAX_NS = 10_000_000_000;
const INITIAL_WIDTH_NS = 500_000;

export interface ThreadWindow {
  widthNs: number;
  /** End of the window; null: it follows the run. */
  endNs: number | null;
  look: Look | null;
}

/** The selected moment, of a thread or of a latch. */
export interface Look {
  tNs: number;
  /**
   * The latch's last event at that moment, by its number in the run's trace; null: the last one up
   * to `tNs`.
   */
  event: number | null;
  slot: number | null;
  /** It stays when the pointer leaves. */
  isPinned: boolean;
}

/** The visible time of a run. */
export interface KnownTime {
  knownFromNs: number;
  nowNs: number;
}

export type ThreadWindowStore = StoreApi<ThreadWindow>;

export const initialThreadWindow: ThreadWindow = { widthNs: INITIAL_WIDTH_NS, endNs: null, look: null };

export const createThreadWindowStore = (): ThreadWindowStore =>
  withGuardedListeners(createStore<ThreadWindow>(() => initialThreadWindow));

/** Returns the window's range. A run younger than the window is shown from its start. */
export function windowRange({ widthNs, endNs }: ThreadWindow, nowNs: number) {
  const toNs = Math.max(endNs ?? nowNs, widthNs);
  return { fromNs: toNs - widthNs, toNs };
}

const clamp = (value: number, min: number, max: number) => Math.min(Math.max(value, min), max);

/** Scales the window by `factor`; the moment `aroundNs` stays in place. */
export function zoomWindow(
  window: ThreadWindow,
  { nowNs }: KnownTime,
  factor: number,
  aroundNs: number,
): ThreadWindow {
  const widthNs = clamp(window.widthNs * factor, WIDTH_MIN_NS, WIDTH_MAX_NS);
  const range = windowRange(window, nowNs);
  const part = (aroundNs - range.fromNs) / window.widthNs;
  const endNs = aroundNs + (1 - part) * widthNs;
  return { ...window, widthNs, endNs: endNs >= nowNs ? null : endNs };
}

/**
 * Moves the window by `byNs`, within the known time. At the end of the known time it follows the
 * run again.
 */
export function panWindow(window: ThreadWindow, known: KnownTime, byNs: number): ThreadWindow {
  const endNs = windowRange(window, known.nowNs).toNs + byNs;
  if (endNs >= known.nowNs) return { ...window, endNs: null };
  return { ...window, endNs: Math.max(endNs, known.knownFromNs + window.widthNs) };
}

/** Stops the window at its current position. */
export const holdWindow = (window: ThreadWindow, { nowNs }: KnownTime): ThreadWindow => ({
  ...window,
  endNs: window.endNs ?? Math.max(nowNs, window.widthNs),
});

/** Moves the window to contain a moment. */
export function windowWith(window: ThreadWindow, known: KnownTime, tNs: number): ThreadWindow {
  const { fromNs, toNs } = windowRange(window, known.nowNs);
  if (tNs >= fromNs && tNs <= toNs) return window;
  return panWindow(window, known, tNs + window.widthNs / 2 - toNs);
}
