// Creates a page without a browser, for tests.
import { machine, scenarios } from '../contract/test-fixtures';
import type { SessionOptions } from '../session/session';
import { allFeatures, createPage, type BrowserPorts, type Page } from './page';
import type { ExplorerState } from '../session/store';

const noEngine = () => Promise.reject(new Error('no engine'));

const noBrowser: BrowserPorts = {
  reload: () => Promise.resolve(),
  copyLink: () => Promise.resolve('Link copied'),
  files: { save: () => undefined, pick: () => Promise.resolve(null), pickSeveral: () => Promise.resolve([]) },
  copyText: () => Promise.resolve('copied'),
  toggleFullScreen: () => Promise.resolve(true),
  remembered: () => null,
  remember: () => undefined,
  rememberedWorkload: () => null,
  rememberWorkload: () => undefined,
  lastRunStorage: { read: () => null, write: () => true },
  nowMs: () => performance.now(),
};

/** The page has no engine unless `options` contain one. */
export function pageForTest(
  options: Partial<SessionOptions> = {},
  browser: Partial<BrowserPorts> = {},
): Page & { state: () => ExplorerState } {
  const page = createPage(
    {
      scenarios,
      machine,
      clockStepNs: 5000,
      missing: { threads: [], virtual: [] },
      loaders: { threads: noEngine, virtual: noEngine },
      ...options,
    },
    { ...noBrowser, ...browser },
  );
  return { ...page, state: () => page.session.store.getState() };
}

export const allLinkFields = allFeatures.flatMap(({ link }) => link ?? []);
