import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { test } from 'node:test';

import { requireFreePort } from './ports.mjs';
import { SetupError } from './setup/progress.mjs';

test('a port in use is refused with its number and a remedy; a free one stays free', async () => {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  await assert.rejects(requireFreePort(port), (error) => {
    assert.ok(error instanceof SetupError);
    assert.equal(error.message, `port ${port} is in use`);
    assert.match(
      error.remedy,
      /^stop the program that uses it, or use another port: npm start -- --port \d+$/,
    );
    return true;
  });
  server.close();
  await once(server, 'close');
  await requireFreePort(port);
  await requireFreePort(port);
});
