import { render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';

import type { SessionOptions } from '../../session/session';
import { App } from '../app';
import type { BrowserPorts } from '../page';
import { PageContexts } from '../page-contexts';
import { pageForTest } from '../page-fixture';

/** The whole page in a document without a browser; there is no engine unless `options` have one. */
export function renderPage(options: Partial<SessionOptions> = {}, browser: Partial<BrowserPorts> = {}) {
  const page = pageForTest(options, browser);
  const view = (
    <PageContexts page={page}>
      <App />
    </PageContexts>
  );
  return { ...page, user: userEvent.setup(), ...render(view) };
}
