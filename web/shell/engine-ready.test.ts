import { expect, test } from 'vitest';

import { waitForState } from '../contract/test-fixtures/wait-for-state';
import { fakeEngines } from '../session/test-fixtures/session-for-test';
import { EngineFailure } from '../engine-client/engine';
import type { View } from '../session/store';
import { keepEngineReady } from './engine-ready';
import { pageForTest } from './page-fixture';

async function pageThatShows(view: View) {
  const { engines, loaders } = fakeEngines();
  const { session, state } = pageForTest({ loaders });
  session.store.setState({ view });
  await keepEngineReady(session);
  return { engines, session, state };
}

test.each<View>(['explorer', 'compare', 'sweep', 'what_if'])(
  'in the %s the engine stands ready',
  async (view) => {
    const { engines, state } = await pageThatShows(view);
    expect(engines).toHaveLength(1);
    expect(state().engine_status).toBe('ready');
  },
);

test.each<View>(['front', 'lab'])(
  'the %s loads none, and the explorer does when it is shown',
  async (view) => {
    const { engines, session, state } = await pageThatShows(view);
    expect(engines).toHaveLength(0);
    expect(state().engine_status).toBe('not_loaded');
    session.store.setState({ view: 'explorer' });
    await waitForState(() => expect(state().engine_status).toBe('ready'));
    session.store.setState({ view: 'compare' });
    expect(engines).toHaveLength(1);
  },
);

test('an engine that cannot be loaded holds nothing up', async () => {
  const fails = () => Promise.reject(new EngineFailure('no memory'));
  const { session, state } = pageForTest({ loaders: { threads: fails, virtual: fails } });
  session.store.setState({ view: 'explorer' });
  await keepEngineReady(session);
  expect(state()).toMatchObject({ engine_status: 'not_loaded', engine_failure: 'no memory' });
});
