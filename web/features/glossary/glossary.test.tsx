import { act, screen } from '@testing-library/react';
import { expect, test } from 'vitest';

import { all_terms, glossaryCommandId, glossary_terms } from '../../contract/glossary';
import { sessionForTest } from '../../session/test-fixtures/session-for-test';
import { renderView } from '../../widgets/test-fixtures/render-view';
import { glossaryCommands, glossaryFeature } from './index';
import GlossaryPanel from './glossary-panel';

function shown() {
  const session = sessionForTest({ features: [glossaryFeature] });
  session.commands.register(glossaryCommands((slice) => session.store.setState(slice)));
  return { session, ...renderView(session, <GlossaryPanel />) };
}

test('every word of the stories stands there once, each with its meaning', () => {
  shown();
  const words = screen.getAllByRole('term').map((term) => term.textContent);
  expect(words).toEqual(all_terms.map((id) => glossary_terms[id]));
  for (const meaning of screen.getAllByRole('definition')) expect(meaning.textContent).toMatch(/\w\.$/);
});

test('a word that is asked for has the focus; without one, none has', async () => {
  const { session } = shown();
  const focused = () => screen.getAllByRole('term').find((term) => term === document.activeElement);
  expect(focused()).toBeUndefined();
  for (const term of all_terms) {
    await act(() => session.commands.perform(glossaryCommandId(term)));
    expect(focused()).toHaveTextContent(glossary_terms[term]);
  }
});
