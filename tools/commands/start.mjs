// npm start: fetches missing tools, builds the page, serves it and prints its address. Ctrl-C stops
// it.
//   npm start [-- --port N] [--fresh]
//   --port    sets the port; default: 4173
//   --fresh   removes all earlier builds first
import { buildPage, throwAwayBuilds } from '../builds.mjs';
import { integerOf, readArguments } from '../command-line.mjs';
import { servePage } from '../page-server.mjs';
import { requireFreePort } from '../ports.mjs';

const PORT_DEFAULT = 4173;

export async function main(args) {
  const { values } = readArguments(args, {
    port: { type: 'string', default: String(PORT_DEFAULT) },
    fresh: { type: 'boolean', default: false },
  });
  const port = integerOf('port', values.port, { min: 1, max: 65535 });
  await requireFreePort(port);
  if (values.fresh) await throwAwayBuilds();
  await buildPage();
  const { url } = await servePage({ port });
  console.log(`\nLatchscope is at ${url}   (Ctrl-C stops it)`);
}
