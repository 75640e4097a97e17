// Serves a built page without building it.
//   node tools/cli.mjs serve [--port N] [--folder FOLDER]
//   --port     sets the port; 0 selects a free one; default: 4173
//   --folder   sets the folder of the built page; default: dist
import { resolve } from 'node:path';

import { integerOf, readArguments } from '../command-line.mjs';
import { distFolder, servePage } from '../page-server.mjs';
import { ensureNodeModules } from '../setup/index.mjs';

export async function main(args) {
  const { values } = readArguments(args, {
    port: { type: 'string', default: '4173' },
    folder: { type: 'string', default: distFolder },
  });
  const port = integerOf('port', values.port, { min: 0, max: 65535 });
  await ensureNodeModules();
  const { url } = await servePage({ port, folder: resolve(values.folder) });
  console.log(`Latchscope is at ${url}   (Ctrl-C stops it)`);
}
