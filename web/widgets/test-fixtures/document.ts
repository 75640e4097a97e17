// Prepares the document for tests of views. Without layout, every element is as large as a chart; a
// canvas records its drawing calls.
import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import { afterEach, vi } from 'vitest';
import 'vitest-canvas-mock';

import { WAIT_MS } from '../../contract/test-fixtures/wait-limit';
import { frames } from '../../charts/frames';

const WIDTH_PX = 800;
const HEIGHT_PX = 240;

configure({ asyncUtilTimeout: WAIT_MS });

for (const [side, lengthPx] of [
  ['clientWidth', WIDTH_PX],
  ['clientHeight', HEIGHT_PX],
] as const) {
  Object.defineProperty(HTMLElement.prototype, side, { configurable: true, get: () => lengthPx });
}

// happy-dom lacks these ARIA properties, which reflect attributes.
const { prototype } = Element;
for (const name of ['ValueMin', 'ValueMax', 'ValueNow', 'ValueText'] as const) {
  const attribute = `aria-${name.toLowerCase()}`;
  Object.defineProperty(prototype, `aria${name}`, {
    configurable: true,
    get(this: Element) {
      return this.getAttribute(attribute);
    },
    set(this: Element, value: string) {
      this.setAttribute(attribute, value);
    },
  });
}

// As in browsers, a possible line break does not separate the words of a name.
document.head.append(
  Object.assign(document.createElement('style'), { textContent: 'wbr { display: inline }' }),
);

afterEach(() => {
  cleanup();
  frames.clear();
  vi.restoreAllMocks();
});
