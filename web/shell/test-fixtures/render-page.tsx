import { render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';

import { ExperimentsContext } from '../../features/experiments/experiments-context';
import { ForksContext } from '../../features/forks/forks-context';
import { LocksContext } from '../../features/locks/locks-context';
import { PresenterContext } from '../../features/presenter/presenter-context';
import type { SessionOptions } from '../../session/session';
import { SessionContext } from '../../widgets/session-context';
import { App } from '../app';
import { pageForTest } from '../page-fixture';

/** The whole page in a document without a browser; there is no engine unless `options` have one. */
export function renderPage(options: Partial<SessionOptions> = {}) {
  const page = pageForTest(options);
  const view = (
    <SessionContext value={page.session}>
      <ExperimentsContext value={page.experiments}>
        <PresenterContext value={page.presenter}>
          <LocksContext value={page.locks}>
            <ForksContext value={page.forks}>
              <App />
            </ForksContext>
          </LocksContext>
        </PresenterContext>
      </ExperimentsContext>
    </SessionContext>
  );
  return { ...page, user: userEvent.setup(), ...render(view) };
}
