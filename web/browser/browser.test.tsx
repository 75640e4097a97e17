import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { waitForState } from '../contract/test-fixtures/wait-for-state';
import { fil_mutex, undo_read } from '../contract/test-fixtures';
import {
  followAddressBar,
  followScenario,
  followShortcutSetting,
  followTheme,
  followVisibility,
  lastRunStorage,
} from './browser';
import { followDroppedFiles } from './files';
import { drawnResult } from '../session/test-fixtures/drawn-run';
import { sessionForTest } from '../session/test-fixtures/session-for-test';

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  history.replaceState(null, '', '/');
});
afterEach(() => {
  vi.restoreAllMocks();
});

describe('the address bar', () => {
  const bar = () => location.hash;

  async function typed(hash: string): Promise<void> {
    history.replaceState(null, '', `/${hash}`);
    dispatchEvent(new Event('hashchange'));
    await Promise.resolve();
  }

  test('shows what is chosen; another bug makes a new history entry, a change of the draft does not', async () => {
    const session = sessionForTest();
    void followAddressBar(session);
    expect(bar()).toBe('');
    session.openView('explorer');
    const push = vi.spyOn(history, 'pushState');
    await session.openScenario(undo_read.manifest.id);
    expect(push).toHaveBeenCalledTimes(1);
    expect(bar()).toMatch(/^#v=1&scenario=undo-read-117533&/);
    session.editDraft({ threads: 11 });
    await session.setKnob('undo_page_size_lookup', 'cached');
    expect(bar()).toMatch(/&design\.undo_page_size_lookup=cached&.*threads=11&/);
    expect(push).toHaveBeenCalledTimes(1);
    await session.openScenario(fil_mutex.manifest.id);
    expect(push).toHaveBeenCalledTimes(2);
  });

  test('is read at once when edited', async () => {
    const session = sessionForTest();
    void followAddressBar(session);
    await typed('#v=1&scenario=fil-mutex-69276&threads=0');
    await waitForState(() =>
      expect(session.store.getState().linkErrors).toMatchObject([{ field: 'threads', value: '0' }]),
    );
    await typed('#v=1&scenario=fil-mutex-69276&threads=5');
    await waitForState(() =>
      expect(session.store.getState()).toMatchObject({ linkErrors: [], draft: { threads: 5 } }),
    );
  });

  test('keeps a link that is about to be opened, although the page changes before', async () => {
    const session = sessionForTest();
    void followAddressBar(session);
    await session.openScenario(undo_read.manifest.id);
    const link = '#v=1&scenario=fil-mutex-69276&threads=5';
    history.replaceState(null, '', `/${link}`);
    session.openView('stage');
    expect(location.hash).toBe(link);
    dispatchEvent(new Event('hashchange'));
    await waitForState(() =>
      expect(session.store.getState()).toMatchObject({ view: 'explorer', draft: { threads: 5 } }),
    );
  });

  test('says when the first link has been opened', async () => {
    history.replaceState(null, '', '/#v=1&scenario=undo-read-117533&threads=4');
    const session = sessionForTest();
    await followAddressBar(session);
    expect(session.store.getState().draft).toMatchObject({ scenario: 'undo-read-117533', threads: 4 });
  });

  test('does not start the same run twice', async () => {
    history.replaceState(null, '', '/#v=1&scenario=undo-read-117533&platform=virtual&threads=4&run=1');
    const session = sessionForTest();
    void followAddressBar(session);
    await waitForState(() => expect(bar()).not.toContain('run=1'));
    expect(bar()).toContain('threads=4');
    expect(session.store.getState().draft.threads).toBe(4);
  });
});

test('the title names the bug', async () => {
  const session = sessionForTest();
  followScenario(session);
  expect(document.title).toBe('Latchscope');
  await session.openScenario(undo_read.manifest.id);
  expect(document.title).toBe('Bug #117533 – Latchscope');
});

describe('what is remembered on this device', () => {
  test('is the theme, set on the root element', () => {
    const session = sessionForTest();
    followTheme(session);
    expect(document.documentElement).toHaveAttribute('data-theme', 'system');
    session.store.setState({ theme: 'dark' });
    expect(document.documentElement).toHaveAttribute('data-theme', 'dark');
    const next = sessionForTest();
    followTheme(next);
    expect(next.store.getState().theme).toBe('dark');
  });

  test('is whether single keys are on', () => {
    const session = sessionForTest();
    followShortcutSetting(session);
    expect(session.store.getState()).toMatchObject({ areShortcutsOn: true });
    session.store.setState({ areShortcutsOn: false } as object);
    const next = sessionForTest();
    followShortcutSetting(next);
    expect(next.store.getState()).toMatchObject({ areShortcutsOn: false });
  });

  test('is nothing if storage is forbidden, and the page still works', () => {
    vi.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
      throw new DOMException('Storage is forbidden.', 'SecurityError');
    });
    const session = sessionForTest();
    followTheme(session);
    followShortcutSetting(session);
    expect(session.store.getState()).toMatchObject({ theme: 'system', areShortcutsOn: true });
  });
});

describe('what the tab keeps of the last run', () => {
  test('is a text for each address of the page, until it is removed', () => {
    expect(lastRunStorage.write('a run')).toBe(true);
    expect(lastRunStorage.read()).toBe('a run');
    history.replaceState(null, '', '/elsewhere/');
    expect(lastRunStorage.read()).toBeNull();
    history.replaceState(null, '', '/');
    expect(lastRunStorage.write(null)).toBe(true);
    expect(lastRunStorage.read()).toBeNull();
  });

  test('is nothing once the tab is full, rather than an older run', () => {
    lastRunStorage.write('an older run');
    const full = {
      removeItem: (key: string) => {
        sessionStorage.removeItem(key);
      },
      setItem: () => {
        throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
      },
    };
    const storage = vi.spyOn(window, 'sessionStorage', 'get').mockReturnValueOnce(full as unknown as Storage);
    expect(lastRunStorage.write('a run')).toBe(false);
    storage.mockRestore();
    expect(lastRunStorage.read()).toBeNull();
  });

  test('is nothing if storage is forbidden', () => {
    vi.spyOn(window, 'sessionStorage', 'get').mockImplementation(() => {
      throw new DOMException('Storage is forbidden.', 'SecurityError');
    });
    expect(lastRunStorage.write('a run')).toBe(false);
    expect(lastRunStorage.read()).toBeNull();
  });

  test('is nothing in a frame, whose storage all frames of the tab share', () => {
    vi.spyOn(window, 'top', 'get').mockReturnValue({} as Window);
    expect(lastRunStorage.write('a run')).toBe(false);
    vi.restoreAllMocks();
    expect(lastRunStorage.read()).toBeNull();
  });
});

test('a hidden page leaves a gap in its lines', () => {
  const session = sessionForTest();
  const breakLines = vi.spyOn(session, 'breakLines');
  followVisibility(session);
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('visible');
  document.dispatchEvent(new Event('visibilitychange'));
  expect(breakLines).not.toHaveBeenCalled();
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  document.dispatchEvent(new Event('visibilitychange'));
  expect(breakLines).toHaveBeenCalledOnce();
});

test('a file dragged over the page is announced on the root element, and opened when dropped', async () => {
  const session = sessionForTest();
  followDroppedFiles((files) => session.files.openDroppedFiles(files));
  const file = new File([JSON.stringify(drawnResult)], 'dropped.json');
  const send = (type: string, types = ['Files']) => {
    const event = new Event(type, { bubbles: true, cancelable: true });
    Object.assign(event, { dataTransfer: { types, files: [file] }, relatedTarget: null });
    document.body.dispatchEvent(event);
    return event;
  };
  expect(send('dragover', ['text/plain']).defaultPrevented).toBe(false);
  expect(document.documentElement).not.toHaveAttribute('data-file-over');
  expect(send('dragover').defaultPrevented).toBe(true);
  expect(document.documentElement).toHaveAttribute('data-file-over');
  send('dragleave');
  expect(document.documentElement).not.toHaveAttribute('data-file-over');
  send('dragover');
  expect(send('drop').defaultPrevented).toBe(true);
  expect(document.documentElement).not.toHaveAttribute('data-file-over');
  await waitForState(() => expect(session.store.getState().opened).toEqual({ name: 'dropped.json' }));
});
