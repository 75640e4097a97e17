import { useEffect } from 'react';
import { tinykeys, type KeybindingsMap } from 'tinykeys';

import type { Scenario } from '../contract/manifest';
import type { Session } from '../session/session';
import type { ExplorerState } from '../session/store';
import { shortcutGroups, type Shortcut } from './shortcuts';
import { useExplorer } from '../widgets/session-context';

const SEQUENCE_MS_MAX = 1500;

/** Makes keys run commands, wherever the focus is. */
export function useShortcuts(session: Session): void {
  const scenario = useExplorer((state) => state.scenario);
  useEffect(() => followShortcuts(window, session, scenario), [session, scenario]);
}

/** Returns a function that stops it. */
export function followShortcuts(target: Window, session: Session, scenario: Scenario): () => void {
  const shortcuts = shortcutGroups({ scenario }).flatMap((group) => group.shortcuts);
  // Slides have meanings of their own for some keys.
  const byBinding = new Map<string, Shortcut[]>();
  // Sequences come first, so that the last key of a sequence does not also run its own command.
  for (const shortcut of shortcuts.toSorted((a, b) => b.keys.length - a.keys.length)) {
    for (const binding of bindingsOf(shortcut))
      byBinding.set(binding, [...(byBinding.get(binding) ?? []), shortcut]);
  }
  const bindings: KeybindingsMap = {};
  for (const [binding, bound] of byBinding) {
    bindings[binding] = (event) => {
      const shortcut = bound.find((one) => applies(one, session.store.getState()));
      if (shortcut !== undefined) carryOut(shortcut, event, session);
    };
  }
  return tinykeys(target, bindings, { timeout: SEQUENCE_MS_MAX, ignore: isForSomethingElse });
}

/**
 * Returns the notation of tinykeys. Which characters need Shift depends on the keyboard, and
 * letters may be capitals.
 */
function bindingsOf({ keys, withCtrl }: Shortcut): string[] {
  if (withCtrl) return ['Control', 'Meta'].map((modifier) => `${modifier}+${keys.join(' ')}`);
  return [keys.map((key) => `[Shift]+${key}`).join(' ')];
}

function applies({ views, withCtrl, onSlides }: Shortcut, state: ExplorerState): boolean {
  if (state.dialog !== null) return false;
  // Remotes send no letters, so the keys of slides cannot be disabled.
  if (state.presenter.is_on ? onSlides === undefined : onSlides === 'only') return false;
  if (!(withCtrl ?? (onSlides === 'only' || state.areShortcutsOn))) return false;
  return views === undefined || views.includes(state.view);
}

function carryOut({ command }: Shortcut, event: KeyboardEvent, session: Session): void {
  event.preventDefault();
  const id = command(session.store.getState());
  // A held key runs its command only once.
  if (!event.repeat && session.commands.isEnabled(id)) void session.commands.perform(id);
}

const TYPED_INTO =
  'input:not([type=radio], [type=checkbox], [type=button], [type=range]), textarea, select, [contenteditable]';
const PRESSED_BY_SPACE = 'button, a, input, summary, [role], [tabindex]';

/** Returns whether the focused element uses this key itself. */
function isForSomethingElse(event: KeyboardEvent): boolean {
  const { key } = event;
  // For an element in a shadow root, such as the lab's editor, the event's target is only the host.
  const [target] = event.composedPath();
  if (event.defaultPrevented || event.isComposing) return true;
  if (event.ctrlKey || event.metaKey || !(target instanceof Element)) return false;
  if (target.closest(TYPED_INTO) !== null) return true;
  return key === ' ' && target.closest(PRESSED_BY_SPACE) !== null;
}
