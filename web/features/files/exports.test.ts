import { expect, test } from 'vitest';

import type { Fault } from '../../contract/fault';
import { undo_result } from '../../contract/run-result-fixtures';
import type { Session } from '../../session/session';
import { sessionForTest } from '../../session/test-fixtures/session-for-test';
import type { PictureDrawer } from './draw-picture';
import type { PictureContent } from './picture-frame';
import { exportFormats } from './export-formats';
import { exportRun } from './exports';

const pictures: PictureContent[] = [];

const drawPicture: PictureDrawer = (content, format) => {
  pictures.push(content);
  return Promise.resolve(new Blob([format]));
};

function sessionWithoutEngine() {
  const session = sessionForTest({ clockStepNs: null });
  return { session, state: () => session.store.getState() };
}

const saved = JSON.stringify(undo_result);
const formatOf = (id: string) => exportFormats.find((format) => format.id === id)!;

async function fileOf(session: Session, id: string) {
  const { name, content } = await exportRun(session, formatOf(id), drawPicture);
  return { name, text: await content.text() };
}

test('an opened result is shown with its spec as the next run', async () => {
  const { session, state } = sessionWithoutEngine();
  await session.files.openResult(saved, 'saved.json');
  expect(state()).toMatchObject({
    view: 'explorer',
    opened: { name: 'saved.json' },
    result: undo_result,
    spec: undo_result.spec,
    draftSpec: undo_result.spec,
    run_state: 'finished',
  });
  expect(session.history.length).toBe(2 * undo_result.intervals.length);
});

test('closing it leaves its spec as the next run, and nothing else', async () => {
  const { session, state } = sessionWithoutEngine();
  await session.files.openResult(saved, 'saved.json');
  session.files.closeResult();
  expect(state()).toMatchObject({
    opened: null,
    result: null,
    spec: null,
    run_state: 'idle',
    marks: [],
    log: [],
  });
  expect(state().draftSpec).toEqual(undo_result.spec);
  expect(session.history.length).toBe(0);
});

test('a bad file is refused by field, and what is shown stays', async () => {
  const { session, state } = sessionWithoutEngine();
  await session.files.openResult(saved, 'saved.json');
  const bad = JSON.stringify({ ...undo_result, totals: null });
  const errors: Fault[] = [{ field: 'totals', value: 'null', allowed: expect.any(String) as string }];
  await expect(session.files.openResult(bad, 'bad.json')).rejects.toMatchObject({ errors });
  expect(state()).toMatchObject({
    opened: { name: 'saved.json' },
    result: undo_result,
    fileRefused: { name: 'bad.json', errors },
  });
  await session.files.openResult(saved, 'saved.json');
  expect(state().fileRefused).toBeNull();
});

test('a file that is too large is not read', async () => {
  const { session } = sessionWithoutEngine();
  const file = {
    name: 'large.json',
    size: 2 ** 26,
    text: () => Promise.reject(new Error('It was read.')),
  } as unknown as File;
  await expect(session.files.openResultFile(file)).rejects.toMatchObject({
    errors: [{ field: 'file', value: '64.0 MiB', allowed: 'up to 32 MiB' }],
  });
});

test('before a run there is nothing to export, and each format says why', () => {
  const { state } = sessionWithoutEngine();
  const reasons = exportFormats.map(({ whyNot }) => whyNot(state()));
  expect(reasons.every((reason) => reason !== null && reason.length > 10)).toBe(true);
});

test('an opened result can be exported in every format except the histogram', async () => {
  const { session, state } = sessionWithoutEngine();
  await session.files.openResult(saved, 'saved.json');
  const notHere = exportFormats.filter(({ whyNot }) => whyNot(state()) !== null);
  expect(notHere.map(({ id, whyNot }) => [id, whyNot(state())])).toEqual([
    ['hdr', 'a result file has no histogram'],
  ]);
  expect(await fileOf(session, 'json')).toEqual({
    name: 'latchscope-117533-original-virtual.json',
    text: saved,
  });
  expect((await fileOf(session, 'csv')).text).toContain('\n0.005,1000,5400,0,2.6,2.7,2.8,2.9,3\n');
  expect((await fileOf(session, 'collapsed')).text).toBe(
    'handle_connection;row_search_mvcc 11\nsrv_worker_thread 9\n',
  );
  expect(JSON.parse((await fileOf(session, 'speedscope')).text)).toMatchObject({
    profiles: [{ weights: [11, 9] }],
  });
  expect((await fileOf(session, 'sysbench')).text).toBe(
    'Threads started!\n\n[ 0.010s ] thds: 4 tps: 2000.00\nThroughput:\n    time elapsed: 0.0100s\n',
  );
});

test('a file without sysbench’s lines, from an older engine, says so', async () => {
  const { session, state } = sessionWithoutEngine();
  await session.files.openResult(JSON.stringify({ ...undo_result, sysbench: undefined }), 'older.json');
  expect(formatOf('sysbench').whyNot(state())).toBe(
    'the file comes from an earlier engine without these lines',
  );
});

test('its trace has counters, intervals and marks, and names the run', async () => {
  const { session } = sessionWithoutEngine();
  await session.files.openResult(saved, 'saved.json');
  const { otherData: metadata, traceEvents: events } = JSON.parse((await fileOf(session, 'trace')).text) as {
    otherData: object;
    traceEvents: { ph: string }[];
  };
  const count = (ph: string) => events.filter((event) => event.ph === ph).length;
  expect([count('C'), count('X'), count('i')]).toEqual([16, 2, 2]);
  expect(metadata).toMatchObject({ run_spec: undo_result.spec, lanes_from_us: null });
});

test('the picture shows what the charts show', async () => {
  const { session } = sessionWithoutEngine();
  await session.files.openResult(saved, 'saved.json');
  expect(await fileOf(session, 'svg')).toEqual({
    name: 'latchscope-117533-original-virtual.svg',
    text: 'svg',
  });
  expect(pictures.at(-1)).toMatchObject({
    picture: { range: { fromS: 0, toS: 0.01 }, isVirtual: true },
    description: { source: 'Latchscope 0.1.0, from saved.json' },
  });
});
