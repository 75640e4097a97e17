// Runs experiments on one server.
import { mkdirSync } from 'node:fs';
import { availableParallelism, cpus, release, totalmem } from 'node:os';
import { join } from 'node:path';

import { MEASURED_VERSION, roundedAll } from '../../web/contract/real-servers/measured-faults.mjs';
import { repository, runCommand } from '../../tools/processes.mjs';
import { which } from '../../tools/setup/commands.mjs';
import { ensureNativeToolchain } from '../../tools/setup/index.mjs';
import { EXPERIMENTS } from './experiments.mjs';
import { withLocalServer } from './local-server.mjs';
import { serverKind } from './options.mjs';
import { Session } from './session.mjs';

const DATABASE = 'latchscope';
const SLOW_DISK_SOURCE = join(import.meta.dirname, 'slow-disk.c');
const MIB = 2 ** 20;

/** For local servers, which are removed afterwards: any variable may be set. */
const SETS_ANYTHING = {
  set: (variable, value, { query }) => query(`set global ${variable} = ${value}`),
};

/**
 * @typedef {object} Wishes
 * @property {string[]} scenarios
 * @property {number[]} clients
 * @property {number} seconds duration of each phase
 * @property {boolean} costs whether to measure CPU time instead of counts
 * @property {string} command as the user entered it
 * @property {(line: string) => void} say
 */

/**
 * @param {import('../../tools/setup/real-server-packages.mjs').RealServer} serverPackage
 * @param {Wishes} wishes
 * @returns {Promise<import('./measured-file.mjs').Measured[]>} one document for each scenario that
 *   can be measured on this server
 */
export function measurePackaged(serverPackage, wishes) {
  return withLocalServer(serverPackage, async (server) => {
    const kind = serverKind(server.name);
    const done = [];
    for (const experiment of experimentsOf(wishes)) {
      if (experiment.suits && !experiment.suits(kind)) continue;
      const options = experiment.options(kind);
      const slowDisk = await slowDiskOf(experiment);
      const result = await server.running({ options, slowDisk }, () =>
        inDatabase({ socketPath: server.socket, user: 'root' }, (session) =>
          runExperiment(experiment, session, { ...wishes, kind, server, options }),
        ),
      );
      done.push({ experiment, ...result });
    }
    return documentsOf(done, { name: server.name, packaged: server.packaged, wishes });
  });
}

async function slowDiskOf({ slowDisk }) {
  return slowDisk === undefined ? undefined : { ...slowDisk, library: await ensureSlowDisk() };
}

/** Selects the experiments that measure costs, or those that count. */
const experimentsOf = ({ scenarios, costs }) =>
  EXPERIMENTS.filter(({ scenario, isCost = false }) => scenarios.includes(scenario) && isCost === costs);

async function inDatabase(address, work) {
  const admin = await Session.open(address, SETS_ANYTHING);
  await admin.query(`create database ${DATABASE}`);
  await admin.close();
  const session = await Session.open({ ...address, database: DATABASE }, SETS_ANYTHING);
  try {
    return await work(session);
  } finally {
    await session.query(`drop database ${DATABASE}`);
    await session.close();
  }
}

/** @returns {Promise<{ facts: object, result: object }>} */
export async function runExperiment(experiment, session, how) {
  const { clients, seconds, kind, server, say, options } = how;
  if (experiment.isCost) session.measureCpu(() => server.cpu_us());
  const facts = await session.facts();
  const prepared = await experiment.prepare(session, kind);
  const runs = [];
  for (const count of experiment.clients?.(clients) ?? clients) {
    const phases = await experiment.measure(session, { clients: count, seconds, prepared, kind, server });
    const counts = roundedAll(experiment.figures(phases));
    say(`${kind.name}, ${experiment.experiment}, ${count} clients: ${shown(counts)}`);
    runs.push({ clients: count, phases, counts });
  }
  await experiment.cleanUp(session);
  const { settings } = facts;
  return { facts, result: { experiment: experiment.experiment, options, settings, runs } };
}

const shown = (counts) =>
  Object.entries(counts)
    .map(([figure, value]) => `${figure} ${value.toFixed(3)}`)
    .join(', ');

/** @returns {import('./measured-file.mjs').Measured[]} */
export function documentsOf(done, { name, packaged, wishes }) {
  const scenarios = [...new Set(done.map(({ experiment }) => experiment.scenario))];
  return scenarios.map((scenario) => {
    const own = done.filter(({ experiment }) => experiment.scenario === scenario);
    const { version, comment } = own[0].facts;
    return {
      $schema: '../../measured.schema.json',
      version: MEASURED_VERSION,
      scenario,
      measured_at: new Date().toISOString().slice(0, 10),
      command: wishes.command,
      server: { name, version, comment, packaged },
      machine: thisMachine(),
      experiments: own.map(({ result }) => result),
    };
  });
}

/** Describes the machine of a measurement. */
const thisMachine = () => ({
  cpu_model: cpus()[0]?.model.trim() ?? '',
  cores: availableParallelism(),
  memory_mib: Math.round(totalmem() / MIB),
  kernel: release(),
});

/**
 * Compiles the library that slows down a server's disk, with any C compiler of the machine.
 * @returns {Promise<string>} its path
 */
async function ensureSlowDisk() {
  const folder = join(repository, 'build', 'real-servers');
  mkdirSync(folder, { recursive: true });
  const library = join(folder, 'slow-disk.so');
  const cc = which(['cc', 'gcc', 'clang']) ?? (await ensureNativeToolchain()).cc;
  const options = ['-std=c99', '-D_DEFAULT_SOURCE', '-O2', '-Wall', '-Werror', '-shared', '-fPIC'];
  await runCommand(cc, [...options, '-o', library, SLOW_DISK_SOURCE], { quietUnlessFailed: true });
  return library;
}
