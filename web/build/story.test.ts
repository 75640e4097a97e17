import { expect, test } from 'vitest';

import { StoryError, storyHtml } from './story';

const FILE = 'scenarios/x/story.md';

test('the first use of a word is a button that leads to the glossary', () => {
  expect(storyHtml('It takes one [latch](glossary:latch). `latch_t` is a latch.', FILE)).toBe(
    '<p>It takes one <button type="button" class="term" data-term="latch">latch</button>. <code>latch_t</code> is a latch.</p>\n',
  );
});

test('links to elsewhere stay links, and names in code are no words', () => {
  expect(storyHtml('See [it](https://mysql.com) and `purge_sys->latch`.', FILE)).toContain(
    '<a href="https://mysql.com">',
  );
});

test.each([
  ['[lock](glossary:lock)', `${FILE}: "glossary:lock"; allowed: glossary:action, glossary:aio_slot, `],
  ['A [latch](glossary:latch) and a [latch](glossary:latch).', `${FILE}: "glossary:latch"; allowed: once`],
  ['A latch.', `${FILE}: "latch"; allowed: at its first use a link [latch](glossary:latch)`],
  ['Threads spin, then [spin](glossary:spin).', `${FILE}: "spin"; allowed: at its first use`],
])('%s is refused', (text, fault) => {
  expect(() => storyHtml(text, FILE)).toThrow(StoryError);
  expect(() => storyHtml(text, FILE)).toThrow(fault);
});
