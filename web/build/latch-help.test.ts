import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { builtIns } from '../analysis/latch-language/constants';
import { latchHelpHtml } from './lab-modules';

test('the help of the lab names every call of the language, and ends before errors and limits', () => {
  const html = latchHelpHtml(readFileSync('docs/reference/latch-language.md', 'utf8'));
  for (const name of Object.keys(builtIns)) expect(html).toContain(name);
  expect(html).not.toContain('Limits');
});

test('a document without these headings is refused', () => {
  expect(() => latchHelpHtml('## Something else\n')).toThrow(/An example/);
});
