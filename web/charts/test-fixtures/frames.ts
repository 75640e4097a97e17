// For tests of modules: none leaves work for a frame to the next one, whose frames are others. Node has none of its own.
import { afterEach } from 'vitest';

import { unscheduleAll } from '../frame-scheduler';

globalThis.cancelAnimationFrame = () => undefined;

afterEach(() => {
  unscheduleAll();
});
