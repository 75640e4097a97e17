// Ties a session to the browser around it: address bar, visibility, remembered theme.
import { formatLink, parseLink } from './link';
import type { Session } from './session';
import type { ExplorerState, Theme } from './store';

const THEME_KEY = 'latchscope.theme';

/**
 * The link in the address bar is the next run, in both directions. Another scenario is another entry of the browser's
 * history, so that Back returns to the one before; a change of the draft is not.
 */
export function followAddressBar(session: Session): void {
  const { store } = session;
  const open = () => {
    void session.openLink(parseLink(location.hash, session.scenarios, store.getState().machine));
  };
  open();
  addEventListener('hashchange', open);
  store.subscribe(({ draft_spec, opening }, before) => {
    if (draft_spec === null || draft_spec === before.draft_spec || opening !== null) return;
    const link = formatLink(draft_spec);
    if (draft_spec.scenario === scenarioInAddressBar(session)) history.replaceState(history.state, '', link);
    else history.pushState(null, '', link);
  });
}

function scenarioInAddressBar({ scenarios }: Session): string {
  const { manifest } = scenarios[0]!;
  return new URLSearchParams(location.hash.slice(1)).get('scenario') ?? manifest.id;
}

/** The browser's tabs and history say which bug is shown. */
export function followScenario({ store }: Session): void {
  const show = ({ scenario }: ExplorerState) => {
    document.title = `Bug #${scenario.manifest.bug} – Latchscope`;
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
