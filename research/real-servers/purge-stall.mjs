// Bug #104615: measures which commits stall, and for how long, while a commit rotates the binary
// log and deletes old files on a slow disk.
import { readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { stallPhase } from '../../web/contract/real-servers/purge-stall.mjs';
import { binlogOptions } from './options.mjs';

const CLIENTS = 8;
/** Small, so that the next rotation soon coincides with the purge. */
const FILE_BYTES = 65_536;
const CASES = [
  { files: 3, unlink_ms: 400 },
  { files: 6, unlink_ms: 200 },
  { files: 6, unlink_ms: 400 },
];
/** Time to reach the rotation, and to see commits continue afterwards. */
const AROUND_S = 1.5;
const DAY_S = 86_400;
const OLD_S = 10 * DAY_S;
const READY_WITHIN_MS = 60_000;
const LOOKED_FOR_EVERY_MS = 20;

export const stallCases = CASES;

/** MySQL 8.0 and MariaDB 10.6 have a limit in seconds. */
async function expireAfterDays(session, days) {
  const hasSeconds = (await session.variable('binlog_expire_logs_seconds')) !== undefined;
  if (hasSeconds) await session.set('binlog_expire_logs_seconds', days * DAY_S);
  else await session.set('expire_logs_days', days);
}

const filesOf = async (session) => (await session.query('show binary logs')).map((row) => row.Log_name);

/**
 * Waits until MariaDB allows the deletion of old files. It keeps a file until InnoDB's log contains
 * all of the file's transactions.
 */
async function untilOthersMayGo(session, { isMariaDb }) {
  const isReady = async () => {
    const last = (await filesOf(session)).at(-1);
    const events = await session.query(`show binlog events in '${last}'`);
    return events.findLast((event) => event.Event_type === 'Binlog_checkpoint')?.Info === last;
  };
  const untilMs = Date.now() + READY_WITHIN_MS;
  while (isMariaDb && !(await isReady())) {
    if (Date.now() > untilMs) throw new Error('MariaDB did not release its old binary logs within a minute');
    await sleep(LOOKED_FOR_EVERY_MS);
  }
}

async function makeOldFiles(session, { server, kind, files }) {
  await expireAfterDays(session, 0);
  await session.query('flush binary logs');
  await untilOthersMayGo(session, kind);
  await session.query(`purge binary logs to '${(await filesOf(session)).at(-1)}'`);
  for (let i = 0; i < files; i += 1) await session.query('flush binary logs');
  await untilOthersMayGo(session, kind);
  const old = Date.now() / 1000 - OLD_S;
  const names = readdirSync(server.dataDirectory).filter((name) => /^binlog\.\d+$/.test(name));
  for (const name of names.sort().slice(0, -1)) utimesSync(join(server.dataDirectory, name), old, old);
}

/**
 * Computes the figures of a stall. `spans` are the times at which commits began and ended, in
 * milliseconds.
 */
function shapeOf(spans, { files, unlink_ms }) {
  const lasted = spans.map(([began, ended]) => ended - began);
  const ends = spans.map(([, ended]) => ended).sort((a, b) => a - b);
  return {
    commits: spans.length,
    commits_standing: lasted.filter((ms) => ms > (files * unlink_ms) / 2).length,
    longest_commit_ms: Math.max(...lasted),
    longest_gap_ms: Math.max(...ends.slice(1).map((end, i) => end - ends[i])),
  };
}

export const purgeStall = {
  experiment: 'purge_stall',
  slowDisk: { page_read_us: 0 },
  clients: () => [CLIENTS],

  /** @param {import('./options.mjs').ServerKind} server */
  options: (server) => [
    ...binlogOptions(server),
    '--innodb_flush_log_at_trx_commit=2',
    `--max_binlog_size=${FILE_BYTES}`,
    // By default MariaDB since 11.3 purges only while a replica is connected.
    ...(server.isMariaDb && !server.isBefore(11, 3) ? ['--slave-connections-needed-for-purge=0'] : []),
  ],

  prepare: (session) =>
    session.query('create table wide (id int auto_increment primary key, c varchar(8000)) engine = innodb'),

  async measure(session, { clients: count, server, kind }) {
    return session.withClients({ count }, async (clients) => {
      const phases = [];
      for (const one of CASES) {
        await makeOldFiles(session, { server, kind, files: one.files });
        await expireAfterDays(session, 1);
        server.setUnlinkDelay(one.unlink_ms);
        const seconds = AROUND_S + (one.files * one.unlink_ms) / 1000;
        const { spans } = await clients.run({ statement: 'wide_insert', seconds, times: true });
        server.setUnlinkDelay(0);
        phases.push({
          phase: stallPhase(one),
          seconds,
          operations: { ...one, ...shapeOf(spans, one) },
          latches: {},
        });
      }
      return phases;
    });
  },

  cleanUp: (session) => session.query('drop table wide'),
};
