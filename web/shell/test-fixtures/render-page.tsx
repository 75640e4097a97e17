import { render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';

import type { SessionOptions } from '../../session/session';
import { App } from '../app';
import type { BrowserPorts } from '../page';
import { ModelsContext, SessionContext } from '../../widgets/session-context';
import { pageForTest } from '../page-fixture';

/** Renders the whole page without a browser. It has no engine unless `options` contain one. */
export function renderPage(options: Partial<SessionOptions> = {}, browser: Partial<BrowserPorts> = {}) {
  const page = pageForTest(options, browser);
  const view = (
    <SessionContext value={page.session}>
      <ModelsContext value={page}>
        <App />
      </ModelsContext>
    </SessionContext>
  );
  return { ...page, user: userEvent.setup(), ...render(view) };
}
