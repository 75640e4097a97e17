import { vi } from 'vitest';

/** Ends a wait for a state that never comes. Ten times as long as the slowest wait of a busy machine. */
export const WAIT_MS = 300_000;

/** Resolves with what `check` returns once it neither throws nor rejects. */
export const waitForState = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: WAIT_MS });

/** Resolves once `holds` returns true. */
export const waitUntil = (holds: () => boolean): Promise<boolean> =>
  vi.waitUntil(holds, { timeout: WAIT_MS });
