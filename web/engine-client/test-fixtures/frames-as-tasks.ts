import { afterAll, beforeAll, vi } from 'vitest';

import { asTask, endVirtualEngines } from './virtual-engine-in-node';

/**
 * Makes each animation frame a task that runs at once, for the tests of a file. Afterwards ends all
 * engines.
 */
export function framesAsTasks(): void {
  beforeAll(() => {
    vi.stubGlobal('requestAnimationFrame', (callback: FrameRequestCallback) => {
      asTask(() => callback(performance.now()));
    });
  });
  afterAll(() => {
    endVirtualEngines();
    vi.unstubAllGlobals();
  });
}
