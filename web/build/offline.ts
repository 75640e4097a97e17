// Builds the service worker and the rescue script of the page.
import { writeFileSync } from 'node:fs';
import path from 'node:path';

import { build, type Plugin, type ResolvedConfig } from 'vite';

import { SERVICE_WORKER, serviceWorkerOf } from '../../tools/kept-files.mjs';

/** Builds the service worker of the new build, with the digests of its files. */
export function offline(source: string): Plugin {
  let config: ResolvedConfig;
  return {
    name: 'latchscope:offline',
    apply: 'build',
    configResolved: (resolved) => {
      config = resolved;
    },
    async writeBundle() {
      const folder = path.resolve(config.root, config.build.outDir);
      const code = await compiledScript(source, config);
      writeFileSync(path.join(folder, SERVICE_WORKER), serviceWorkerOf(folder, code));
    },
  };
}

/** Puts a script before all others of the page, so that it runs even if they do not load. */
export function rescue(source: string): Plugin {
  const name = 'rescue.js';
  let config: ResolvedConfig;
  return {
    name: 'latchscope:rescue',
    apply: 'build',
    configResolved: (resolved) => {
      config = resolved;
    },
    async buildStart() {
      this.emitFile({ type: 'asset', name, source: await compiledScript(source, config) });
    },
    transformIndexHtml: (_, { bundle = {} }) => {
      const file = Object.values(bundle).find(
        (asset) => asset.type === 'asset' && asset.names.includes(name),
      );
      return [{ tag: 'script', attrs: { src: `./${file!.fileName}` }, injectTo: 'head-prepend' }];
    },
  };
}

/** Compiles a script that is not a module and imports nothing. */
export async function compiledScript(
  source: string,
  { root, build: { target } }: ResolvedConfig,
): Promise<string> {
  const result = await build({
    configFile: false,
    root,
    logLevel: 'error',
    publicDir: false,
    build: { write: false, target, rolldownOptions: { input: source, output: { format: 'iife' } } },
  });
  if (!('output' in result)) throw new Error(`${source} was not compiled to one script.`);
  return result.output[0].code;
}
