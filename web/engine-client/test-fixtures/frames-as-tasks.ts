import { afterAll, beforeAll, vi } from 'vitest';

import { asTask, endVirtualEngines } from './virtual-engine-in-node';

/** For the tests of a file: each animation frame is a task of its own, which comes at once. Afterwards no engine is left. */
export function framesAsTasks(): void {
  beforeAll(() => {
    vi.stubGlobal('requestAnimationFrame', (callback: FrameRequestCallback) => {
      asTask(() => {
        callback(performance.now());
      });
    });
  });
  afterAll(() => {
    endVirtualEngines();
    vi.unstubAllGlobals();
  });
}
