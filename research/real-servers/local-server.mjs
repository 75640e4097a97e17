// Runs a local server, unpacked from its package, on a Unix socket. Its data directory is removed
// when the server stops.
import { appendFileSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { inTemporaryFolder, startProgram } from '../../tools/interruption.mjs';

const READY_WITHIN_MS = 120_000;
const LOOKED_FOR_EVERY_MS = 100;
const US_PER_TICK = 10_000;
const LOG_LINES_SHOWN = 12;
/** Maximum length of a Unix socket's path: sun_path in unix(7), without its terminating zero. */
const SOCKET_PATH_MAX = 107;

/**
 * SQL files of a MariaDB package that create the system tables, in this order. Since version 11
 * their names begin with mariadb.
 */
const SYSTEM_TABLES = ['system_tables', 'performance_tables', 'system_tables_data'];

/**
 * Options of every server. Each experiment starts a new server process, so no setting of an earlier
 * one remains.
 */
const ALWAYS = [
  '--skip-grant-tables',
  '--skip-networking',
  '--performance_schema=ON',
  '--performance-schema-instrument=wait/synch/%=counted',
];

/**
 * Creates a data directory, runs `work` with it, and removes it, even if interrupted.
 * @template T
 * @param {import('../../tools/setup/real-server-packages.mjs').RealServer} serverPackage
 * @param {(server: LocalServer) => Promise<T>} work
 * @returns {Promise<T>}
 */
export function withLocalServer(serverPackage, work) {
  return inTemporaryFolder('server', async (folder) => {
    const server = new LocalServer(serverPackage, folder);
    await server.initialize();
    return work(server);
  });
}

export class LocalServer {
  #package;
  #folder;
  #pid;

  constructor(serverPackage, folder) {
    this.#package = serverPackage;
    this.#folder = folder;
    if (this.socket.length > SOCKET_PATH_MAX)
      throw new Error(`${this.socket} is too long for a Unix socket: set TMPDIR to a shorter folder`);
  }

  get name() {
    return this.#package.name;
  }

  get packaged() {
    return this.#package.packaged;
  }

  get socket() {
    return join(this.#folder, 's.sock');
  }

  get dataDirectory() {
    return join(this.#folder, 'data');
  }

  /** File from which the slow disk (slow-disk.c) reads how long deleting a binary log takes. */
  get #unlinkDelay() {
    return join(this.#folder, 'unlink-ms');
  }

  /**
   * Sets how many milliseconds deleting a binary log takes. Affects only servers with the slow
   * disk.
   */
  setUnlinkDelay(ms) {
    writeFileSync(this.#unlinkDelay, String(ms));
  }

  /**
   * Returns the CPU time of the server process in microseconds, including kernel time: proc(5),
   * fields 14 and 15, in ticks of 10 ms.
   */
  cpu_us() {
    const [, text] = readFileSync(`/proc/${this.#pid}/stat`, 'utf8').split(/\) (?=[^)]*$)/);
    const [user, system] = text.split(' ').slice(11, 13).map(Number);
    return (user + system) * US_PER_TICK;
  }

  get #log() {
    return join(this.#folder, 'log');
  }

  async initialize() {
    const { data } = this.#package;
    if (data) cpSync(data, this.dataDirectory, { recursive: true });
    else if (this.#isMariaDb()) await this.#bootstrap();
    else await this.#runToItsEnd(['--initialize-insecure'], '');
  }

  #isMariaDb() {
    return this.name.startsWith('mariadb');
  }

  async #bootstrap() {
    mkdirSync(join(this.dataDirectory, 'mysql'), { recursive: true });
    const { share } = this.#package;
    const files = SYSTEM_TABLES.map((name) =>
      ['mariadb', 'mysql'].map((brand) => join(share, `${brand}_${name}.sql`)).find(existsSync),
    );
    const variables =
      'set @current_hostname = null, @skip_auth_anonymous_user = null, @auth_root_socket = null;';
    const sql = ['use mysql;', variables, ...files.map((file) => readFileSync(file, 'utf8'))].join('\n');
    await this.#runToItsEnd(['--bootstrap', '--skip-grant-tables', '--skip-networking'], sql);
  }

  /** Returns how to start the server with the libraries of its package. */
  #commandLine(options, preload) {
    const { program, share, libraries, loader } = this.#package;
    const args = [
      '--no-defaults',
      `--datadir=${this.dataDirectory}`,
      `--tmpdir=${this.#folder}`,
      `--socket=${this.socket}`,
      `--pid-file=${join(this.#folder, 'pid')}`,
      `--lc-messages-dir=${share}`,
      `--character-sets-dir=${join(share, 'charsets')}`,
      ...(process.getuid() === 0 ? ['--user=root'] : []),
      ...(this.name === 'mysql-9' ? ['--mysqlx=OFF', '--secure-file-priv='] : []),
      ...options,
    ];
    const cwd = dirname(program);
    if (!loader) {
      const env = { ...process.env, LD_LIBRARY_PATH: libraries, ...(preload ? { LD_PRELOAD: preload } : {}) };
      return { command: program, args, env, cwd };
    }
    const before = [
      '--inhibit-cache',
      '--library-path',
      libraries,
      ...(preload ? ['--preload', preload] : []),
    ];
    return { command: loader, args: [...before, program, ...args], env: process.env, cwd };
  }

  #spawn(options, { preload, env: more = {} } = {}) {
    const { command, args, env, cwd } = this.#commandLine(options, preload);
    const program = startProgram(command, args, {
      cwd,
      env: { ...env, ...more },
      stdio: ['pipe', 'pipe', 'pipe'],
      endedBy: 'SIGKILL',
    });
    writeFileSync(this.#log, '');
    for (const stream of [program.child.stdout, program.child.stderr])
      stream.on('data', (chunk) => appendFileSync(this.#log, chunk));
    program.child.stdin.on('error', () => {}); // It may end before it reads all input.
    return program;
  }

  async #runToItsEnd(options, input) {
    const { child, ended } = this.#spawn(options);
    child.stdin.end(input);
    const outcome = await ended;
    if (outcome !== 0) throw this.#failure(`could not create its system tables (${outcome})`);
  }

  #failure(what) {
    const tail = readFileSync(this.#log, 'utf8').trim().split('\n').slice(-LOG_LINES_SHOWN);
    return new Error(`${this.name} ${what}:\n  ${tail.join('\n  ')}`);
  }

  /**
   * Starts the server, runs `work` and stops the server.
   * @template T
   * @param {{ options: string[], slowDisk?: { library: string, page_read_us: number } }} how
   *   `options`: options of the server; `slowDisk`: a simulated disk instead of this machine's
   * @param {() => Promise<T>} work
   * @returns {Promise<T>}
   */
  async running({ options, slowDisk }, work) {
    this.setUnlinkDelay(0);
    const env = slowDisk && {
      LATCHSCOPE_UNLINK_MS: this.#unlinkDelay,
      LATCHSCOPE_PAGE_READ_US: String(slowDisk.page_read_us),
    };
    const { child, ended } = this.#spawn([...ALWAYS, ...options], { preload: slowDisk?.library, env });
    child.stdin.end();
    this.#pid = child.pid;
    let outcome;
    const end = ended.then((code) => (outcome = code));
    end.catch(() => {});
    try {
      await this.#ready(() => outcome);
      return await work();
    } finally {
      child.kill('SIGTERM');
      await end;
    }
  }

  async #ready(outcome) {
    const untilMs = Date.now() + READY_WITHIN_MS;
    while (!(existsSync(this.socket) && /ready for connections/.test(readFileSync(this.#log, 'utf8')))) {
      if (outcome() !== undefined) throw this.#failure(`ended with ${outcome()} at start-up`);
      if (Date.now() > untilMs) throw this.#failure('was not ready within two minutes');
      await sleep(LOOKED_FOR_EVERY_MS);
    }
  }
}
