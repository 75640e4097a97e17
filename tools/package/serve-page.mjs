// `latchscope serve`: serves the page of the npm package on this machine.
import { spawn } from 'node:child_process';

import { integerOf, readArguments } from '../command-line.mjs';
import { servePage } from '../page-server.mjs';
import { UsageError } from '../processes.mjs';
import { PORT_PREFERRED, SERVE_USAGE } from './serve-usage.mjs';

export async function main(args) {
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(SERVE_USAGE);
    return;
  }
  const { values } = readArguments(args, {
    port: { type: 'string' },
    open: { type: 'boolean', default: false },
  });
  const { url } = await serve(values.port);
  console.log(`Latchscope is at ${url}   (Ctrl-C stops it)`);
  if (values.open) open(url);
}

async function serve(port) {
  if (port !== undefined) return servePage({ port: integerOf('port', port, { min: 0, max: 65535 }) });
  try {
    return await servePage({ port: PORT_PREFERRED });
  } catch (error) {
    if (!(error instanceof UsageError) || !error.message.startsWith('--port')) throw error;
    return servePage({ port: 0 });
  }
}

const OPENERS = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

/** Opens an address in the default browser. The page is served even if no browser can be opened. */
function open(url) {
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  const opener = spawn(program, [...args, url], { stdio: 'ignore', detached: true });
  opener.on('error', () => process.stderr.write(`No browser could be opened. Open ${url} yourself.\n`));
  opener.unref();
}
