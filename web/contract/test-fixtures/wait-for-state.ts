import { vi } from 'vitest';

import { WAIT_MS } from './wait-limit';

/** Resolves with the result of `check` once it neither throws nor rejects. */
export const waitForState = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: WAIT_MS });

/** Resolves once `holds` returns true. */
export const waitUntil = (holds: () => boolean): Promise<boolean> =>
  vi.waitUntil(holds, { timeout: WAIT_MS });
