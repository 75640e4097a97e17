// Tests the run that this page stores for the next one, and the offer of the previous page's run.
import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';

import { undo_result } from '../contract/run-result-fixtures';
import { fil_mutex, machine, scenarios, undo_read } from '../contract/test-fixtures';
import { firstRunLink, parseLink } from '../session/link';
import { fakeEngines } from '../session/test-fixtures/session-for-test';
import type { TabStorage } from '../features/last-run/last-run';
import { RESULT_CHARACTERS_MAX } from '../features/last-run/kept-run';
import { pageForTest } from './page-fixture';
import { renderPage } from './test-fixtures/render-page';

/** A tab with space for `room` characters of text. */
function tab({ text = null, room = Infinity }: { text?: string | null; room?: number } = {}) {
  const held = { text };
  const storage: TabStorage = {
    read: () => held.text,
    write: (given) => {
      const fits = given === null || given.length <= room;
      held.text = fits ? given : null;
      return fits;
    },
  };
  const kept = () => (held.text === null ? null : (JSON.parse(held.text) as Record<string, unknown>));
  return { storage, kept };
}

const undoResultText = JSON.stringify(undo_result);
const spec = { version: 1, scenario: undo_read.manifest.id, platform: 'threads', threads: 3 };
const notice = () => screen.queryByRole('region', { name: 'Last run' });
const button = (name: string) => screen.getByRole('button', { name });

/** Runs `spec` on a page in this tab until it is running. */
async function running(storage: TabStorage, run: object = spec) {
  const page = pageForTest({ loaders: fakeEngines().loaders }, { lastRunStorage: storage });
  const over = page.session.run(run);
  over.catch(() => undefined);
  await waitFor(() => expect(page.state().run_state).toBe('running'));
  return { ...page, over };
}

/** Opens the next page in this tab, with the offer. */
function nextPage(storage: TabStorage) {
  const page = renderPage({ loaders: fakeEngines().loaders }, { lastRunStorage: storage });
  act(() => page.lastRun.offer());
  return page;
}

describe('while a run is shown, the tab keeps', () => {
  test('its spec from the beginning, with what is done by hand', async () => {
    const { storage, kept } = tab();
    const { session, state } = await running(storage);
    expect(kept()).toMatchObject({ spec: { threads: 3, actions: [] }, result: null, was_over: false });
    const [action] = undo_read.manifest.actions;
    const mark = {
      number: 0,
      subject: 0,
      value: 0,
      run_ns: 2e9,
      step_ns: 2e9,
      stopped_us: 0,
      is_by_hand: true,
    };
    session.store.setState({ marks: [{ ...mark, kind: 'action', action: action!, isRefused: false }] });
    expect(kept()).toMatchObject({ spec: { actions: [{ at_s: 2, action: action!.id }] } });
    expect(state().spec?.actions).toEqual([]);
  });

  test('its result, when it is over', async () => {
    const { storage, kept } = tab();
    const { session, state } = await running(storage);
    await session.stop();
    expect(kept()).toMatchObject({ was_over: true, result: state().resultJson, file: null });
  });

  test('its spec alone, if the result is too large for the page or for the tab', async () => {
    const { storage, kept } = tab({ room: 5_000 });
    const { session } = await running(storage);
    session.store.setState({ result: undo_result, resultJson: ' '.repeat(5_000) });
    expect(kept()).toMatchObject({ was_over: true, result: null, spec: { threads: 3 } });
    const roomy = tab();
    const page = await running(roomy.storage);
    page.session.store.setState({ resultJson: ' '.repeat(RESULT_CHARACTERS_MAX + 1) });
    expect(roomy.kept()).toMatchObject({ was_over: true, result: null });
  });

  test('nothing where storage is forbidden, and the page works', async () => {
    const { storage } = tab({ room: 0 });
    const { session, state } = await running(storage);
    await session.stop();
    expect(state().run_state).toBe('finished');
    expect(storage.read()).toBeNull();
  });

  test('an opened file, with its name', async () => {
    const { storage, kept } = tab();
    const { session } = pageForTest({}, { lastRunStorage: storage });
    await session.files.openResult(undoResultText, 'mine.json');
    expect(kept()).toMatchObject({ file: 'mine.json', result: undoResultText, was_over: true });
    session.files.closeResult();
    expect(kept()).toBeNull();
  });

  test('no run of a comparison, and none that the reader has left', async () => {
    const { storage, kept } = tab();
    const { session } = await running(storage);
    await session.stop();
    const series = session.beginSeries('comparison', () => Promise.resolve());
    const ofSeries = series.workers[0]!.run({ ...session.store.getState().draftSpec!, threads: 9 });
    ofSeries.catch(() => undefined);
    await waitFor(() => expect(session.store.getState().spec?.threads).toBe(9));
    expect(kept()).toMatchObject({ spec: { threads: 3 } });
    await series.stop();
    series.end();
    await session.openScenario(fil_mutex.manifest.id);
    expect(kept()).toBeNull();
  });
});

describe('the next page', () => {
  test('offers a run that was going; it runs again with its actions, after which the offer is gone', async () => {
    const { storage, kept } = tab();
    await running(storage, { ...spec, actions: [{ at_s: 1, action: undo_read.manifest.actions[0]!.id }] });
    const { user, state } = nextPage(storage);
    expect(notice()).toHaveTextContent('The page reload ended your run of #117533.');
    expect(notice()).toHaveTextContent(
      'repeats its spec on real threads, with 1 action; numbers will differ.',
    );
    expect(screen.queryByRole('button', { name: 'Open result' })).toBeNull();
    await user.click(button('Run again'));
    await waitFor(() =>
      expect(state()).toMatchObject({ run_state: 'running', view: 'explorer', spec: { threads: 3 } }),
    );
    expect(state().spec?.actions).toHaveLength(1);
    expect(notice()).toBeNull();
    expect(kept()).toMatchObject({ spec: { threads: 3 }, was_over: false });
  });

  test('opens a result, and keeps that in turn', async () => {
    const { storage, kept } = tab();
    const { session } = pageForTest({}, { lastRunStorage: storage });
    await session.files.openResult(undoResultText, 'mine.json');
    const { user, state } = nextPage(storage);
    expect(notice()).toHaveTextContent('The page reload closed mine.json. Its result is stored.');
    await user.click(button('Open result'));
    await waitFor(() =>
      expect(state()).toMatchObject({ opened: { name: 'mine.json' }, resultJson: undoResultText }),
    );
    expect(notice()).toBeNull();
    expect(kept()).toMatchObject({ file: 'mine.json', result: undoResultText });
  });

  test('offers a run of the page as such again after its result was opened', async () => {
    const { storage, kept } = tab();
    const { session } = await running(storage);
    await session.stop();
    session.store.setState({ result: undo_result, resultJson: undoResultText });
    const { user, state } = nextPage(storage);
    await user.click(button('Open result'));
    await waitFor(() => expect(state().opened).toEqual({ name: 'the run before the reload' }));
    expect(kept()).toMatchObject({ file: null });
  });

  test('says so if the result was too large, and names an unusable result', async () => {
    const { storage } = tab();
    const { session } = await running(storage);
    session.store.setState({ resultJson: ' '.repeat(RESULT_CHARACTERS_MAX + 1) });
    const { unmount } = nextPage(storage);
    expect(notice()).toHaveTextContent('Its result was too large to store.');
    unmount();
    session.store.setState({ resultJson: '{"version":1}' });
    const { user } = nextPage(storage);
    await user.click(button('Open result'));
    expect(await screen.findByRole('alert')).toHaveTextContent('cannot be opened; the page is unchanged');
    expect(notice()).not.toBeNull();
  });

  test('names what is wrong with a spec that it cannot run', async () => {
    const { storage } = tab();
    await running(storage);
    const text = storage.read()!.replace('"threads":3', '"threads":-3');
    const { user, state } = nextPage(tab({ text }).storage);
    await user.click(button('Run again'));
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'threads is -3; allowed: an integer from 1 to 64',
    );
    expect(state()).toMatchObject({ run_state: 'idle', runLock: 'none' });
  });

  test('offers the run once more after another reload, until it is dismissed', async () => {
    const { storage } = tab();
    await running(storage);
    const second = nextPage(storage);
    // Opening another bug clears the data of the run.
    const link = parseLink('v=1&scenario=undo-read-117533', scenarios, machine);
    await second.session.openLink(link);
    expect(notice()).not.toBeNull();
    second.unmount();
    const third = nextPage(storage);
    await third.user.click(button('Close note'));
    expect(notice()).toBeNull();
    expect(storage.read()).toBeNull();
  });

  test('does what its link says, and still offers the run', async () => {
    const { storage, kept } = tab();
    await running(storage);
    const { session, state, lastRun, user } = renderPage(
      { loaders: fakeEngines().loaders },
      { lastRunStorage: storage },
    );
    await session.openLink(parseLink(firstRunLink(fil_mutex.manifest.id), scenarios, machine));
    lastRun.offer();
    expect(state()).toMatchObject({ run_state: 'running', spec: { scenario: fil_mutex.manifest.id } });
    expect(await screen.findByRole('region', { name: 'Last run' })).toHaveTextContent('#117533');
    expect(kept()).toMatchObject({ spec: { scenario: fil_mutex.manifest.id } });
    await user.click(within(notice()!).getByRole('button', { name: 'Close note' }));
    expect(notice()).toBeNull();
    expect(kept()).toMatchObject({ spec: { scenario: fil_mutex.manifest.id } });
  });

  test('withdraws the offer when the reader starts another run', async () => {
    const { storage } = tab();
    await running(storage);
    const { session, state } = nextPage(storage);
    session.run({ ...spec, threads: 5 }).catch(() => undefined);
    await waitFor(() => expect(state().run_state).toBe('running'));
    expect(notice()).toBeNull();
  });
});

describe('on the virtual server', () => {
  const engine = { version: '0.1.0', build: 'abc', platform: 'virtual' };
  const told = (engineVersion: object | null, itsEngine: string | null) => {
    const { storage } = tab({
      text: JSON.stringify({
        ...{ version: 1, result: null, was_over: false, file: null, engine: itsEngine },
        spec: { ...spec, platform: 'virtual', actions: [{}, {}] },
      }),
    });
    const page = renderPage({}, { lastRunStorage: storage });
    page.session.store.setState({ engine_version: engineVersion } as object);
    page.lastRun.offer();
    return notice;
  };

  test.each([
    ['the same engine', engine, '0.1.0 abc', 'repeats it exactly on the virtual server, with 2 actions.'],
    ['a file of this version', engine, '0.1.0', 'repeats it exactly on the virtual server'],
    ['another engine', engine, '0.1.0 abd', 'on another engine, with 2 actions; numbers may differ.'],
    ['no engine yet', null, '0.1.0 abc', 'Run again repeats it on the virtual server, with 2 actions.'],
    ['an engine of the other platform', { ...engine, platform: 'threads' }, '0.1.0 abd', 'repeats it on the'],
  ])('the page says how the run repeats with %s', async (_, own, itsEngine, words) => {
    const shown = told(own, itsEngine);
    await waitFor(() => expect(shown()).toHaveTextContent(words));
  });
});
