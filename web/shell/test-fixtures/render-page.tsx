import { render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';

import type { SessionOptions } from '../../session/session';
import { App } from '../app';
import type { BrowserPorts } from '../page';
import { PageContexts } from '../page-contexts';
import { pageForTest } from '../page-fixture';

/** Renders the whole page without a browser. It has no engine unless `options` contain one. */
export function renderPage(options: Partial<SessionOptions> = {}, browser: Partial<BrowserPorts> = {}) {
  const page = pageForTest(options, browser);
  const view = (
    <PageContexts page={page}>
      <App />
    </PageContexts>
  );
  return { ...page, user: userEvent.setup(), ...render(view) };
}
