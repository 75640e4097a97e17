// Ties a session to the browser around it: address bar, visibility, remembered theme.
import { storeWithSlice } from '../session/feature';
import type { CompiledLatch } from '../session/compiled-latch';
import { linkShown, parseLink, sourceInLink, type SharedLink } from '../session/link';
import type { Session } from '../session/session';
import type { ExplorerState, Theme } from '../session/store';

const THEME_KEY = 'latchscope.theme';
const SHORTCUTS_KEY = 'latchscope.shortcuts';
const LAB_KEY = 'latchscope.lab';
const LAST_RUN_KEY = 'latchscope.last-run';

/**
 * The link in the address bar is the view and the next run, in both directions. Another view or scenario is another entry
 * of the browser's history, so that Back returns to the one before; a change of the draft is not. Settles when the first link has
 * been opened and the run that it starts has begun.
 */
export function followAddressBar(session: Session): Promise<void> {
  const { store, scenarios, link_fields } = session;
  const open = async () => {
    const { hash } = location;
    const source = sourceInLink(hash);
    const { errors, program }: CompiledLatch =
      source === null ? {} : await (await import('../session/compiled-latch')).compiledLatch(source);
    if (location.hash !== hash) return; // Another link was opened meanwhile.
    await session.openLink(
      errors === undefined
        ? parseLink(hash, scenarios, store.getState().machine, link_fields, program)
        : { ok: false, errors },
    );
    dropStart(session);
  };
  const opened = open();
  addEventListener('hashchange', () => void open());
  store.subscribe((state, before) => {
    const { view, draft_spec, opening } = state;
    if (draft_spec === null || opening !== null) return;
    const parts_before = linkedParts(session, before);
    if (linkedParts(session, state).every((part, index) => part === parts_before[index])) return;
    const link = addressOf(session);
    if (link === null) return;
    const shown = placeInAddressBar();
    if (view === shown.view && (view === 'front' || draft_spec.scenario === shown.scenario)) {
      history.replaceState(history.state, '', link);
    } else {
      history.pushState(null, '', link);
    }
  });
  return opened;
}

function addressOf({ store, link_fields }: Session): string | null {
  const state = store.getState();
  return state.view === 'front' ? location.pathname + location.search : linkShown(state, link_fields);
}

/** What a link has started does not start again when the page is loaded again. */
function dropStart(session: Session): void {
  const link = addressOf(session);
  const has_started = new URLSearchParams(location.hash.slice(1)).has('run');
  if (link !== null && has_started) history.replaceState(history.state, '', link);
}

/** What the link in the address bar says, in parts that change as a whole. */
const linkedParts = ({ link_fields }: Session, state: ExplorerState) => [
  state.view,
  state.draft_spec,
  ...link_fields.flatMap((field) => field.partsOf(state)),
];

/** Shows the link in the address bar and copies it. Settles with what to tell the reader. */
export async function copyLink({ link, is_of_run }: SharedLink): Promise<string> {
  const { href } = new URL(link, location.href);
  history.replaceState(null, '', href);
  return navigator.clipboard.writeText(href).then(
    () => (is_of_run ? 'Run link copied' : 'Link copied'),
    () => 'Link is in the address bar',
  );
}

/** Settles with whether it is on the clipboard, in words. */
export const copyText = (text: string): Promise<string> =>
  navigator.clipboard.writeText(text).then(
    () => 'copied',
    () => 'this browser does not allow copying; save it instead',
  );

/** Settles with whether the browser allowed it, which it need not in a frame of another page. */
export async function toggleFullScreen(): Promise<boolean> {
  const is_full = document.fullscreenElement !== null;
  const change = is_full ? document.exitFullscreen() : document.documentElement.requestFullscreen();
  return change.then(
    () => true,
    () => false,
  );
}

function placeInAddressBar(): { view: string; scenario: string | null } {
  const pairs = new URLSearchParams(location.hash.slice(1));
  const view = location.hash.length > 1 ? (pairs.get('view') ?? 'explorer') : 'front';
  return { view, scenario: pairs.get('scenario') };
}

/** The browser's tabs and history say which bug is shown. */
export function followScenario({ store }: Session): void {
  const show = ({ view, scenario }: ExplorerState) => {
    const shown = view === 'lab' ? 'Latch lab' : `Bug #${scenario.manifest.bug}`;
    document.title = view === 'front' ? 'Latchscope' : `${shown} – Latchscope`;
  };
  show(store.getState());
  store.subscribe(show);
}

/** Settles once the document and all that it names are loaded. */
export function documentLoaded(): Promise<void> {
  if (document.readyState === 'complete') return Promise.resolve();
  return new Promise((resolve) => {
    addEventListener(
      'load',
      () => {
        resolve();
      },
      { once: true },
    );
  });
}

export function followVisibility(session: Session): void {
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') session.breakLines();
  });
}

/** The chosen theme is remembered on this device and stands on the root element, where the style sheets look. */
export function followTheme({ store }: Session): void {
  store.setState({ theme: rememberedTheme() });
  const show = (theme: Theme) => {
    document.documentElement.dataset.theme = theme;
  };
  show(store.getState().theme);
  store.subscribe(({ theme }, before) => {
    if (theme === before.theme) return;
    show(theme);
    withStorage((storage) => {
      storage.setItem(THEME_KEY, theme);
    });
  });
}

/** Whether shortcuts of a single key are on is remembered on this device. */
export function followShortcutSetting(session: Session): void {
  const store = storeWithSlice<ExplorerState & { are_shortcuts_on: boolean }>(session.store);
  const remembered = withStorage((storage) => storage.getItem(SHORTCUTS_KEY));
  store.setState({ are_shortcuts_on: remembered !== 'off' });
  store.subscribe(({ are_shortcuts_on }, before) => {
    if (are_shortcuts_on === before.are_shortcuts_on) return;
    withStorage((storage) => {
      storage.setItem(SHORTCUTS_KEY, are_shortcuts_on ? 'on' : 'off');
    });
  });
}

/** What was solved in the latch lab is remembered on this device. */
export const rememberedLab = () => withStorage((storage) => storage.getItem(LAB_KEY));
export function rememberLab(text: string): void {
  withStorage((storage) => {
    storage.setItem(LAB_KEY, text);
  });
}

/**
 * The run that is shown is kept until the tab is closed, for each address that the page is served from. All frames of a tab share
 * its storage, so a page in a frame keeps nothing.
 */
export const last_run_storage = {
  read: () => withTabStorage((storage) => storage.getItem(lastRunKey())),
  write: (text: string | null) =>
    withTabStorage((storage) => {
      // What is there must not outlive the run that could not be stored.
      storage.removeItem(lastRunKey());
      if (text !== null) storage.setItem(lastRunKey(), text);
      return true;
    }) ?? false,
};

const lastRunKey = () => `${LAST_RUN_KEY} ${location.pathname}`;

const withTabStorage = <Result>(use: (storage: Storage) => Result) =>
  window.top === window ? withStorage(use, () => sessionStorage) : null;

function rememberedTheme(): Theme {
  const remembered = withStorage((storage) => storage.getItem(THEME_KEY));
  return remembered === 'light' || remembered === 'dark' ? remembered : 'system';
}

/** A browser may forbid storage, to a page in a foreign iframe for instance; then nothing is remembered. */
function withStorage<Result>(
  use: (storage: Storage) => Result,
  storage: () => Storage = () => localStorage,
): Result | null {
  try {
    return use(storage());
  } catch {
    return null;
  }
}
