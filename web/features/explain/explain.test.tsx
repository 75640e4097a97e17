import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';

import type { ChainPath, PathPart } from '../../analysis/chain-path';
import { explanationCsv } from '../../analysis/exports/explanation-csv';
import { drawn_explanation, drawn_tables } from '../../contract/explanation-fixture';
import type { FakeEngine, FakeEngineOptions } from '../../engine-client/test-fixtures/fake-engine';
import { reasonAgainst } from '../../session/command-registry';
import type { LiveView } from '../../contract/live-view';
import type { ClientMoment } from '../../session/store';
import { drawnResult, showDrawnRows, showDrawnRunPaused } from '../../session/test-fixtures/drawn-run';
import { fakeEngines, registerStandIns, sessionForTest } from '../../session/test-fixtures/session-for-test';
import { renderView } from '../../widgets/test-fixtures/render-view';
import ChainPanel from './chain-panel';
import { explainCommands } from './explain-commands';
import { explainFeature } from './index';
import { WalkStatus } from './explain-slots';
import { Explanations, READ_CHARACTERS_MAX } from './explanations';

const ofOne = drawn_tables.filter(({ id }) => !id.startsWith('slowest'));

let held: ClientMoment | null;
let path: ChainPath | null;
let pathPart: PathPart | null;
let copied: string[];
let saved: { name: string; content: Blob }[];
let isShown: boolean;

beforeEach(() => {
  [held, path, pathPart, copied, saved, isShown] = [null, null, null, [], [], false];
});

function panel(explanation: object = drawn_explanation, options: Partial<FakeEngineOptions> = {}) {
  const { engines, loaders } = fakeEngines({ explanation, explanationTables: ofOne, ...options });
  const session = sessionForTest({ features: [explainFeature], loaders });
  registerStandIns(session, 'locks.on_virtual_server');
  const explanations = new Explanations({
    session,
    showChain: () => (isShown = true),
    locks: {
      get moment() {
        return { held, range: { fromNs: 1e6, toNs: 3e6 } };
      },
      showPath: (shown) => (path = shown),
      showPathPart: (part) => (pathPart = part),
      revealLanes: () => undefined,
    },
    copyText: (text) => {
      copied.push(text);
      return Promise.resolve('copied');
    },
    files: { save: (name, content) => saved.push({ name, content }) },
  });
  session.commands.register(explainCommands(explanations));
  const { user } = renderView(
    session,
    <>
      <ChainPanel />
      <WalkStatus />
    </>,
  );
  const state = () => session.store.getState();
  return { session, engines, explanations, user, state };
}

const button = (name: string) => screen.getByRole('button', { name });
const rowsOf = (part: HTMLElement, name: string) =>
  within(within(part).getByRole('table', { name }))
    .getAllByRole('row')
    .slice(1)
    .map((row) => row.textContent);
const outcome = () => screen.findByRole('button', { name: 'Copy text' });
/** Returns the last request to the background worker. */
const askedFor = (engines: { askedToExplain: string[] }[]) => {
  const [spec, wanted] = engines.at(-1)!.askedToExplain;
  return { spec: JSON.parse(spec!) as object, wanted: JSON.parse(wanted!) as object };
};

test('the slowest transaction is taken apart: states, their sum, the chain as text, and a path for the lanes', async () => {
  const { session, engines, user } = panel();
  await act(() => showDrawnRunPaused(session));
  act(() => session.store.setState({ model: { run_ns: 15_000_000, events: 1, host_ms: 1, past: null } }));
  await user.click(button('Slowest in charts'));
  await outcome();
  expect(isShown).toBe(true);
  expect(askedFor(engines)).toMatchObject({
    wanted: { transaction: 'slowest', blame: false },
    spec: { scenario: 'fil-mutex-69276', duration_s: 0.015, actions: [{ at_s: 0.01 }] },
  });
  const region = screen.getByRole('region', { name: 'Slowest transaction of the run' });
  expect(region).toHaveTextContent(
    'Transaction 7 of client 0 began at 0.02 ms and took 50 µs: slowest of 200',
  );
  const rows = within(region).getAllByRole('row').slice(1);
  expect(rows.map((row) => row.textContent)).toEqual([
    'running40.0\u202f%20.000123 µs',
    'waiting60.0\u202f%30.000000 µs',
  ]);
  expect(region).toHaveTextContent('4 parts sum to 50.000123 µs: the latency, to the picosecond.');
  const chain = screen.getByRole('region', { name: 'Whole chain' });
  expect(rowsOf(chain, 'States and the cause of each wait')).toEqual([
    'fil_system->mutex in fil_space_get_version: waiting 20.000000 µs, ready 10.000000 µs60.0\u202f%30 µs',
    'held by client 1, acquired in fil_io40.0\u202f%20 µs',
  ]);
  expect(rowsOf(chain, 'In time order')).toEqual(['(4 rows under 1 % each; --json lists them)']);
  expect(path?.slots).toEqual([0, 1, 2]);
});

test('the reader goes from the end of the transaction to its beginning, part by part; lanes and tables show the same part', async () => {
  const { session, user } = panel();
  await act(() => showDrawnRows(session));
  expect(session.commands.isEnabled('explain.earlier_part')).toBe(false);
  await user.click(button('Slowest in charts'));
  await outcome();
  const walk = screen.getByRole('region', { name: 'Walk the parts' });
  expect(walk).toHaveTextContent('3 parts from start to end of the transaction.');
  await user.click(button('Start at end'));
  expect(walk).toHaveTextContent('Part 3 of 3 · ends with the transaction');
  expect(pathPart).toEqual({ fromNs: 60_000, toNs: 70_000.123 });
  await user.click(button('← Earlier part'));
  expect(walk).toHaveTextContent('Part 2 of 3 · ends 10 µs before its end');
  expect(within(walk).getAllByRole('listitem').map(ownText)).toEqual([
    'waiting: fil_system->mutex in fil_space_get_version30 µs',
    'held by client 1, acquired in fil_io, which did:20 µs 66.7\u202f%',
    'spinning: buf_pool->mutex in buf_page_get_gen20 µs 66.7\u202f%',
    'held by client 2, acquired in buf_LRU_get_free_block, which did:20 µs 66.7\u202f%',
    'sleeping in buf_LRU_get_free_block20 µs 66.7\u202f%',
    'free, in hand-off10 µs 33.3\u202f%',
  ]);
  expect(pathPart).toEqual({ fromNs: 30_000, toNs: 60_000 });
  const told = 'Part 2 of 3: waiting: fil_system->mutex in fil_space_get_version, 30 µs';
  expect(screen.getByText(told)).toHaveRole('status');
  await act(() => session.commands.perform('explain.earlier_part'));
  expect(walk).toHaveTextContent('Part 1 of 3');
  const why = reasonAgainst(session.commands.find('explain.earlier_part'), session.store.getState());
  expect(why).toBe('this is the first part');
  await user.click(button('Later part →'));
  expect(walk).toHaveTextContent('Part 2 of 3');
  await user.click(button('All parts'));
  expect(pathPart).toBeNull();
  await act(() => session.commands.perform('explain.later_part'));
  expect(walk).toHaveTextContent('Part 1 of 3');
});

/** Returns the text of a row without the rows below it. */
const ownText = (item: HTMLElement) => item.querySelector('.walk-row')!.textContent;

test('parts that do not add up are said not to', async () => {
  const { transaction } = drawn_explanation;
  const { session, user } = panel({
    ...drawn_explanation,
    transaction: { ...transaction, parts: transaction.parts.slice(1) },
  });
  await act(() => showDrawnRows(session));
  await user.click(button('Slowest in charts'));
  await outcome();
  expect(screen.getByText(/^3 parts sum to 40.000123 µs/)).toHaveTextContent(
    'the latency is 50.000123 µs. Please report this error.',
  );
});

test('a transaction that is not over has no place, and its parts sum to the time so far', async () => {
  const transaction = { ...drawn_explanation.transaction, is_over: false };
  const { session, engines, user } = panel({ ...drawn_explanation, rank: undefined, transaction });
  await act(() => showDrawnRows(session));
  await user.click(button('Oldest active'));
  await outcome();
  expect(askedFor(engines).wanted).toEqual({ transaction: 'oldest', blame: false });
  const region = screen.getByRole('region', { name: 'Oldest active transaction' });
  expect(region).toHaveTextContent('began at 0.02 ms and is still active after 50 µs.');
  expect(region).toHaveTextContent('4 parts sum to 50.000123 µs: the time so far, to the picosecond.');
});

test('blame tells of all of the slowest ones, and which did not fit', async () => {
  const { session, engines, user } = panel(drawn_explanation, { explanationTables: drawn_tables });
  await act(() => showDrawnRows(session));
  await user.click(button('Slowest 1 %: blame'));
  await outcome();
  expect(askedFor(engines).wanted).toEqual({ transaction: 'slowest', blame: true });
  const blame = screen.getByRole('region', { name: 'Slowest 1 % of transactions of the run' });
  expect(blame).toHaveTextContent(
    /The 2 slowest transactions, 1 % of all, took 100 µs in total. 1 more of the slowest 1 % did not fit in memory./,
  );
  expect(rowsOf(blame, 'Wait time by latch')).toEqual(['fil_system->mutex60.0\u202f%60 µs']);
  expect(rowsOf(blame, 'End of each chain')).toEqual(['sleeping in buf_LRU_get_free_block40.0\u202f%40 µs']);
});

test('a transaction of what charts or lanes show, of a point of the chart, of the tile, of a moment in the lanes', async () => {
  const { session, engines } = panel();
  await act(() => showDrawnRows(session));
  const asksFor = async (command: string, transaction: string) => {
    const before = engines.length;
    expect(reasonAgainst(session.commands.find(command), session.store.getState())).toBeNull();
    await act(() => session.commands.perform(command));
    expect(engines.length).toBeGreaterThan(before);
    expect(askedFor(engines).wanted).toEqual({ transaction, blame: false });
  };
  const isRefused = (command: string, reason: RegExp) => {
    expect(reasonAgainst(session.commands.find(command), session.store.getState())).toMatch(reason);
  };
  await asksFor('explain.p99', 'p99');
  isRefused('explain.point_p99', /select a time in the latency chart first/);
  act(() => session.pointing.setState({ tS: 0.004, by: 'keyboard' }));
  await asksFor('explain.point_p99', 'p99@0.003-0.004');
  act(() => session.select({ kind: 'point', fromS: 0.008, tS: 0.009, p50Ns: 1, p99Ns: 2, maxNs: 3 }));
  await asksFor('explain.point_slowest', 'slowest@0.008-0.009');
  await asksFor('explain.slowest_in_lanes', 'slowest@0.001-0.003');
  act(() =>
    session.store.setState(({ chart }) => ({ chart: { ...chart, zoom: { fromS: 0.002, toS: 0.5 } } })),
  );
  await asksFor('explain.slowest', 'slowest@0.002-0.02');
  act(() => session.store.setState({ live: null }));
  isRefused('explain.p99_now', /no p99 latency is shown yet/);
  act(() => session.store.setState({ live: { p99_ns: 1e6, run_s: 0.012, rate_window_s: 0.01 } as LiveView }));
  await asksFor('explain.p99_now', 'p99@0.002-0.012');
  held = { slot: 2, tNs: 1_000_000 };
  isRefused('explain.held', /pin a client in the lanes/); // It is a thread of the server.
  held = { slot: 1, tNs: 1_500_250 };
  await asksFor('explain.held', 'thread:1@0.00150025');
  isRefused('explain.selected', /select a client in the lanes/);
  act(() => {
    const clientMoment = { slot: 0, tNs: 4_000_000 };
    session.select({
      kind: 'span',
      thread: '',
      words: '',
      latch: null,
      fromNs: null,
      clientMoment,
    });
  });
  await asksFor('explain.selected', 'thread:0@0.004');
});

test('text, CSV and JSON are copied, text and JSON as the engine gave them, and JSON is saved', async () => {
  const { session, user, state } = panel();
  await act(() => showDrawnRows(session));
  await user.click(button('Slowest in charts'));
  await outcome();
  await user.click(button('Copy text'));
  await user.click(button('Copy CSV'));
  await user.click(button('Copy JSON'));
  await user.click(button('Save JSON'));
  expect(copied).toEqual([
    'Transaction 1 of client 0\n',
    explanationCsv(drawn_explanation),
    JSON.stringify(drawn_explanation),
  ]);
  expect(saved.map(({ name }) => name)).toEqual(['explanation.json']);
  expect(await saved[0]!.content.text()).toBe(`${JSON.stringify(drawn_explanation)}\n`);
  await user.click(button('Close'));
  expect(state().explaining.stage).toBe('none');
  expect(path).toBeNull();
});

/** Engines with a request to explain that have not been closed. */
const atWork = (engines: readonly FakeEngine[]) =>
  engines.filter(({ askedToExplain, isTerminated }) => askedToExplain.length > 0 && !isTerminated);

test('one that is cancelled, or of a run that was left, is not shown; its engine is closed', async () => {
  const { session, engines, explanations, state } = panel(drawn_explanation, { moments: 1 });
  await act(() => showDrawnRows(session));
  const leave = [
    () => session.commands.perform('explain.cancel'),
    () => showDrawnRows(session),
    () => session.openScenario('undo-read-117533'),
  ];
  for (const leaveIt of leave) {
    const cancelled = expect(
      explanations.explain({ transaction: 'slowest', blame: false, title: 'one' }),
    ).rejects.toThrow('The explanation was cancelled.');
    expect(state().explaining).toMatchObject({ stage: 'under_way', partDone: 0 });
    expect(await screen.findByRole('progressbar')).toBeVisible();
    await waitFor(() => expect(atWork(engines)).toHaveLength(1));
    await act(leaveIt);
    await cancelled;
    expect(state().explaining.stage).toBe('none');
    expect(atWork(engines)).toEqual([]);
  }
});

test('why there is none is told', async () => {
  const { session, engines, explanations } = panel(drawn_explanation, { moments: 1 });
  await act(() => showDrawnRows(session));
  const refused = expect(
    explanations.explain({ transaction: 'nth:9', blame: false, title: 'The ninth' }),
  ).rejects.toThrow('no memory is left');
  await waitFor(() => expect(atWork(engines)).toHaveLength(1));
  atWork(engines)[0]!.fail('no memory is left');
  await refused;
  expect(await screen.findByRole('alert')).toHaveTextContent('no memory is left');
});

test('of what is too large to be drawn the tables are shown, and the JSON can be saved', async () => {
  const { session, user } = panel({ filler: 'x'.repeat(READ_CHARACTERS_MAX) });
  await act(() => showDrawnRows(session));
  await user.click(button('Slowest in charts'));
  await outcome();
  expect(screen.getByText(/too many parts for the lanes/)).toBeVisible();
  expect(screen.getByText(/^Transaction 7 of client 0 took/)).toBeVisible();
  expect(session.commands.isEnabled('explain.copy_csv')).toBe(false);
  expect(screen.getByText('The chain has too many parts to walk.')).toBeVisible();
  expect(session.commands.isEnabled('explain.later_part')).toBe(false);
  expect(session.commands.isEnabled('explain.save_json')).toBe(true);
  expect(path).toBeNull();
});

test('before a run, on real threads, and of another engine’s result it is refused, with the reason', async () => {
  const { session, explanations } = panel();
  const why = () => explanations.explain({ transaction: 'slowest', blame: false, title: '' });
  await act(() => session.openPlatform('virtual'));
  await expect(why()).rejects.toThrow('No run yet.');
  await act(() =>
    session.files.openResult(
      JSON.stringify({ ...drawnResult, engine: { ...drawnResult.engine, version: '0.0.9' } }),
      'old.json',
    ),
  );
  act(() => {
    const engineVersion = { version: '0.1.0' } as ReturnType<typeof session.store.getState>['engine_version'];
    session.store.setState({ engine_version: engineVersion });
  });
  await expect(why()).rejects.toThrow(/^This result comes from engine 0.0.9. This page has engine 0.1.0/);
  await act(() => session.openPlatform('threads'));
  await expect(why()).rejects.toThrow('On real threads, stalls are unknown. Use the virtual server.');
  expect(
    await screen.findByText(/^On real threads, the cause of one slow transaction is unknown/),
  ).toBeVisible();
  expect(button('Run on the virtual server')).toBeVisible();
});
