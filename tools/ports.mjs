// Checks that a port of this machine is free.
import { createServer } from 'node:net';

import { SetupError } from './setup/progress.mjs';

const LOOPBACK = '127.0.0.1';

/**
 * Checks early that a server can listen on a port of this machine, before work that takes long.
 * Rejects with a SetupError if not.
 * @param {number} port
 */
export function requireFreePort(port) {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', (error) => reject(refusal(port, error)));
    server.listen({ port, host: LOOPBACK }, () => server.close(resolve));
  });
}

function refusal(port, { code }) {
  const another = port < 65535 ? port + 1 : port - 1;
  const remedy = `stop the program that uses it, or use another port: npm start -- --port ${another}`;
  if (code === 'EADDRINUSE') return new SetupError(`port ${port} is in use`, remedy);
  return new SetupError(
    `port ${port} cannot be listened on (${code})`,
    'use another port: npm start -- --port 4173',
  );
}
