// Provides animation frames for tests of modules, because Node has none. No test leaves frame work
// to the next test.
import { afterEach } from 'vitest';

import { frames } from '../frames';

globalThis.cancelAnimationFrame = () => undefined;

afterEach(() => {
  frames.clear();
});
