// Builds the scripts beside the page: the service worker, the rescue script and the script for
// embedding.
import { writeFileSync } from 'node:fs';
import path from 'node:path';

import { build, type Plugin, type ResolvedConfig } from 'vite';

import { SERVICE_WORKER, serviceWorkerOf } from '../../tools/kept-files.mjs';
import { EMBED_SCRIPT } from '../contract/response-headers.mjs';

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

/**
 * Puts the script of the custom element <latchscope-run> beside the page, under a name that never
 * changes, because other pages load it.
 */
export function embedding(source: string): Plugin {
  let config: ResolvedConfig;
  return {
    name: 'latchscope:embedding',
    apply: 'build',
    configResolved: (resolved) => {
      config = resolved;
    },
    async buildStart() {
      this.emitFile({ type: 'asset', fileName: EMBED_SCRIPT, source: await compiledScript(source, config) });
    },
  };
}

/** Compiles a script that is not a module and imports nothing. */
async function compiledScript(source: string, { root, build: { target } }: ResolvedConfig): Promise<string> {
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
