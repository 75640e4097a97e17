import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';

import { fil_mutex } from '../../contract/test-fixtures';
import { drawnResult } from '../../session/test-fixtures/drawn-run';
import { fakeEngines, sessionForTest } from '../../session/test-fixtures/session-for-test';
import { renderView } from '../../widgets/test-fixtures/render-view';
import BugPicture from './bug-picture';
import { pictureCommands } from './index';

async function shown() {
  const { engines, loaders } = fakeEngines();
  const session = sessionForTest({ loaders });
  let opened = 0;
  session.commands.register(pictureCommands(() => (opened += 1)));
  await session.openScenario(fil_mutex.manifest.id);
  await session.openPlatform('virtual');
  return { session, engines, opened: () => opened, ...renderView(session, <BugPicture />) };
}

test('before a run it says what it will show; the slider stands at the report’s value', async () => {
  await shown();
  expect(screen.getByRole('figure', { name: /^One block read/ })).toHaveTextContent(
    'Run to see each tablespace mutex',
  );
  const slider = screen.getByRole('slider', { name: 'Clients' });
  expect(slider).toHaveAttribute('aria-valuetext', '54 clients');
  expect(screen.queryByRole('img')).toBeNull();
});

test('where the slider is let go, a run on the virtual server starts with that value and the chosen design', async () => {
  const { session } = await shown();
  await session.setKnob('tablespace_lookup', 'sharded_mutex');
  const slider = screen.getByRole('slider', { name: 'Clients' });
  fireEvent.input(slider, { target: { value: '3' } });
  expect(slider).toHaveAttribute('aria-valuetext', '8 clients');
  expect(session.store.getState()).toMatchObject({ runLock: 'none', commandsOutstanding: 0 });
  fireEvent.change(slider, { target: { value: '3' } });
  await waitFor(() => {
    expect(session.store.getState().spec).toMatchObject({
      platform: 'virtual',
      threads: 8,
      duration_s: 0.03,
      design: { tablespace_lookup: 'sharded_mutex' },
    });
  });
});

test('a run of an earlier move does not take the slider from under the reader', async () => {
  const { session } = await shown();
  const slider = screen.getByRole('slider', { name: 'Clients' });
  fireEvent.input(slider, { target: { value: '3' } });
  fireEvent.change(slider, { target: { value: '3' } });
  fireEvent.input(slider, { target: { value: '4' } });
  await waitFor(() =>
    expect(session.store.getState()).toMatchObject({ spec: { threads: 8 }, runLock: 'going' }),
  );
  expect(slider).toHaveValue('4');
});

test('keys that come while a run starts or ends are not lost: the last value has its run', async () => {
  const { session } = await shown();
  const slider = screen.getByRole('slider', { name: 'Clients' });
  const move = (value: string) => {
    fireEvent.input(slider, { target: { value } });
    fireEvent.change(slider, { target: { value } });
  };
  const turns: string[] = [];
  session.store.subscribe(({ runLock }) => turns.push(runLock));
  move('3');
  await waitFor(() => expect(turns).toContain('starting'));
  move('4');
  move('2');
  const last = slider.getAttribute('aria-valuetext')!;
  await waitFor(() => {
    const { spec, runLock } = session.store.getState();
    expect([`${spec?.threads} clients`, runLock]).toEqual([last, 'going']);
  });
  move('1');
  move('3');
  await waitFor(() =>
    expect(session.store.getState()).toMatchObject({ spec: { threads: 8 }, runLock: 'going' }),
  );
  expect(slider).toHaveAttribute('aria-valuetext', '8 clients');
});

test('of an opened file it draws the totals, unless several designs have run', async () => {
  const { session, user, opened } = await shown();
  const ofOneDesign = { ...drawnResult, spec: { ...drawnResult.spec, actions: [] } };
  await session.files.openResult(JSON.stringify(ofOneDesign), 'drawn.json');
  // 2,000 acquisitions in 100 block reads.
  expect(await screen.findByRole('img', { name: /^Acquisitions of one block read/ })).toBeVisible();
  expect(screen.getByText(/acquires fil_system->mutex and Fil_shard::m_mutex 20\.40 times/)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Enlarge picture' }));
  expect(opened()).toBe(1);
  await session.files.openResult(JSON.stringify(drawnResult), 'drawn.json');
  await waitFor(() => expect(screen.queryByRole('img')).toBeNull());
});
