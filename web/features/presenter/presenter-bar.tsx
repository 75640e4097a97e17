import { useEffect } from 'react';

import type { Session } from '../../session/session';
import { CommandButton } from '../../widgets/command-button';
import { useExplorer, useModel, useSession } from '../../widgets/session-context';
import type { ExplorerState } from '../../session/store';

/** Shows a presenter the next action of the slide remote, and how to leave. */
export function PresenterBar() {
  const session = useSession();
  const presenter = useModel('presenter');
  const isOn = useExplorer((state) => state.presenter.is_on);
  const coming = useExplorer(() => presenter.comingInWords());
  useEffect(() => followPresenter(session), [session]);
  if (!isOn) return null;
  return (
    <section className="row presenter-bar" aria-label="Presenter">
      <CommandButton command="presenter.previous">◀ Back</CommandButton>
      <CommandButton command="presenter.next" className="button-main">
        Next ▶
      </CommandButton>
      <p role="status">{coming}</p>
      <CommandButton command="presenter.fullscreen" className="presenter-full-screen" />
      <CommandButton command="presenter.toggle">Leave</CommandButton>
    </section>
  );
}

/** Keys of a slide remote, and keys that leave. F5 belongs to the browser. */
const commandsOfKeys = new Map([
  ['PageDown', 'presenter.next'],
  ['ArrowRight', 'presenter.next'],
  ['PageUp', 'presenter.previous'],
  ['ArrowLeft', 'presenter.previous'],
  ['.', 'presenter.toggle'],
  ['Escape', 'presenter.toggle'],
]);

/**
 * Sets large type on the root element, where the style sheets expect it, and handles the keys.
 * Returns a function that stops it.
 */
function followPresenter(session: Session): () => void {
  const store = session.store;
  const show = ({ presenter }: ExplorerState) => {
    document.documentElement.toggleAttribute('data-presenter', presenter.is_on);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const command = commandsOfKeys.get(event.key);
    if (!store.getState().presenter.is_on || command === undefined) return;
    if (isForSomethingElse(event)) return;
    event.preventDefault();
    // Some of these keys have other meanings outside of presenter mode.
    event.stopPropagation();
    void session.commands.perform(command);
  };
  show(store.getState());
  const unsubscribe = store.subscribe(show);
  addEventListener('keydown', onKeyDown, true);
  return () => {
    unsubscribe();
    removeEventListener('keydown', onKeyDown, true);
  };
}

/** Returns whether the focused element uses this key itself. */
function isForSomethingElse(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.altKey || event.metaKey) return true;
  const target = event.target instanceof Element ? event.target : null;
  if (target?.closest('dialog') != null) return true;
  if (['PageDown', 'PageUp'].includes(event.key)) return false;
  return target?.closest('input, select, textarea, [role="tab"], [role="application"]') != null;
}
