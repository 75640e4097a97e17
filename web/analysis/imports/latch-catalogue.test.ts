import { expect, test } from 'vitest';

import { latch_catalogue } from '../../contract/all-known-latches';
import { hasBug, nameIn, openLatchCatalogue } from './latch-catalogue';

const { findEntry, sleeperOf, searchCatalogue, bugsOf } = openLatchCatalogue(latch_catalogue);

/** Events of a MariaDB 10.11 with 16 clients, those with the longest waits. */
const seen = `
wait/synch/cond/mysys/COND_timer
wait/synch/cond/aria/SERVICE_THREAD_CONTROL::COND_control
wait/synch/sxlock/innodb/index_tree_rw_lock
wait/synch/mutex/sql/LOCK_table_cache
wait/synch/rwlock/innodb/lock_latch
wait/synch/mutex/sql/THD::LOCK_thd_data
wait/synch/mutex/innodb/buf_pool_mutex
wait/synch/rwlock/sql/MDL_lock::rwlock
wait/synch/mutex/sql/THD::LOCK_thd_kill
wait/synch/rwlock/innodb/fil_space_latch
wait/synch/mutex/innodb/lock_wait_mutex
wait/synch/rwlock/innodb/trx_rseg_latch
wait/synch/mutex/innodb/purge_sys_pq_mutex
wait/synch/cond/sql/COND_manager
wait/synch/rwlock/innodb/dict_operation_lock
wait/synch/cond/sql/COND_rpl_thread_pool`
  .trim()
  .split('\n');

test('every event of a real server has an entry, and sleeping threads are known', () => {
  expect(seen.filter((event) => findEntry(event) === null)).toEqual([]);
  expect(seen.filter((event) => sleeperOf(event) !== null)).toEqual([
    'wait/synch/cond/mysys/COND_timer',
    'wait/synch/cond/aria/SERVICE_THREAD_CONTROL::COND_control',
    'wait/synch/cond/sql/COND_manager',
    'wait/synch/cond/sql/COND_rpl_thread_pool',
  ]);
});

test('the sleeper is in words, and the mutex of its condition is a latch', () => {
  expect(sleeperOf('wait/synch/cond/mysys/COND_timer')).toBe(
    'the timer thread, until the next timeout is due',
  );
  expect(findEntry('wait/synch/mutex/mysys/LOCK_timer')?.id).toBe('timer-thread');
  expect(sleeperOf('wait/synch/mutex/mysys/LOCK_timer')).toBeNull();
  expect(sleeperOf('wait/synch/cond/sql/MYSQL_BIN_LOG::COND_done')).toBeNull();
  expect(sleeperOf('wait/synch/cond/sql/COND_nothing')).toBeNull();
});

test.each([
  ['wait/synch/mutex/innodb/fil_system_mutex', 'tablespace-map'],
  ['synch/mutex/innodb/fil_system_mutex', 'tablespace-map'],
  ['innodb/fil_system_mutex', 'tablespace-map'],
  ['fil_system_mutex', 'tablespace-map'],
  ['&fil_system->mutex', 'tablespace-map'],
  ['fil_system.mutex', 'tablespace-map'],
  ['rseg.mutex', 'rollback-segment'],
  ['Fil_shard::m_mutex', 'tablespace-map'],
  ['FIL_SHARD', 'tablespace-map'],
  ['LOCK_SYS', 'lock-sys'],
  ['LOCK_SYS_WAIT', 'lock-wait'],
  ['wait/synch/prlock/sql/MDL_lock::rwlock', 'metadata-lock'],
  ['trx0sys.cc:576', 'trx-sys'],
  ['btr0sea.cc line 243', 'adaptive-hash'],
  ['rw-latch fil0fil.cc:1120', 'tablespace-latch'],
  ['mutex fil0fil.cc:1120', 'tablespace-map'],
])('%s is found', (name, id) => {
  expect(findEntry(name)?.id).toBe(id);
});

test.each([
  '',
  ' ',
  '&',
  'wait/synch/mutex/innodb/',
  'wait',
  'fil0fil.cc:1120',
  'srv0srv.cc:1',
  '__proto__',
  'mutex',
])('%j is no latch', (name) => {
  expect(findEntry(name)).toBeNull();
});

test('a name with several meanings needs the server', () => {
  const event = 'wait/synch/mutex/sql/LOG::LOCK_log';
  expect(findEntry(event)).toBeNull();
  expect(findEntry(event, 'mariadb')?.id).toBe('binlog-log');
  expect(findEntry(event, 'mysql')?.id).toBe('query-log');
  expect(findEntry(event, 'percona')?.id).toBe('query-log');
});

test.each([
  ['LOCK_log', 'binlog-purge-104615'],
  ['fil_system', 'fil-mutex-69276'],
  ['trx_sys', 'xa-gtid-99638'],
  ['AIO', 'aio-wakeup-95491'],
  ['purge_sys', 'undo-read-117533'],
  ['fil_space_get_page_size', 'fil-mutex-69276'],
  ['XA COMMIT', 'xa-gtid-99638'],
  ['simulated aio', 'aio-wakeup-95491'],
])('%s leads to %s first', (words, scenario) => {
  expect(bugsOf(searchCatalogue(words)[0]!)[0]?.scenario).toBe(scenario);
});

test('each word of a search must fit, in any order and case', () => {
  expect(searchCatalogue('list FLUSH')[0]?.id).toBe('buffer-pool-flush-list');
  expect(searchCatalogue('flush banana')).toEqual([]);
  expect(searchCatalogue('  ')).toEqual([]);
});

test('of two bugs, the one that the version has comes first', () => {
  const map = findEntry('fil_system_mutex')!;
  const first = (version: string) => bugsOf(map, { server: 'mysql', version })[0]?.scenario;
  expect(first('5.6.24')).toBe('fil-mutex-69276');
  expect(first('8.0.36')).toBe('undo-read-117533');
  expect(bugsOf(map, { server: 'percona', version: '8.0.36' })[0]?.scenario).toBe('undo-read-117533');
  expect(bugsOf(map, { server: 'mariadb', version: '10.11.19' })[0]?.scenario).toBe('fil-mutex-69276');
  expect(bugsOf(findEntry('COND_manager')!)).toEqual([]);
});

test('whether a version has a bug is decided by server and version', () => {
  const [bug] = bugsOf(findEntry('LOCK_commit')!);
  expect(bug?.scenario).toBe('xa-gtid-99638');
  const has = (server: 'mysql' | 'mariadb' | 'percona', version: string) => hasBug(bug!, { server, version });
  expect(['8.0.16', '8.0.17', '8.0.22', '8.0.23'].map((version) => has('mysql', version))).toEqual([
    false,
    true,
    true,
    false,
  ]);
  expect(has('percona', '8.0.18')).toBe(true);
  expect(has('mariadb', '10.11.19')).toBe(false);
});

test.each([
  ['mysql', '5.7.44', 'fil_system->mutex'],
  ['mysql', '8.0.11', 'Fil_shard::m_mutex'],
  ['mysql', '9.9.9', 'Fil_shard::m_mutex'],
  ['percona', '8.0.26', 'Fil_shard::m_mutex'],
  ['mariadb', '10.11.2', 'fil_system.mutex'],
  ['mysql', '5.1.73', undefined],
] as const)('%s %s calls it %s', (server, version, code) => {
  expect(nameIn(findEntry('fil_system_mutex')!, { server, version })?.code).toBe(code);
});
