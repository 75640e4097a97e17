import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';

import type { ChosenFile } from '../../contract/run-result-text';
import { drawnResult, showDrawnRun } from '../../session/test-fixtures/drawn-run';
import { chosenFile } from '../../session/test-fixtures/chosen-file';
import { sessionForTest } from '../../session/test-fixtures/session-for-test';
import { renderView } from '../../widgets/test-fixtures/render-view';
import { exportCommands, fileCommands } from './file-commands';
import { OpenedFileNotice, RefusedFileNotice } from './file-notices';
import { FilesMenu } from './files-menu';

/** Renders the menu and its notices. `chosen` is the file that the reader's device supplies. */
function shown() {
  const session = sessionForTest();
  const device = { chosen: null as ChosenFile | null, saved: [] as { name: string; content: Blob }[] };
  const files = {
    save: (name: string, content: Blob) => device.saved.push({ name, content }),
    pick: () => Promise.resolve(device.chosen),
  };
  session.commands.register(exportCommands(session, files));
  session.commands.register(fileCommands(session, files));
  const view = (
    <>
      <FilesMenu />
      <OpenedFileNotice />
      <RefusedFileNotice />
    </>
  );
  return { session, device, ...renderView(session, view) };
}

const button = () => screen.getByRole('button', { name: /^Files/ });
const menu = () => screen.getByRole('menu', { name: /^Files/ });
const item = (name: string) => within(menu()).getByRole('menuitem', { name });
const ownEngine = {
  version: drawnResult.engine.version,
  platform: 'virtual',
  build: 'ours',
  abi_hash: 1,
  run_spec_version: 1,
  run_result_version: 1,
  layout_hash: 1,
  clients_max: 64,
};
const savedJson = JSON.stringify(drawnResult);

async function open(page: ReturnType<typeof shown>, file: ChosenFile) {
  page.device.chosen = file;
  await page.user.click(button());
  await page.user.click(item('Open run result…'));
}

test('the menu works by keyboard, and says why an entry is disabled', async () => {
  const { user } = shown();
  button().focus();
  await user.keyboard('{Enter}');
  const [first] = within(menu()).getAllByRole('menuitem');
  expect(first).toHaveFocus();
  await user.keyboard('{End}');
  const last = item('Latencies, HdrHistogram log');
  expect(last).toHaveFocus();
  expect(last).toHaveAttribute('aria-disabled', 'true');
  expect(last).toHaveAccessibleDescription('after a run');
  await user.keyboard('{ArrowDown}');
  expect(item('Open run result…')).toHaveFocus();
  await user.keyboard('{ArrowUp}');
  expect(last).toHaveFocus();
  await user.keyboard('t');
  expect(item('Trace, Chrome JSON')).toHaveFocus();
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('menu')).toBeNull();
  expect(button()).toHaveFocus();
});

test('a click outside the menu closes it', async () => {
  const { user } = shown();
  await user.click(button());
  expect(menu()).toBeVisible();
  await user.click(document.body);
  expect(screen.queryByRole('menu')).toBeNull();
});

test('a disabled entry does nothing; an enabled one saves its file and says so', async () => {
  const { session, user, device } = shown();
  await user.click(button());
  await user.click(item('Intervals, CSV'));
  expect(device.saved).toEqual([]);
  await user.keyboard('{Escape}');
  await showDrawnRun(session);
  await user.click(button());
  await user.click(item('Intervals, CSV'));
  expect(screen.queryByRole('menu')).toBeNull();
  await waitFor(() =>
    expect(session.store.getState().announcement).toBe('Saved latchscope-69276-original-virtual.csv'),
  );
  expect(device.saved.map(({ name }) => name)).toEqual(['latchscope-69276-original-virtual.csv']);
});

test('a saved result can be opened again, byte for byte, and closed', async () => {
  const page = shown();
  const { user, session, device } = page;
  await open(page, chosenFile('saved.json', `\uFEFF${savedJson}`));
  const notice = await screen.findByRole('region', { name: 'Opened from a file' });
  expect(notice).toHaveTextContent(
    /^Opened from saved\.json\. Engine 0\.1\.0 · design: MySQL 5\.6 \(the bug\) → 68 shards .* virtual server/,
  );
  expect(session.store.getState()).toMatchObject({ run_state: 'finished', result: drawnResult });
  await user.click(button());
  await user.click(item('Run result, JSON'));
  await waitFor(() => expect(device.saved).toHaveLength(1));
  const bytes = new Uint8Array(await device.saved[0]!.content.arrayBuffer());
  expect(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)).toBe(`\uFEFF${savedJson}`);
  await user.click(within(notice).getByRole('button', { name: 'Close file' }));
  expect(screen.queryByRole('region', { name: 'Opened from a file' })).toBeNull();
  expect(session.store.getState()).toMatchObject({ run_state: 'idle', draft: { threads: 2 } });
});

test.each<[string, Partial<typeof ownEngine>, string | null]>([
  ['the same engine', {}, null],
  ['another version', { version: '0.2.0' }, 'This page has a different engine: 0.2.0.'],
  ['another build of a modeled server, which gives the same', { build: 'another' }, null],
])('a file beside %s', async (_, own, says) => {
  const page = shown();
  await open(page, chosenFile('saved.json', savedJson));
  const notice = await screen.findByRole('region', { name: 'Opened from a file' });
  act(() => page.session.store.setState({ engine_version: { ...ownEngine, ...own } }));
  if (says === null) expect(notice).not.toHaveTextContent('different engine');
  else expect(notice).toHaveTextContent(says);
});

test('a file of real threads names its build, and the page its own if that is another one', async () => {
  const page = shown();
  await open(page, chosenFile('saved.json', savedJson));
  const notice = await screen.findByRole('region', { name: 'Opened from a file' });
  const engine = { ...drawnResult.engine, build: 'theirs' };
  act(() => {
    const result = { ...drawnResult, engine };
    page.session.store.setState({ result, engine_version: { ...ownEngine, build: 'ours' } });
  });
  expect(notice).toHaveTextContent('This page has a different engine: 0.1.0, ours.');
});

const changed = (change: object) => JSON.stringify({ ...drawnResult, ...change });

test.each<[name: string, content: string | number[], message: string]>([
  ['broken JSON', '{"version":1,', 'file is not JSON ('],
  ['foreign JSON', '{"traceEvents":[]}', 'version is missing; allowed: 1'],
  ['a newer version', changed({ version: 2 }), 'version is 2; allowed: 1 (written by a newer Latchscope'],
  [
    'a wrong number',
    changed({ totals: { ...drawnResult.totals, tps: -1 } }),
    'totals.tps is -1; allowed: a number from 0',
  ],
  [
    'an unknown bug',
    changed({ spec: { ...drawnResult.spec, scenario: 'nothing' } }),
    'spec.scenario is nothing; allowed: one of fil-mutex-69276',
  ],
  ['an empty file', [], 'file is empty'],
  ['gzip', [0x1f, 0x8b, 8], 'file is compressed with gzip'],
  ['text in UTF-16', [0xff, 0xfe, 0x7b, 0], 'file is text in UTF-16, not in UTF-8'],
  ['zero bytes', [1, 0, 2], 'file is not text: it contains zero bytes'],
  ['text in Latin-1', [0x7b, 0xe4], 'file is not text in UTF-8'],
  ['plain text', 'hello', 'file is not JSON ('],
])(
  '%s is refused by field, value and what is allowed, and nothing changes',
  async (name, content, message) => {
    const page = shown();
    await showDrawnRun(page.session);
    await open(page, chosenFile(`${name}.json`, content));
    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent(`${name}.json cannot be opened; the page is unchanged.`);
    expect(alert).toHaveTextContent(message);
    expect(page.session.store.getState().result).toEqual(drawnResult);
  },
);

test('several files at once are refused, and a name with direction marks is shown escaped', async () => {
  const { session } = shown();
  const two = [chosenFile('a.json', ''), chosenFile('b.json', '')];
  await expect(session.files.openDroppedFiles(two)).rejects.toThrow();
  expect(await screen.findByRole('alert')).toHaveTextContent('files is 2; allowed: one file at a time');
  await expect(session.files.openDroppedFiles([chosenFile('a\u202egnp.json', [])])).rejects.toThrow();
  expect(await screen.findByText(/gnp\.json$/)).toHaveTextContent('a\\u{202e}gnp.json');
});
