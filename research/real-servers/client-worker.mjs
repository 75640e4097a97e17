// Worker thread that runs some of the clients. Each client has its own connection and sends
// operations one after another until the time is over.
import { performance } from 'node:perf_hooks';
import { parentPort, workerData } from 'node:worker_threads';

import { connect } from './connect.mjs';

/**
 * @typedef {object} Draw random values for an operation
 * @property {(below: number) => number} below returns a random integer from 0 to `below` - 1
 * @property {string} id unique id of the operation
 */

/**
 * The statements of each operation.
 * @type {Record<string, (draw: Draw, parameters: Record<string, any>) => string[]>}
 */
const STATEMENTS = {
  point_select: ({ below }, { tables, rows }) => [
    `select c from t${1 + below(tables)} where id = ${1 + below(rows)}`,
  ],
  scan: (_, { sql }) => [sql],
  scan_any: ({ below }, { tables }) => [`select count(c) from t${1 + below(tables)} where c like 'zz%'`],
  nothing: () => ['do 0'],
  handler_read: ({ below }, { tables, rows }) => [
    `handler t${1 + below(tables)} read \`primary\` = (${1 + below(rows)})`,
  ],
  set_variable: ({ below }, { rows }) => [`set @id = ${1 + below(rows)}`],
  prepared_select: ({ below }, { tables, rows }) => [
    `set @id = ${1 + below(rows)}`,
    `execute select${1 + below(tables)} using @id`,
  ],
  range_select: ({ below }, { tables, rows, range }) => {
    const first = 1 + below(rows - range);
    return [`select c from t${1 + below(tables)} where id between ${first} and ${first + range - 1}`];
  },
  index_update: (draw, { tables, rows }) => [
    `update t${1 + draw.below(tables)} set k = k + 1 where id = ${1 + draw.below(rows)}`,
  ],
  non_index_update: (draw, { tables, rows }) => [
    `update t${1 + draw.below(tables)} set c = '${draw.below(1e9)}' where id = ${1 + draw.below(rows)}`,
  ],
  insert: (draw, { tables }) => [insertInto(draw, tables)],
  one_insert: (draw, { tables }) => ['begin', insertInto(draw, tables), 'commit'],
  inserts: (draw, { tables, inserts }) => [
    'begin',
    ...Array.from({ length: inserts }, () => insertInto(draw, tables)),
    'commit',
  ],
  without_binlog: (draw, { tables }) => [
    'set sql_log_bin = 0',
    insertInto(draw, tables),
    'set sql_log_bin = 1',
  ],
  xa_insert: (draw, { tables }) => [...xaPrepared(draw, tables), `xa commit '${draw.id}'`],
  xa_rolled_back: (draw, { tables }) => [...xaPrepared(draw, tables), `xa rollback '${draw.id}'`],
  wide_insert: () => ["insert into wide (c) values (repeat('x', 6000))"],
};

function insertInto({ below }, tables) {
  return `insert into t${1 + below(tables)} (k, c, pad) values (${below(1000)}, 'c', 'pad')`;
}

function xaPrepared(draw, tables) {
  return [
    `xa start '${draw.id}'`,
    insertInto(draw, tables),
    `xa end '${draw.id}'`,
    `xa prepare '${draw.id}'`,
  ];
}

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
