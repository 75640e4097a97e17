import { useEffect } from 'react';

import { findCommand, perform } from '../../session/commands';
import { deedsOf } from '../../contract/lesson';
import { cuesOf } from './presenter';
import type { Session } from '../../session/session';
import type { ExplorerState } from '../../session/store';
import { CommandButton } from '../../widgets/command-button';
import { useExplorer, useSession } from '../../widgets/session-context';

/** In front of an audience: what the remote does next, and how to leave. */
export function PresenterBar() {
  const session = useSession();
  const is_on = useExplorer((state) => state.presenter.is_on);
  const coming = useExplorer(comingInWords);
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

function comingInWords({ lesson, scenario, presenter }: ExplorerState): string {
  if (lesson === null || scenario.lesson === null) {
    return cuesOf(scenario.manifest)[presenter.cues_done]?.title ?? 'This was all.';
  }
  const { steps } = scenario.lesson;
  const left = deedsOf(steps[lesson.step]!)[lesson.deeds_done];
  if (left !== undefined && lesson.deeds_done > 0) return left.title;
  const next = steps[lesson.step + 1];
  if (next === undefined) return left?.title ?? 'This was all.';
  const deed = deedsOf(next)[0];
  return deed === undefined ? next.title : `${next.title}: ${deed.title}`;
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
  const show = ({ presenter }: ExplorerState) => {
    document.documentElement.toggleAttribute('data-presenter', presenter.is_on);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const state = session.store.getState();
    const command = commands_of_keys.get(event.key);
    if (!state.presenter.is_on || command === undefined) return;
    if (state.dialog !== null || isForSomethingElse(event)) return;
    event.preventDefault();
    // Some of these keys mean something else where nobody presents.
    event.stopPropagation();
    void perform(findCommand(state, command), session);
  };
  show(session.store.getState());
  const unsubscribe = session.store.subscribe(show);
  addEventListener('keydown', onKeyDown, true);
  return () => {
    unsubscribe();
    removeEventListener('keydown', onKeyDown, true);
  };
}

/** The key means something where the focus is. */
function isForSomethingElse(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.altKey || event.metaKey) return true;
  if (['PageDown', 'PageUp'].includes(event.key)) return false;
  const target = event.target instanceof Element ? event.target : null;
  return target?.closest('input, select, textarea, [role="tab"], [role="application"]') != null;
}
