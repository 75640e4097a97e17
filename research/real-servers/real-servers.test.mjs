// Tests the command that measures real servers, including that a user's server is left unchanged.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { after, before, test } from 'node:test';

import { repository } from '../../tools/processes.mjs';
import { cacheRoot } from '../../tools/setup/cache.mjs';
import { ensureRealServer } from '../../tools/setup/index.mjs';
import { connect } from './connect.mjs';
import { withLocalServer } from './local-server.mjs';
import { seriesOf, serverKind } from './options.mjs';

const SERVER = 'mysql-5.6';
const LOOKED_FOR_EVERY_MS = 50;
let folder;

before(() => (folder = mkdtempSync(join(tmpdir(), 'latchscope-real-'))));
after(() => rmSync(folder, { recursive: true }));

function start({ env = process.env }, ...args) {
  const child = spawn(process.execPath, [join(repository, 'tools/cli.mjs'), 'real-servers', ...args], {
    env,
  });
  const text = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) child[name].on('data', (chunk) => (text[name] += chunk));
  const ended = new Promise((resolve) => child.on('close', (code) => resolve({ code, ...text })));
  return { child, ended };
}

const run = (...args) => start({}, ...args).ended;

test('the series of a server is its name and version without the release part', () => {
  assert.equal(seriesOf('5.6.24-log'), 'mysql-5.6');
  assert.equal(seriesOf('8.0.44-35 Percona'), 'mysql-8.0');
  assert.equal(seriesOf('9.7.4-2'), 'mysql-9');
  assert.equal(seriesOf('10.11.19-MariaDB-0+deb12u1'), 'mariadb-10.11');
  assert.ok(serverKind('mysql-5.6').isBefore(5, 7));
  assert.ok(!serverKind('mysql-9').isBefore(8));
  assert.ok(serverKind('mariadb-10.2').isMariaDb);
});

for (const [args, expected] of [
  [['--servers', 'oracle'], '--servers: got "oracle"; allowed: mysql-5.6, mysql-9, '],
  [['--only', 'nothing'], '--only: got "nothing"; allowed: fil-mutex-69276, '],
  [['--clients', '0'], '--clients: got "0"; allowed: an integer from 1 to 1024'],
  [['--clients', '1,x'], '--clients: got "x"; allowed: an integer'],
  [['--seconds', '0'], '--seconds: got "0"; allowed: an integer from 1'],
  [['--out', '/nowhere'], '--out: got "/nowhere"; allowed: a folder'],
  [['--allow-settings'], '--allow-settings: got true; allowed: only with --socket or --host'],
  [['--socket', '/s', '--host', 'h'], '--host: got "h"; allowed: either --socket or --host'],
  [['--socket', '/s', '--servers', SERVER], '--servers: got "mysql-5.6"; allowed: only without'],
  [['--host', 'h', '--port', '0'], '--port: got "0"; allowed: an integer from 1 to 65535'],
  [['--socket', '/nowhere.sock'], '--socket: got "/nowhere.sock"; allowed: an existing socket'],
]) {
  test(`${args.join(' ')} is refused`, async () => {
    const { code, stderr } = await run(...args);
    assert.ok(stderr.startsWith(expected), stderr);
    assert.equal(code, 2);
  });
}

test('a socket that belongs to no server is refused', async () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  const { code, stderr } = await run('--socket', file);
  assert.match(stderr, /^--socket: got ".*"; allowed: a running server; nothing listens there/);
  assert.equal(code, 2);
});

test('a host where something else answers is refused', async () => {
  const other = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
  await new Promise((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = /** @type {import('node:net').AddressInfo} */ (other.address());
  const { code, stderr } = await run('--host', '127.0.0.1', '--port', String(port));
  other.close();
  assert.match(stderr, /^--host: got "127\.0\.0\.1:\d+"; allowed: a server that lets root in/);
  assert.equal(code, 2);
});

test('each server whose package cannot be fetched is reported, and nothing is written', async () => {
  const nothing = { PATH: folder, HOME: folder, LATCHSCOPE_CACHE: join(folder, 'cache') };
  const args = ['--servers', 'mysql-5.6,mariadb-10.2,mariadb-10.5', '--out', folder];
  const { code, stdout } = await start({ env: nothing }, ...args).ended;
  assert.match(stdout, /^real servers: 0 measured, 3 missing$/m);
  for (const name of ['mysql-5.6', 'mariadb-10.2', 'mariadb-10.5'])
    assert.match(stdout, new RegExp(`^ {2}missing: ${name}: ${name} could not be found`, 'm'));
  assert.equal(code, 1);
});

/** Returns the state of a server that a run must leave unchanged. */
async function stateOf(query) {
  const databases = (await query('show databases')).map((row) => row.Database);
  const [settings] = await query(
    'select @@global.sync_binlog as sync_binlog, @@global.max_binlog_size as size',
  );
  return { databases, ...settings };
}

async function until(isSo) {
  while (!(await isSo())) await sleep(LOOKED_FOR_EVERY_MS);
}

const whereFetched = {
  skip: existsSync(join(cacheRoot(), `real-server-${SERVER}`))
    ? false
    : `npm run real-servers -- --servers ${SERVER} has not been run`,
};

test('a server of the user is measured, changed only if allowed, and restored', whereFetched, () =>
  withNamedServer(async (socket, query) => {
    const stateBefore = await stateOf(query);
    const common = ['--socket', socket, '--only', 'binlog-purge-104615', '--clients', '1', '--out', folder];

    const refused = await run(...common);
    assert.match(
      refused.stdout,
      /skipped: group_commit: sync_binlog is 0 and would be set to 1; --allow-settings/,
    );
    assert.equal(refused.code, 1);
    assert.deepEqual(await stateOf(query), stateBefore);
    assert.ok(!readdirSync(folder).includes('binlog-purge-104615'));

    const allowed = await run(...common, '--seconds', '1', '--allow-settings');
    assert.equal(allowed.code, 0, allowed.stderr);
    assert.match(allowed.stdout, /LOCK_done per commit 1\.000/);
    assert.deepEqual(await stateOf(query), stateBefore);
    assert.equal(readdirSync(join(folder, 'binlog-purge-104615', 'measured')).length, 1);

    for (const signal of /** @type {const} */ (['SIGINT', 'SIGKILL'])) {
      const { child, ended } = start({}, ...common, '--seconds', '600', '--allow-settings');
      await until(async () => (await stateOf(query)).sync_binlog === 1);
      assert.equal((await stateOf(query)).databases.length, stateBefore.databases.length + 1);
      child.kill(signal);
      await ended;
      await until(async () => (await stateOf(query)).databases.length === stateBefore.databases.length);
      assert.deepEqual(await stateOf(query), stateBefore, signal);
    }
  }),
);

async function withNamedServer(work) {
  await withLocalServer(await ensureRealServer(SERVER), (server) =>
    server.running({ options: ['--log-bin=binlog', '--server-id=1', '--sync_binlog=0'] }, async () => {
      const connection = await connect({ socketPath: server.socket, user: 'root' });
      await work(server.socket, async (sql) => (await connection.query(sql))[0]);
      await connection.end();
    }),
  );
}
