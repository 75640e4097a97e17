// Builds the script of the custom element <latchscope-run>.
import type { Plugin, ResolvedConfig } from 'vite';

import { EMBED_SCRIPT } from '../browser/offline/response-headers.mjs';
import { compiledScript } from './offline.ts';

/** Puts the script beside the page, under a name that never changes, because other pages load it. */
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
