// Process that restores a user's server after a run, started by named-server.mjs. It restores
// settings and drops the database on request, or when the run's process has ended for any reason.
import { connect, described } from './connect.mjs';

/** Statements that undo the changes; executed in reverse order. */
const undo = [];
let address = null;
let isDone = false;

/**
 * A terminal sends signals to all of its processes, so the signal that ends the run arrives here
 * too. It is ignored.
 */
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});

async function putBack() {
  if (isDone) return [];
  isDone = true;
  const failed = [];
  try {
    const connection = await connect(address);
    for (const sql of undo.reverse()) {
      try {
        await connection.query(sql);
      } catch (error) {
        failed.push(`${sql}; (${error.message})`);
      }
    }
    await connection.end();
  } catch (error) {
    failed.push(...undo.map((sql) => `${sql};`), `(${error.message})`);
  }
  return failed;
}

process.on('message', async ({ address: given, undo: sql, finish }) => {
  if (given) address = given;
  if (sql) undo.push(sql);
  if (finish) {
    process.send({ failed: await putBack() }, () => process.disconnect());
  } else {
    process.send({ noted: true });
  }
});

process.on('disconnect', async () => {
  if (isDone) return;
  const failed = undo.length > 0 ? await putBack() : [];
  const outcome =
    failed.length > 0
      ? `could not be restored; run these statements there:\n  ${failed.join('\n  ')}`
      : 'is restored: settings are reset, and the database is dropped.';
  if (undo.length > 0) process.stderr.write(`\n${described(address)} ${outcome}\n`);
});
