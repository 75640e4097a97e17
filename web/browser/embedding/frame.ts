// Connects an embedded run to the page that frames it. That page may be of any origin, so messages
// to it contain nothing private.
import type { Session } from '../../session/session';
import { ELEMENT_FRAME, type EmbedMessage } from './messages';
import { parseEmbedFragment, type EmbedOptions } from './embed-options';

export const embedOptions = () => parseEmbedFragment(location.hash);

/** Loads the frame again for other options. */
export function followEmbedOptions(): void {
  addEventListener('hashchange', () => {
    location.reload();
  });
}

/** Shows the theme without storing it: the reader's choice on the main page stays. */
export function showEmbedTheme({ theme }: Pick<EmbedOptions, 'theme'>): void {
  document.documentElement.dataset.theme = theme;
}

/** Reports the height of `element` whenever it changes. */
export function reportHeight(element: HTMLElement): void {
  new ResizeObserver(() =>
    post({ kind: 'latchscope:size', heightPx: Math.ceil(element.getBoundingClientRect().height) }),
  ).observe(element);
}

/**
 * Lets <latchscope-run> open a link, because the sandbox of its frame forbids new tabs. Returns
 * false in any other frame, which opens the link itself.
 */
export function openOutside(href: string): boolean {
  if (window.name !== ELEMENT_FRAME) return false;
  post({ kind: 'latchscope:open', href: new URL(href, location.href).href });
  return true;
}

function post(message: EmbedMessage): void {
  if (parent !== window) parent.postMessage(message, '*');
}

/** Pauses the run while the reader cannot see it. */
export function pauseOutOfView(element: HTMLElement, session: Session): void {
  let isPausedHere = false;
  new IntersectionObserver(([entry]) => {
    const { run_state } = session.store.getState();
    const isSeen = entry?.isIntersecting ?? true;
    if (!isSeen && run_state === 'running') {
      isPausedHere = true;
      void session.pause().catch(() => undefined);
    } else if (isSeen && isPausedHere) {
      isPausedHere = false;
      if (run_state === 'paused') void session.resume().catch(() => undefined);
    }
  }).observe(element);
}
