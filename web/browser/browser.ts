// Connects a session to the browser: address bar, visibility, and stored settings.
import { scenarioLabel } from '../contract/scenario-names';
import type { CompiledLink } from '../session/compiled-sources';
import { linkShown, parseLink, sourcesInLink, type SharedLink } from '../session/link';
import type { Session } from '../session/session';
import { isOfBug, type ExplorerState, type Theme, type View } from '../session/store';

const THEME_KEY = 'latchscope.theme';
const SHORTCUTS_KEY = 'latchscope.shortcuts';
const LAB_KEY = 'latchscope.lab';
const WORKLOAD_KEY = 'latchscope.workload';
const LAST_RUN_KEY = 'latchscope.last-run';

/**
 * Synchronizes the address bar with the view and the next run, in both directions. Another view or
 * scenario adds an entry to the browser's history, so that Back returns to the previous one. A
 * change of the draft adds none.
 *
 * Settles when the first link is open and its run has started.
 */
export function followAddressBar(session: Session): Promise<void> {
  const { store, scenarios, linkFields } = session;
  /** The link of the shown state. Another one in the address bar is the reader's, and opens next. */
  let hashShown = location.hash;
  const open = async () => {
    const { hash } = location;
    hashShown = hash;
    const sources = sourcesInLink(hash);
    const { errors, compiled }: CompiledLink =
      Object.keys(sources).length === 0
        ? { compiled: {} }
        : await (await import('../session/compiled-sources')).compiledSources(sources);
    if (location.hash !== hash) return; // Another link has been opened since.
    await session.openLink(
      errors === undefined
        ? parseLink(hash, scenarios, store.getState().machine, linkFields, compiled)
        : { ok: false, errors },
    );
    if (location.hash !== hashShown) return;
    dropStart(session);
    hashShown = location.hash;
  };
  const opened = open();
  addEventListener('hashchange', () => void open());
  store.subscribe((state, before) => {
    const { view, draftSpec, opening } = state;
    if (draftSpec === null || opening !== null || location.hash !== hashShown) return;
    const partsBefore = linkedParts(session, before);
    if (linkedParts(session, state).every((part, index) => part === partsBefore[index])) return;
    const link = addressOf(session);
    if (link === null) return;
    const shown = placeInAddressBar();
    if (view === shown.view && (view === 'front' || draftSpec.scenario === shown.scenario)) {
      history.replaceState(history.state, '', link);
    } else {
      history.pushState(null, '', link);
    }
    hashShown = location.hash;
  });
  return opened;
}

function addressOf({ store, linkFields }: Session): string | null {
  const state = store.getState();
  return state.view === 'front' ? location.pathname + location.search : linkShown(state, linkFields);
}

/** Removes the start from the link, so that a reload does not start the run again. */
function dropStart(session: Session): void {
  const link = addressOf(session);
  const hasStarted = new URLSearchParams(location.hash.slice(1)).has('run');
  if (link !== null && hasStarted) history.replaceState(history.state, '', link);
}

/** The state in the link, in parts that change as a whole. */
const linkedParts = ({ linkFields }: Session, state: ExplorerState) => [
  state.view,
  state.draftSpec,
  ...linkFields.flatMap((field) => field.partsOf(state)),
];

/** Shows the link in the address bar and copies it. Settles with a message for the reader. */
export async function copyLink({ link, isOfRun }: SharedLink): Promise<string> {
  const { href } = new URL(link, location.href);
  history.replaceState(null, '', href);
  return navigator.clipboard.writeText(href).then(
    () => (isOfRun ? 'Run link copied' : 'Link copied'),
    () => 'Link is in the address bar',
  );
}

/** Settles with the outcome in words. */
export const copyText = (text: string): Promise<string> =>
  navigator.clipboard.writeText(text).then(
    () => 'copied',
    () => 'this browser does not allow copying; save it instead',
  );

/** Settles with whether the browser allowed it; in a frame of another page it may refuse. */
export async function toggleFullScreen(): Promise<boolean> {
  const isFull = document.fullscreenElement !== null;
  const change = isFull ? document.exitFullscreen() : document.documentElement.requestFullscreen();
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

const titlesOfNoBug: Partial<Record<View, string>> = {
  lab: 'Latch lab',
  waits: 'Your waits',
  workload: 'Workload',
};

/** Shows the current bug in the document title. */
export function followScenario({ store }: Session): void {
  const show = ({ view, scenario }: ExplorerState) => {
    const shown = isOfBug(view) ? scenarioLabel(scenario.manifest) : titlesOfNoBug[view];
    document.title = shown === undefined ? 'Latchscope' : `${shown} – Latchscope`;
  };
  show(store.getState());
  store.subscribe(show);
}

/** Settles once the document and all its resources are loaded. */
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

/** Stores the theme on this device, and sets it on the root element, where style sheets read it. */
export function followTheme({ store }: Session): void {
  store.setState({ theme: rememberedTheme() });
  const show = (theme: Theme) => {
    document.documentElement.dataset.theme = theme;
  };
  show(store.getState().theme);
  store.subscribe(({ theme }, before) => {
    if (theme === before.theme) return;
    show(theme);
    withStorage((storage) => storage.setItem(THEME_KEY, theme));
  });
}

/** Stores on this device whether single-key shortcuts are on. */
export function followShortcutSetting(session: Session): void {
  const store = session.store;
  const remembered = withStorage((storage) => storage.getItem(SHORTCUTS_KEY));
  store.setState({ areShortcutsOn: remembered !== 'off' });
  store.subscribe(({ areShortcutsOn }, before) => {
    if (areShortcutsOn === before.areShortcutsOn) return;
    withStorage((storage) => storage.setItem(SHORTCUTS_KEY, areShortcutsOn ? 'on' : 'off'));
  });
}

/** Progress in the latch lab, stored on this device. */
export const rememberedLab = () => withStorage((storage) => storage.getItem(LAB_KEY));
export function rememberLab(text: string): void {
  withStorage((storage) => storage.setItem(LAB_KEY, text));
}

/** The reader's workload, stored on this device. */
export const rememberedWorkload = () => withStorage((storage) => storage.getItem(WORKLOAD_KEY));
export function rememberWorkload(text: string): void {
  withStorage((storage) => storage.setItem(WORKLOAD_KEY, text));
}

/**
 * Stores the current run until the tab is closed, for each address of the page. All frames of a tab
 * share its storage, so a page in a frame stores nothing.
 */
export const lastRunStorage = {
  read: () => withTabStorage((storage) => storage.getItem(lastRunKey())),
  write: (text: string | null) =>
    withTabStorage((storage) => {
      // The old entry must not outlive the run that could not be stored.
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

/** Returns null if the browser forbids storage, for instance to a page in a foreign iframe. */
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
