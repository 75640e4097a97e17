import { useEffect } from 'react';

import { storeWithSlice } from '../session/feature';
import type { PageState } from './page-state';
import type { Session } from '../session/session';
import { ShortcutReader } from './shortcuts';

/** Lets keys carry out commands, wherever the focus is. */
export function useShortcuts(session: Session): void {
  useEffect(() => {
    const reader = new ShortcutReader();
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return;
      const state = storeWithSlice<PageState>(session.store).getState();
      const id = reader.read(pressOf(event), state);
      if (id === null) return;
      event.preventDefault();
      const { commands } = session;
      // A key that is held down does once what it does.
      if (!event.repeat && commands.isEnabled(id)) void commands.perform(id);
    };
    addEventListener('keydown', onKeyDown);
    return () => {
      removeEventListener('keydown', onKeyDown);
    };
  }, [session]);
}

function pressOf(event: KeyboardEvent) {
  const has_ctrl = event.ctrlKey || event.metaKey;
  return {
    key: event.key,
    has_ctrl,
    has_other_modifier: event.altKey || (has_ctrl && event.shiftKey),
    is_taken: isTaken(event),
    time_ms: event.timeStamp,
  };
}

const TYPED_INTO =
  'input:not([type=radio], [type=checkbox], [type=button]), textarea, select, [contenteditable]';
const PRESSED_BY_SPACE = 'button, a, input, summary, [role], [tabindex]';

/** Something under the focus does something else with this key. */
function isTaken({ key, target }: KeyboardEvent): boolean {
  if (!(target instanceof Element)) return false;
  if (target.closest(TYPED_INTO) !== null) return true;
  return key === ' ' && target.closest(PRESSED_BY_SPACE) !== null;
}
