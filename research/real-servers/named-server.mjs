// Measures a server that the user named. Experiments use a new database, and all changes are undone
// afterwards.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { usageError } from '../../tools/command-line.mjs';
import { connect, described } from './connect.mjs';
import { EXPERIMENTS } from './experiments.mjs';
import { documentsOf, runExperiment } from './measure.mjs';
import { seriesOf, serverKind } from './options.mjs';
import { Session } from './session.mjs';

const KEEPER = fileURLToPath(new URL('./keeper.mjs', import.meta.url));
const COUNTED = "--performance-schema-instrument='wait/synch/%=counted'";

/** Thrown when a property of the server rules out an experiment. */
class LeftOut extends Error {}

/** The process that undoes all changes. It outlives this one if necessary. */
class Keeper {
  #child;

  constructor(address) {
    this.#child = fork(KEEPER, { detached: true, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    this.#child.send({ address });
  }

  #ask(message) {
    return new Promise((resolve, reject) => {
      this.#child.once('exit', () => reject(new Error('the process that restores settings has ended')));
      this.#child.on('message', resolve);
      this.#child.send(message);
    }).finally(() => this.#child.removeAllListeners());
  }

  /**
   * Records the statement that undoes a change.
   *
   * REQUIRES: The change has not been made yet.
   */
  note(sql) {
    return this.#ask({ undo: sql });
  }

  /** @returns {Promise<string[]>} what could not be undone */
  async finish() {
    const { failed } = await this.#ask({ finish: true });
    return failed ?? this.finish();
  }
}

/** Sets global variables for the duration of a run, if the user allows it. */
class Guard {
  #keeper;
  #isAllowed;
  #noted = new Set();

  constructor(keeper, isAllowed) {
    this.#keeper = keeper;
    this.#isAllowed = isAllowed;
  }

  set = async (variable, value, session) => {
    const present = await session.variable(variable);
    if (present === undefined) throw new LeftOut(`it has no ${variable}`);
    if (present === String(value)) return;
    const wish = `${variable} is ${present} and would be set to ${value}`;
    if (!this.#isAllowed) throw new LeftOut(`${wish}; --allow-settings permits that for the run`);
    await this.#change(variable, `set global ${variable} = ${present}`, () =>
      session.query(`set global ${variable} = ${value}`),
    );
  };

  /** @param {string} what for messages */
  async #change(what, undo, change) {
    if (!this.#noted.has(what)) await this.#keeper.note(undo);
    this.#noted.add(what);
    try {
      await change();
    } catch (error) {
      throw new LeftOut(`it does not allow setting ${what}: ${error.message}`);
    }
  }

  /** Makes performance_schema count all latches. */
  async countLatches({ query }) {
    const idle = await query(
      "select name from performance_schema.setup_instruments where name like 'wait/synch/%' and enabled = 'NO'",
    );
    if (idle.length === 0) return;
    if (!this.#isAllowed) {
      const wish = `performance_schema does not count ${idle.length} of its wait/synch/% instruments`;
      throw new LeftOut(
        `${wish}; --allow-settings enables them for the run; or start the server with ${COUNTED}`,
      );
    }
    const names = idle.map(({ name, NAME }) => `'${name ?? NAME}'`).join(', ');
    const update = (enabled) =>
      `update performance_schema.setup_instruments set enabled = '${enabled}' where name in (${names})`;
    await this.#change('performance_schema.setup_instruments', update('NO'), () => query(update('YES')));
  }
}

const WHY = {
  ECONNREFUSED: 'a running server; nothing listens there',
  ENOENT: 'an existing socket',
  ENOTFOUND: 'an existing host',
  EAI_AGAIN: 'an existing host',
  ETIMEDOUT: 'a server that answers within 10 s',
  EACCES: 'a socket that you may use',
  ENOTSOCK: 'a socket of a server',
};

/** @param {import('./connect.mjs').Address} address */
async function reach(address) {
  try {
    return await connect(address);
  } catch (error) {
    const field = address.socketPath ? '--socket' : '--host';
    const why = WHY[error.code] ?? `a server that lets ${address.user} in (${error.message})`;
    throw usageError(field, described(address), why);
  }
}

async function makeDatabase(connection, keeper, address) {
  const database = `latchscope_${process.pid}_${Date.now().toString(36)}`;
  await keeper.note(`drop database if exists ${database}`);
  try {
    await connection.query(`create database ${database}`);
  } catch (error) {
    throw new Error(
      `${described(address)}: ${address.user} may not create a database there: ${error.message}`,
    );
  }
  return database;
}

/**
 * Measures all experiments that the server supports. Throws a UsageError if it cannot be reached.
 * @param {{ address: import('./connect.mjs').Address, mayChangeSettings: boolean }} server
 * @param {import('./measure.mjs').Wishes} wishes
 * @returns {Promise<{ documents: import('./measured-file.mjs').Measured[], left_out: string[] }>}
 *   `left_out`: the experiments that could not run and why, one line each
 */
export async function measureNamed({ address, mayChangeSettings }, wishes) {
  const connection = await reach(address);
  const keeper = new Keeper(address);
  try {
    const database = await makeDatabase(connection, keeper, address);
    const guard = new Guard(keeper, mayChangeSettings);
    const session = await Session.open({ ...address, database }, guard);
    try {
      return await measureAll(session, guard, wishes);
    } finally {
      await session.close();
    }
  } finally {
    await connection.end();
    const failed = await keeper.finish();
    if (failed.length > 0)
      wishes.say(
        `${described(address)} could not be restored; run these statements there:\n  ${failed.join('\n  ')}`,
      );
  }
}

async function measureAll(session, guard, wishes) {
  const { version } = await session.facts();
  const kind = serverKind(seriesOf(version));
  await requireCounting(session, guard);
  const done = [];
  const leftOut = [];
  for (const experiment of EXPERIMENTS.filter(
    (one) => wishes.scenarios.includes(one.scenario) && !one.isCost,
  )) {
    try {
      if (experiment.suits && !experiment.suits(kind))
        throw new LeftOut(`${kind.name} does not have the measured latches`);
      await prepareServer(experiment, session);
      done.push({
        experiment,
        ...(await runExperiment(experiment, session, { ...wishes, kind, options: [] })),
      });
    } catch (error) {
      if (!(error instanceof LeftOut) && error.errno === undefined) throw error;
      leftOut.push(`${experiment.experiment}: ${error.message}`);
    }
  }
  return { documents: documentsOf(done, { name: kind.name, packaged: null, wishes }), left_out: leftOut };
}

async function requireCounting(session, guard) {
  if ((await session.variable('performance_schema')) !== 'ON')
    throw new Error('the server does not count latches; start it with --performance-schema=ON');
  try {
    await guard.countLatches(session);
  } catch (error) {
    if (!(error instanceof LeftOut)) throw error;
    throw new Error(error.message);
  }
  await session.query('create table probe (id int primary key) engine = innodb');
  await session.query('insert into probe values (1)');
  const [{ n }] = await session.query(
    'select coalesce(sum(count_star), 0) as n from performance_schema.events_waits_summary_global_by_event_name ' +
      "where event_name = 'wait/synch/mutex/innodb/fil_system_mutex'",
  );
  await session.query('drop table probe');
  if (Number(n) === 0)
    throw new Error(`the server counts latches only from its start; start it with ${COUNTED}`);
}

async function prepareServer({ named }, session) {
  if (named === undefined)
    throw new LeftOut('it needs a simulated slow disk, which only packaged servers have');
  for (const [variable, value] of Object.entries(named.wants ?? {})) {
    const present = await session.variable(variable);
    if (present !== value) throw new LeftOut(`${variable} is ${present ?? 'not there'}; it must be ${value}`);
  }
  const obstacle = await named.obstacle?.(session);
  if (obstacle) throw new LeftOut(obstacle);
  for (const [variable, value] of Object.entries(named.sets ?? {})) await session.set(variable, value);
}
