// npm run build: builds the engines for the page, the native engine in its flavors, and the page.
//   npm run build [-- TARGET ...] [--fresh]
//   TARGET    what to build; default: page
//   --fresh   removes all earlier builds first
import {
  buildEngineForPage,
  buildNative,
  buildNodeCommandLine,
  buildPage,
  buildWasm,
  bundlePage,
  nativeFlavours,
  throwAwayBuilds,
} from '../builds.mjs';
import { readArguments, requireNames } from '../command-line.mjs';

const targets = {
  page: buildPage,
  bundle: bundlePage,
  engine: buildEngineForPage,
  'wasm-virtual': () => buildWasm('virtual'),
  'node-command-line': buildNodeCommandLine,
  ...Object.fromEntries(Object.keys(nativeFlavours).map((flavour) => [flavour, () => buildNative(flavour)])),
};

export async function main(args) {
  const options = { fresh: { type: 'boolean', default: false } };
  const { values, positionals } = readArguments(args, options, { withPositionals: true });
  const names = requireNames('target', positionals, Object.keys(targets));
  if (values.fresh) await throwAwayBuilds();
  for (const name of names.length > 0 ? names : ['page']) await targets[name]();
}
