import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { build, type Plugin, type ResolvedConfig } from 'vite';

const SERVICE_WORKER = 'service-worker.js';

/** Builds the service worker of the page that has just been built, with the list of its files. */
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
      const files = filesOf(folder);
      await build({
        configFile: false,
        root: config.root,
        logLevel: 'error',
        publicDir: false,
        define: {
          BUILD: JSON.stringify({
            version: versionOf(folder, files),
            files: files.map((file) => `./${file}`),
          }),
        },
        build: {
          outDir: folder,
          emptyOutDir: false,
          target: config.build.target,
          rolldownOptions: { input: source, output: { entryFileNames: SERVICE_WORKER, format: 'iife' } },
        },
      });
    },
  };
}

/** All that the page may ask for, below its folder. */
function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== SERVICE_WORKER)
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))
    .sort();
}

/** Changes if any file does. */
function versionOf(folder: string, files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of files)
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(path.join(folder, file)));
  return hash.digest('hex').slice(0, 16);
}
