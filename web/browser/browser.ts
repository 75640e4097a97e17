// Ties a session to the browser around it: address bar, visibility, remembered theme.
import { formatLink, guidanceShown, parseLink } from '../session/link';
import { settingsShown } from '../features/experiments/experiments';
import type { RunSpec } from '../contract/run-spec';
import type { Session } from '../session/session';
import type { ExplorerState, Theme } from '../session/store';

const THEME_KEY = 'latchscope.theme';
const SHORTCUTS_KEY = 'latchscope.shortcuts';

/**
 * The link in the address bar is the view and the next run, in both directions. Another view or scenario is another entry
 * of the browser's history, so that Back returns to the one before; a change of the draft is not.
 */
export function followAddressBar(session: Session): void {
  const { store } = session;
  const open = async () => {
    await session.openLink(parseLink(location.hash, session.scenarios, store.getState().machine));
    dropStart(store.getState());
  };
  void open();
  addEventListener('hashchange', () => void open());
  store.subscribe((state, before) => {
    const { view, draft_spec, opening } = state;
    if (draft_spec === null || opening !== null) return;
    if (linkedParts(state).every((part, index) => part === linkedParts(before)[index])) return;
    const link = linkShown(state, draft_spec);
    const shown = placeInAddressBar();
    if (view === shown.view && (view === 'front' || draft_spec.scenario === shown.scenario)) {
      history.replaceState(history.state, '', link);
    } else {
      history.pushState(null, '', link);
    }
  });
}

function linkShown(state: ExplorerState, draft_spec: RunSpec): string {
  return state.view === 'front'
    ? location.pathname + location.search
    : formatLink(draft_spec, state.view, guidanceShown(state), settingsShown(state));
}

/** What a link has started does not start again when the page is loaded again. */
function dropStart(state: ExplorerState): void {
  const { draft_spec } = state;
  if (draft_spec === null || !new URLSearchParams(location.hash.slice(1)).has('run')) return;
  history.replaceState(history.state, '', linkShown(state, draft_spec));
}

/** What the link in the address bar says, in parts that change as a whole. */
const linkedParts = (state: ExplorerState) => {
  const { view, draft_spec, lesson, presenter, comparison_settings, sweep_settings } = state;
  return [view, draft_spec, comparison_settings, sweep_settings, lesson?.step, presenter.is_on];
};

function placeInAddressBar(): { view: string; scenario: string | null } {
  const pairs = new URLSearchParams(location.hash.slice(1));
  const view = location.hash.length > 1 ? (pairs.get('view') ?? 'explorer') : 'front';
  return { view, scenario: pairs.get('scenario') };
}

/** The browser's tabs and history say which bug is shown. */
export function followScenario({ store }: Session): void {
  const show = ({ view, scenario }: ExplorerState) => {
    document.title = view === 'front' ? 'Latchscope' : `Bug #${scenario.manifest.bug} – Latchscope`;
  };
  show(store.getState());
  store.subscribe(show);
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
export function followShortcutSetting({ store }: Session): void {
  const remembered = withStorage((storage) => storage.getItem(SHORTCUTS_KEY));
  store.setState({ are_shortcuts_on: remembered !== 'off' });
  store.subscribe(({ are_shortcuts_on }, before) => {
    if (are_shortcuts_on === before.are_shortcuts_on) return;
    withStorage((storage) => {
      storage.setItem(SHORTCUTS_KEY, are_shortcuts_on ? 'on' : 'off');
    });
  });
}

function rememberedTheme(): Theme {
  const remembered = withStorage((storage) => storage.getItem(THEME_KEY));
  return remembered === 'light' || remembered === 'dark' ? remembered : 'system';
}

/** A browser may forbid storage, to a page in a foreign iframe for instance; then nothing is remembered. */
function withStorage<Result>(use: (storage: Storage) => Result): Result | null {
  try {
    return use(localStorage);
  } catch {
    return null;
  }
}
