import { useEffect } from 'react';

import { storeWithSlice } from '../../session/feature';
import { usePresenter } from './presenter-context';
import type { PresenterState } from './presenter-state';
import type { Session } from '../../session/session';
import { CommandButton } from '../../widgets/command-button';
import { useExplorer, useSession } from '../../widgets/session-context';

/** In front of an audience: what the remote does next, and how to leave. */
export function PresenterBar() {
  const session = useSession();
  const presenter = usePresenter();
  const is_on = useExplorer((state: PresenterState) => state.presenter.is_on);
  const coming = useExplorer(() => presenter.comingInWords());
  useEffect(() => followPresenter(session), [session]);
  if (!is_on) return null;
  return (
    <section className="presenter-bar" aria-label="Presenter">
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

/** What a slide remote sends, and what leaves. F5 is the browser's own. */
const commands_of_keys = new Map([
  ['PageDown', 'presenter.next'],
  ['ArrowRight', 'presenter.next'],
  ['PageUp', 'presenter.previous'],
  ['ArrowLeft', 'presenter.previous'],
  ['.', 'presenter.toggle'],
  ['Escape', 'presenter.toggle'],
]);

/** Large type on the root element, where the style sheets look, and the keys. Returns the function that ends it. */
function followPresenter(session: Session): () => void {
  const store = storeWithSlice<PresenterState>(session.store);
  const show = ({ presenter }: PresenterState) => {
    document.documentElement.toggleAttribute('data-presenter', presenter.is_on);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const command = commands_of_keys.get(event.key);
    if (!store.getState().presenter.is_on || command === undefined) return;
    if (isForSomethingElse(event)) return;
    event.preventDefault();
    // Some of these keys mean something else where nobody presents.
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

/** The key means something where the focus is. */
function isForSomethingElse(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.altKey || event.metaKey) return true;
  const target = event.target instanceof Element ? event.target : null;
  if (target?.closest('dialog') != null) return true;
  if (['PageDown', 'PageUp'].includes(event.key)) return false;
  return target?.closest('input, select, textarea, [role="tab"], [role="application"]') != null;
}
