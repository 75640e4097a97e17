import { render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';

import type { FeatureModels } from '../../session/feature';
import type { Session } from '../../session/session';
import { Part } from '../part';
import { ModelsContext, SessionContext } from '../session-context';

/** Renders a view of a session, with the objects that it uses, as a part of the page. */
export function renderView(session: Session, view: ReactNode, models: Partial<FeatureModels> = {}) {
  const part = (
    <SessionContext value={session}>
      <ModelsContext value={models}>
        <Part name="The view">{view}</Part>
      </ModelsContext>
    </SessionContext>
  );
  return { user: userEvent.setup(), ...render(part) };
}
