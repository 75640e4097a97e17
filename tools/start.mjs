// npm start: fetches what is missing, builds, serves the page, says where. Stops with Ctrl-C.
//   npm start [-- --port N]
import { parseArgs } from 'node:util';

import { buildPage, exitWith } from './build.mjs';
import { repository, UsageError } from './processes.mjs';

const PORT_DEFAULT = 4173;

function portFromArguments() {
  const { values } = parseArgs({ options: { port: { type: 'string', default: String(PORT_DEFAULT) } } });
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 1 || port > 65535) {
    throw new UsageError(`--port: got ${values.port}; allowed: an integer from 1 to 65535`);
  }
  return port;
}

async function serve(port) {
  const { preview } = await import('vite');
  const server = await preview({
    root: `${repository}/web`,
    configFile: `${repository}/vite.config.ts`,
    preview: { port },
  });
  console.log(`\nLatchscope is at ${server.resolvedUrls.local[0]}   (Ctrl-C stops it)`);
}

try {
  const port = portFromArguments();
  await buildPage();
  await serve(port);
} catch (error) {
  exitWith(error);
}
