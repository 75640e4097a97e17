// Ties a session to the browser around it: address bar, visibility, remembered theme.
import { formatLink, parseLink } from './link';
import type { Session } from './session';
import type { Theme } from './store';

const THEME_KEY = 'latchscope.theme';

/** The link in the address bar is the next run, in both directions. */
export function followAddressBar(session: Session): void {
  const { store } = session;
  const open = () => {
    session.openLink(parseLink(location.hash, session.scenarios, store.getState().machine));
  };
  open();
  addEventListener('hashchange', open);
  store.subscribe(({ draft_spec }, before) => {
    if (draft_spec === null || draft_spec === before.draft_spec) return;
    history.replaceState(history.state, '', formatLink(draft_spec));
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
