import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';

import { undo_read } from '../contract/test-fixtures';
import { fakeEngines } from '../session/test-fixtures/session-for-test';
import { renderPage } from './test-fixtures/render-page';

async function shown() {
  const page = renderPage(fakeEngines());
  await page.session.openScenario(undo_read.manifest.id);
  await screen.findByRole('button', { name: 'Run' });
  return page;
}

const variant = (title: string) => screen.getByRole('radio', { name: new RegExp(`^${title}`) });
const dialog = (name: string) => screen.queryByRole('dialog', { name });
const command = () => screen.findByRole('combobox', { name: 'Command' });

// The page behind the dialog has options, too.
const options = (name = /./) => within(dialog('Commands')!).getAllByRole('option', { name });

describe('keys', () => {
  test('turn the design, run, pause, stop and lead through the views', async () => {
    const { user, state } = await shown();
    await user.keyboard('f');
    await waitFor(() => expect(variant('A guard in 64 shards and a page fix')).toBeChecked());
    await user.keyboard('1');
    await waitFor(() => expect(variant('Ask the shard, under its mutex')).toBeChecked());
    for (const [key, runState] of [
      [' ', 'running'],
      [' ', 'paused'],
      ['s', 'finished'],
    ] as const) {
      await user.keyboard(key);
      await waitFor(() => expect(state().run_state).toBe(runState));
    }
    await user.keyboard('gb');
    expect(screen.getByRole('list', { name: 'Bugs' })).toBeVisible();
  });

  test('are all on the help sheet, and can be switched off', async () => {
    const { user } = await shown();
    await user.keyboard('?');
    const sheet = within(await screen.findByRole('dialog', { name: 'Keys and help' }));
    const keys = sheet.getAllByRole('term').map((term) => term.textContent);
    expect(keys).toEqual(expect.arrayContaining(['Space', 'f', 'o', '1', 'CtrlK', 'gb', 't']));
    expect(sheet.getByRole('link', { name: 'licenses' })).toHaveAttribute(
      'href',
      './THIRD-PARTY-NOTICES.txt',
    );
    await user.click(sheet.getByRole('button', { name: 'Turn single-key shortcuts off' }));
    await user.click(sheet.getByRole('button', { name: 'Close' }));
    await user.keyboard('f');
    expect(variant('Ask the shard, under its mutex')).toBeChecked();
    await user.keyboard('{Control>}k{/Control}');
    expect(await command()).toHaveFocus();
  });

  test('do nothing while somebody types', async () => {
    const { user } = await shown();
    await user.type(screen.getByRole('spinbutton', { name: 'Clients' }), 'f?');
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(variant('Ask the shard, under its mutex')).toBeChecked();
  });

  test('nor while somebody types in a shadow root, such as the editor of the lab', async () => {
    const { user } = await shown();
    const host = document.body.appendChild(document.createElement('div'));
    const field = document.createElement('textarea');
    host.attachShadow({ mode: 'open' }).append(field);
    field.dispatchEvent(new KeyboardEvent('keydown', { key: 'f', bubbles: true, composed: true }));
    expect(variant('Ask the shard, under its mutex')).toBeChecked();
    host.remove();
    await user.keyboard('f');
    expect(variant('Ask the shard, under its mutex')).not.toBeChecked();
  });
});

describe('the command palette', () => {
  test('finds a command and carries it out by keyboard alone; what was chosen last comes first', async () => {
    const { user, state } = await shown();
    await user.keyboard('{Control>}k{/Control}');
    expect(await command()).toHaveFocus();
    await user.keyboard('theme: dark');
    expect(options()[0]).toHaveTextContent('Theme: dark');
    await user.keyboard('{Enter}');
    expect(dialog('Commands')).toBeNull();
    expect(state().theme).toBe('dark');
    await user.keyboard('{Control>}k{/Control}');
    await command();
    expect(options()[0]).toHaveTextContent('Theme: dark');
  });

  test('shows keys, and why something cannot be done', async () => {
    const { user } = await shown();
    await user.click(screen.getByRole('button', { name: /^Commands/ }));
    await user.type(await command(), 'stop');
    const stop = options(/^Stop/)[0];
    expect(stop).toHaveTextContent('no run is active');
    expect(stop).toHaveAttribute('aria-disabled', 'true');
    await user.clear(await command());
    await user.type(await command(), 'go nowhere at all');
    expect(screen.getByText('No command or latch matches “go nowhere at all”.')).toBeVisible();
    await user.clear(await command());
    await user.type(await command(), 'sweep over');
    await user.click(options(/^Sweep over threads/)[0]!);
    const views = within(screen.getByRole('navigation', { name: 'Views' }));
    expect(views.getByRole('button', { name: 'Sweep' })).toHaveAttribute('aria-current', 'page');
  });
});
