// npm run build: builds the engines for the page, the native engine in its flavors, the page, and
// the site for static hosts.
//   npm run build [-- TARGET ...] [--fresh] [--url ADDRESS]
//   TARGET    what to build; default: page
//   --fresh   removes all earlier builds first
//   --url     sets the address that the site will have, which link previews need
import {
  buildEngineForPage,
  buildNative,
  buildNodeCommandLine,
  buildPage,
  buildSite,
  buildWasm,
  bundlePage,
  nativeFlavours,
  throwAwayBuilds,
} from '../builds.mjs';
import { readArguments, requireNames, usageError } from '../command-line.mjs';
import { siteAddress } from '../site.mjs';

const targets = {
  page: buildPage,
  bundle: bundlePage,
  site: buildSite,
  engine: buildEngineForPage,
  'wasm-virtual': () => buildWasm('virtual'),
  'node-command-line': buildNodeCommandLine,
  ...Object.fromEntries(Object.keys(nativeFlavours).map((flavour) => [flavour, () => buildNative(flavour)])),
};

export async function main(args) {
  const options = { fresh: { type: 'boolean', default: false }, url: { type: 'string' } };
  const { values, positionals } = readArguments(args, options, { withPositionals: true });
  const names = requireNames('target', positionals, Object.keys(targets));
  const url = siteAddress(values.url);
  if (url !== null && !names.includes('site')) throw usageError('--url', url, 'only with the target site');
  if (values.fresh) await throwAwayBuilds();
  for (const name of names.length > 0 ? names : ['page']) await targets[name]({ url });
}
