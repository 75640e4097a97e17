import { render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';

import type { Session } from '../../session/session';
import { Part } from '../part';
import { SessionContext } from '../session-context';

/** Renders a view of a session as a part of the page. */
export function renderView(session: Session, view: ReactNode) {
  const part = (
    <SessionContext value={session}>
      <Part name="The view">{view}</Part>
    </SessionContext>
  );
  return { user: userEvent.setup(), ...render(part) };
}
