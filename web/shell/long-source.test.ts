// Tests of sources that are too long for a link, and of results with a source.
import { expect, test } from 'vitest';

import { compiled } from '../analysis/workload-language/test-fixtures';
import { undo_result } from '../contract/run-result-fixtures';
import { LINKED_SOURCE_MAX } from '../contract/run-spec-pairs';
import { pageForTest } from './page-fixture';

const source =
  'workload "Two words";\nlatch m : innodb_mutex;\nthread client[4] { transaction { hold m { work(1us); } } }\n';
const long = `${source}// ${'x'.repeat(LINKED_SOURCE_MAX)}\n`;
const LEFT_OUT = 'Link copied without the source, which is too long for a link: save it as a file instead';

test.each(['workload', 'lab'] as const)(
  'the link of a long source in the %s says what it lacks',
  async (view) => {
    const { session, state } = pageForTest();
    session.openView(view);
    const write = (text: string) => {
      if (view === 'workload') session.store.setState({ workload: { ...state().workload, source: text } });
      else session.store.setState({ lab: { ...state().lab, source: text } });
    };
    write(source);
    await session.commands.perform('link.copy');
    expect(state().announcement).toBe('Link copied');
    write(long);
    await session.commands.perform('link.copy');
    expect(state().announcement).toBe(LEFT_OUT);
    session.openView('explorer');
    await session.commands.perform('link.copy');
    expect(state().announcement).toBe('Link copied');
  },
);

const resultOf = (text: string) => {
  const { spec, ...rest } = undo_result;
  const workload = { source: text, program: compiled(text) };
  const ofWorkload = { ...spec, scenario: 'workload', workload, design: {}, parameters: {}, actions: [] };
  return JSON.stringify({ ...rest, spec: ofWorkload, marks: [] });
};

test('a result of a workload opens in the editor, too, and its link says what it lacks', async () => {
  const { session, state } = pageForTest();
  await session.files.openResult(resultOf(source));
  expect(state().workload).toMatchObject({ source, side: 'run' });
  await session.commands.perform('link.copy');
  expect(state().announcement).toBe('Link copied');
  session.store.setState({ workload: { ...state().workload, source: 'workload "edited";' } });
  await session.files.openResult(resultOf(long));
  expect(state().workload.source).toBe(long);
  await session.commands.perform('link.copy');
  expect(state().announcement).toBe(LEFT_OUT);
});
