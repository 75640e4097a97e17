import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';

import { linkShown } from '../../session/link';
import { fakeEngines, registerStandIns, sessionForTest } from '../../session/test-fixtures/session-for-test';
import { renderView } from '../../widgets/test-fixtures/render-view';
import ServerDialog from './server-dialog';
import type { SuggestedServer } from './server-form';

async function openDialog(serverSuggested: SuggestedServer | null = null) {
  const session = sessionForTest({ loaders: fakeEngines().loaders });
  await session.openPlatform('virtual');
  return { session, ...render(session, serverSuggested) };
}

function render(session: ReturnType<typeof sessionForTest>, serverSuggested: SuggestedServer | null = null) {
  registerStandIns(session, 'dialog.close');
  session.store.setState({ serverSuggested });
  const { user } = renderView(session, <ServerDialog />);
  const write = async (name: string, text: string) => {
    await user.clear(field(name));
    await user.type(field(name), text);
  };
  return { user, write };
}

const field = (name: string) => screen.getByRole('spinbutton', { name });
const family = () => screen.getByRole('combobox', { name: 'CPU family' });
const button = (name: string) => screen.getByRole('button', { name });

test('asks for sockets, cores, threads, family and clients, in this order', async () => {
  await openDialog();
  const asked = [...document.querySelectorAll('.server-fields label')].map((label) => label.textContent);
  expect(asked).toEqual(['Sockets', 'Cores per socket', 'Threads per core', 'CPU family', 'Clients']);
});

test('says what follows in words and nanoseconds, and draws it', async () => {
  const { user, write } = await openDialog();
  const region = screen.getByRole('region', { name: '2 sockets × 8 cores × 2 threads = 32 CPUs' });
  expect(region).toHaveTextContent('54 clients share 32 CPUs: they take turns of up to 3 ms.');
  expect(region).toHaveTextContent('A cache line from the other socket119 ns');
  expect(within(region).getByRole('img')).toHaveAccessibleName(/32 of them used by clients$/);
  await write('Sockets', '1');
  await write('Clients', '3');
  await user.selectOptions(family(), 'AMD EPYC 7003 (Milan)');
  const changed = screen.getByRole('region', { name: '1 socket × 8 cores × 2 threads = 16 CPUs' });
  expect(changed).toHaveTextContent('A cache line within a socket23 ns');
  expect(changed).not.toHaveTextContent('other socket');
  expect(changed.querySelectorAll('.server-cpu-used')).toHaveLength(3);
});

test('nothing changes before Apply; then the draft and the link have it', async () => {
  const { session, user, write } = await openDialog();
  const before = session.store.getState().draft;
  await write('Sockets', '4');
  await user.click(screen.getByText('Costs'));
  await write('PAUSE', '4.5');
  expect(session.store.getState().draft).toBe(before);
  await user.click(button('Apply'));
  expect(linkShown(session.store.getState(), session.linkFields)).toContain(
    'server=snb-ep-2013&server.sockets=4&server.pause_ps=4500&threads=54',
  );
  expect(session.store.getState().announcement).toBe('Server applied to the next run');
});

test('a bad value is named at its field with what is allowed, and cannot be applied', async () => {
  const { session, user, write } = await openDialog();
  const before = session.store.getState().draft;
  await write('Sockets', '9');
  expect(field('Sockets')).toBeInvalid();
  expect(field('Sockets')).toHaveAccessibleDescription('9 is not possible; allowed: an integer from 1 to 8');
  await user.click(screen.getByText('Costs'));
  await write('PAUSE', '101');
  expect(field('PAUSE')).toHaveAccessibleDescription(
    /^101 is not possible; allowed: a number from 0 to 100 ns One PAUSE instruction.* Source: /,
  );
  for (const name of ['Apply', 'Apply and run']) {
    expect(button(name)).toHaveAttribute('aria-disabled', 'true');
    await user.click(button(name));
  }
  expect(session.store.getState().draft).toBe(before);
  await write('Sockets', '8');
  await write('PAUSE', '100');
  expect(button('Apply')).toHaveAttribute('aria-disabled', 'false');
});

test('Apply and run starts a run on the server', async () => {
  const { session, user, write } = await openDialog();
  await write('Sockets', '4');
  await user.click(button('Apply and run'));
  await expect
    .poll(() => session.store.getState().spec?.server)
    .toEqual({ based_on: 'snb-ep-2013', sockets: 4 });
});

test('a family fills the costs, and keeps the cores; a report’s server has its own', async () => {
  const { user, write } = await openDialog();
  await write('Cores per socket', '20');
  expect(family()).toHaveDisplayValue('Intel Xeon E5-2600 (Sandy Bridge-EP) of 2013');
  await user.selectOptions(family(), 'Intel Xeon, Ice Lake');
  await user.click(screen.getByText('Costs'));
  expect(field('Cores per socket')).toHaveValue(20);
  expect(field('PAUSE')).toHaveValue(49.5);
  await write('PAUSE', '50');
  expect(family()).toHaveDisplayValue(/^Own costs, based on Intel Xeon E5-2600/);
  await user.selectOptions(family(), 'server:xeon-2020');
  expect(field('Cores per socket')).toHaveValue(32);
  await user.click(button('Report’s server'));
  expect(field('Cores per socket')).toHaveValue(8);
});

test('opens at the server that another part of the page suggests', async () => {
  await openDialog({ values: { sockets: 1, cores_per_socket: 12 }, clients: 40 });
  expect(field('Sockets')).toHaveValue(1);
  expect(field('Cores per socket')).toHaveValue(12);
  expect(field('Clients')).toHaveValue(40);
});

test('on real threads it asks for clients, and leads to the virtual server', async () => {
  const session = sessionForTest({ loaders: fakeEngines().loaders });
  const { user, write } = render(session);
  expect(screen.queryByRole('spinbutton', { name: 'Sockets' })).toBeNull();
  await write('Clients', '999');
  expect(field('Clients')).toBeInvalid();
  await write('Clients', '12');
  await user.click(button('Apply'));
  expect(session.store.getState().draft).toMatchObject({ platform: 'threads', threads: 12, server: null });
  await user.click(button('Use the virtual server'));
  expect(await screen.findByRole('spinbutton', { name: 'Sockets' })).toHaveValue(2);
  // The default of the virtual server.
  expect(field('Clients')).toHaveValue(54);
});

test('from the stage, Apply opens the instrument', async () => {
  const { session, user } = await openDialog();
  session.openView('stage');
  expect(await screen.findByText(/The stage plays the report’s server/)).toBeVisible();
  await user.click(button('Apply'));
  expect(session.store.getState().view).toBe('explorer');
});
