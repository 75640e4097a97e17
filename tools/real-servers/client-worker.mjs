// Worker thread that runs some of the clients. Each client has its own connection and sends
// operations one after another until the time is over.
import { performance } from 'node:perf_hooks';
import { parentPort, workerData } from 'node:worker_threads';

import { connect } from './connect.mjs';
import { STATEMENTS } from './statements.mjs';

const { address, clients, setUp, worker, batch } = workerData;
const connections = await Promise.all(clients.map(() => connect(address)));
for (const connection of connections) for (const sql of setUp) await connection.query(sql);
parentPort.postMessage({ ready: true });

const below = (n) => Math.floor(Math.random() * n);

const BETWEEN_STATEMENTS = '; ';

/**
 * Sends each operation after the previous one is answered, or `batch` operations in one message.
 */
async function say(connection, operations) {
  if (batch > 1) await connection.query(operations.flat().join(BETWEEN_STATEMENTS));
  else for (const sql of operations.flat()) await connection.query(sql);
}

async function runClient(connection, client, { statement, parameters, seconds, run, times }) {
  const operationOf = STATEMENTS[statement];
  const untilMs = performance.now() + seconds * 1000;
  let operations = 0;
  const spans = [];
  while (performance.now() < untilMs) {
    const began = Date.now();
    const next = Array.from({ length: batch }, (_, i) =>
      operationOf({ below, id: `${run}-${client}-${operations + i}` }, parameters),
    );
    await say(connection, next);
    if (times) spans.push([began, Date.now()]);
    operations += batch;
  }
  return { operations, spans };
}

async function runAll(order) {
  const results = await Promise.all(
    connections.map((connection, i) => runClient(connection, clients[i], order)),
  );
  return {
    operations: results.reduce((sum, { operations }) => sum + operations, 0),
    spans: results.flatMap(({ spans }) => spans),
  };
}

parentPort.on('message', async (order) => {
  try {
    if (order === 'end') {
      await Promise.all(connections.map((connection) => connection.end()));
      parentPort.close();
    } else {
      parentPort.postMessage(await runAll(order));
    }
  } catch (error) {
    parentPort.postMessage({ failed: `client ${worker}: ${error.message}` });
  }
});
