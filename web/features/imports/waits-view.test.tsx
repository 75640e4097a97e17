import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';

import { separatedText, someRows, tableText, type EventRow } from '../../analysis/imports/test-fixtures';
import type { FeatureModels } from '../../session/feature';
import { sessionForTest } from '../../session/test-fixtures/session-for-test';
import { renderView } from '../../widgets/test-fixtures/render-view';
import { importsFeature } from './index';
import type { StreamedFile } from './reader';
import { nothingRead, Waits } from './waits';
import WaitsView from './waits-view';

const later = someRows.map(([event, count, sum]): EventRow => [event, Number(count) * 2, Number(sum) * 2]);
const fileOf = (name: string, text: string) => new File([text], name);

function shown(chosen: readonly StreamedFile[] = []) {
  const session = sessionForTest({ features: [importsFeature] });
  const { models, commands } = importsFeature.open!({
    session,
    nowMs: () => 0,
    files: { pickSeveral: () => Promise.resolve(chosen) },
  });
  for (const source of commands!) session.commands.register(source);
  const { waits, latchModel } = models as Pick<FeatureModels, 'waits' | 'latchModel'>;
  renderView(session, <WaitsView />, { waits, latchModel, server: { open: () => undefined } });
  return { session, waits, user: userEvent.setup() };
}

const heading = () => screen.getByRole('heading', { level: 1 }).textContent;
const rows = () =>
  within(screen.getByRole('table'))
    .getAllByRole('row')
    .slice(1)
    .filter((row) => within(row).queryByRole('rowheader') !== null)
    .map((row) => row.textContent);

test('two files that are opened together give the latches between them, ranked', async () => {
  const files = [
    fileOf('a.txt', tableText(someRows, { Uptime: 10, Questions: 100 })),
    fileOf('b.txt', tableText(later, { Uptime: 14, Questions: 2100 })),
  ];
  const { user } = shown(files);
  expect(heading()).toBe('Which latch stops your server?');
  await user.click(screen.getByRole('button', { name: 'Open files…' }));
  await waitFor(() => expect(heading()).toMatch(/^Threads wait most for .*LOCK_log/));
  expect(rows()).toEqual([
    expect.stringMatching(/LOCK_log.*75.0.%.*1.5 ms.*2/),
    expect.stringMatching(/trx_sys.*25.0.%.*222 µs.*4.5/),
  ]);
  expect(screen.getByText(/between the snapshots, 4 s, 2,000 statements/)).toBeVisible();
  expect(screen.getByText(/2 threads waited for a latch at once/)).toBeVisible();
  expect(screen.getByText('Not counted as waiting at latches: 3 events')).toBeVisible();
});

test('a pasted text is read; a second one makes it a difference', async () => {
  const { user, waits } = shown();
  const field = screen.getByRole('textbox', { name: 'Text from your server' });
  await user.click(field);
  await user.paste(separatedText(someRows));
  await user.click(screen.getByRole('button', { name: 'Read this text' }));
  await waitFor(() => expect(screen.getByText(/since the server started/)).toBeVisible());
  expect(field).toHaveValue('');
  await act(() => waits.paste(separatedText(later)));
  await waitFor(() => expect(screen.getByText(/between the snapshots/)).toBeVisible());
  expect(screen.getAllByRole('button', { name: /^Remove pasted text \d$/ })).toHaveLength(2);
});

test('a text that is refused says where, and changes nothing', async () => {
  const { waits } = shown();
  await act(() => waits.open([fileOf('a.tsv', separatedText(someRows))]));
  await waitFor(() => expect(screen.getByRole('table')).toBeVisible());
  const before = rows();
  await act(() => waits.open([fileOf('b.tsv', separatedText(later).replace('\t8000\t', '\t8.000\t'))]));
  await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent(/b\.tsv was not read/));
  expect(screen.getByRole('alert')).toHaveTextContent(/line 4 is COUNT_STAR 8\.000/);
  expect(rows()).toEqual(before);
});

test('a file that is being read shows its progress, and can be stopped', async () => {
  const { user, waits, session } = shown();
  const pieces = new TransformStream<Uint8Array<ArrayBuffer>>();
  const none = () => Promise.reject(new Error('read whole'));
  const file = {
    name: 'large.txt',
    size: 100,
    stream: () => pieces.readable,
    arrayBuffer: none,
    slice: () => new Blob(),
  };
  const reading = waits.open([file]);
  const writer = pieces.writable.getWriter();
  await writer.write(new TextEncoder().encode('x'.repeat(50)));
  await waitFor(() => expect(screen.getByRole('progressbar')).toHaveAttribute('value', '0.5'));
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(screen.queryByRole('progressbar')).toBeNull();
  await writer.close();
  await act(() => reading);
  expect(session.store.getState().waits).toEqual(nothingRead);
});

/** Returns once the tasks that the page has now are done. */
const nextTask = () =>
  new Promise<void>((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });

test('a large file leaves the page time to draw and to stop the reading', async () => {
  const { waits, session } = shown();
  const rows = [...someRows, ...Array.from({ length: 100 }, (_, i): EventRow => [`wait/io/file/${i}`, 1, 1])];
  const times = 2000;
  const piece = new TextEncoder().encode(separatedText(rows) + '\n');
  let left = times;
  let isCancelled = false;
  // All pieces are there at once, as if the device were faster than the reader.
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: (controller) => {
      left -= 1;
      if (left < 0) controller.close();
      else controller.enqueue(piece);
    },
    cancel: () => {
      isCancelled = true;
    },
  });
  const file = Object.assign(fileOf('large.tsv', ''), { stream: () => stream });
  Object.defineProperty(file, 'size', { value: piece.length * times });
  const reading = waits.open([file]);
  while (session.store.getState().waits.reading?.part === 0) await nextTask();
  const { part } = session.store.getState().waits.reading!;
  expect(part).toBeGreaterThan(0);
  expect(part).toBeLessThan(0.5);
  waits.cancel();
  await reading;
  expect(isCancelled).toBe(true);
  expect(left).toBeGreaterThan(times / 2);
  expect(session.store.getState().waits).toMatchObject({ report: null, reading: null, refused: null });
});

test('a run result that is dropped opens as before; other files are texts of a server', async () => {
  const session = sessionForTest({ features: [importsFeature] });
  const waits = new Waits(session);
  await waits.openDropped([fileOf('result.json', ' {"version": 99}')]).catch(() => undefined);
  expect(session.store.getState().fileRefused?.name).toBe('result.json');
  await waits.openDropped([fileOf('a.txt', tableText(someRows)), fileOf('b.txt', tableText(later))]);
  expect(session.store.getState()).toMatchObject({ view: 'waits', waits: { report: { files: [{}, {}] } } });
});
