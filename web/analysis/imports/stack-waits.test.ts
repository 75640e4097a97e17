import { expect, test } from 'vitest';

import { stackWaits, waitOf } from './stack-waits';
import { countedStacks, debuggerStacks, foldedStacks } from './stacks';
import { readText, sampleOf } from './test-fixtures/read';
import type { ImportForm } from './reader';

const waitsOf = (form: ImportForm, sample: string) => {
  const [imported] = readText(form, sampleOf(sample));
  return stackWaits((imported as Extract<typeof imported, { kind: 'stacks' }>).stacks);
};

test('shares are of blocked threads; idle threads are apart, with a reason', () => {
  const waits = waitsOf(debuggerStacks, 'gdb-threads');
  expect(waits).toMatchObject({ blockedCount: 2, idleCount: 3, runningCount: 1 });
  expect(waits.blocked).toMatchObject([{ on: 'latch', site: 'fil_space_get', count: 2, share: 1 }]);
  expect(waits.idle.map(({ reason, site }) => [reason, site])).toEqual([
    ['thread without a connection', 'Per_thread_connection_handler::block_until_new_connection'],
    ['waits for the device', 'LinuxAIOHandler::collect'],
    ['waits for the network', 'Mysqld_socket_listener::listen_for_connection_event'],
  ]);
  expect(waits.running).toMatchObject([{ site: '<signal handler>', count: 1 }]);
});

test('counts of pt-pmp and of folded stacks are threads', () => {
  expect(waitsOf(countedStacks, 'pt-pmp')).toMatchObject({
    blocked: [{ site: 'MYSQL_BIN_LOG::purge_logs', count: 12 }],
    idle: [
      { site: 'srv_worker_thread', count: 7, reason: 'waits for work' },
      { site: 'my_net_read', count: 3 },
    ],
    runningCount: 1,
  });
  expect(waitsOf(foldedStacks, 'folded').blocked).toMatchObject([
    { site: 'trx_commit', count: 42, on: 'latch' },
  ]);
});

test('sites are ranked by their threads', () => {
  const stack = (site: string, count: number) => ({ frames: ['pthread_mutex_lock', site], count });
  const { blocked } = stackWaits([stack('open_table', 1), stack('close_table', 3)]);
  expect(blocked.map(({ site, share }) => [site, share])).toEqual([
    ['close_table', 0.75],
    ['open_table', 0.25],
  ]);
  expect(stackWaits([])).toMatchObject({ blocked: [], blockedCount: 0 });
});

test.each([
  // MariaDB since 10.6 waits in the kernel itself.
  [
    'syscall,srw_mutex_impl<true>::wait,ssux_lock_impl<true>::rd_wait,buf_page_get_low',
    'latch',
    'buf_page_get_low',
  ],
  [
    '__lll_lock_wait,__pthread_mutex_cond_lock,os_event::wait,sync_array_wait_event,rw_lock_sx_lock_func,row_ins',
    'latch',
    'row_ins',
  ],
  [
    'pthread_cond_wait,os_event_wait_low,sync_array_wait_event,mutex_spin_wait,buf_page_get_gen',
    'latch',
    'buf_page_get_gen',
  ],
  // The kernel below.
  [
    'finish_task_switch,__schedule,schedule,futex_wait_queue_me,futex_wait,do_futex,__x64_sys_futex,do_syscall_64,entry_SYSCALL_64_after_hwframe,__lll_lock_wait,pthread_mutex_lock,open_table',
    'latch',
    'open_table',
  ],
  // A spinning thread waits as well.
  [
    'ut_delay,TTASEventMutex<BlockMutexPolicy>::spin_and_try_lock,buf_page_io_complete',
    'latch',
    'buf_page_io_complete',
  ],
  [
    'PGSemaphoreLock,LWLockAcquire,ProcArrayEndTransaction,exec_simple_query',
    'latch',
    'ProcArrayEndTransaction',
  ],
  [
    'pthread_cond_timedwait,os_event::timed_wait,log_write_up_to,dispatch_command',
    'condition',
    'log_write_up_to',
  ],
  ['select,os_thread_sleep,srv_conc_enter_innodb,dispatch_command', 'sleep', 'srv_conc_enter_innodb'],
])('%s is blocked', (frames, on, site) => {
  expect(waitOf(frames.split(/,(?! )/))).toEqual({ state: 'blocked', on, site });
});

test.each([
  ['__GI___poll,vio_io_wait,vio_read,??,my_net_read,do_command', 'waits for the network', 'my_net_read'],
  ['__GI___sigtimedwait,signal_hand,start_thread', 'waits for a signal', 'signal_hand'],
  ['??,__io_uring_get_cqe,??,start_thread,clone3', 'waits for the device', '??'],
  ['psi_cond_timedwait,??,handle_one_connection', 'thread without a connection', 'handle_one_connection'],
  ['select,os_thread_sleep,srv_master_thread', 'sleeps', 'srv_master_thread'],
  [
    'clock_nanosleep,std::this_thread::sleep_for<long, std::ratio<1l, 1l> >,srv_master_sleep',
    'sleeps',
    'srv_master_sleep',
  ],
  ['ut_delay,os_event_wait_for<…>,log_flusher', 'waits for work', 'log_flusher'],
  [
    'my_cond_timedwait,MYSQL_BIN_LOG::wait_for_update,mysql_binlog_send,dispatch_command',
    'waits for binlog events',
    'MYSQL_BIN_LOG::wait_for_update',
  ],
])('%s is idle', (frames, reason, site) => {
  expect(waitOf(frames.split(/,(?! )/))).toEqual({ state: 'idle', reason, site });
});

test.each([
  ['pthread_mutex_unlock,open_table'],
  ['futex_wake,do_futex,__lll_lock_wake,pthread_mutex_unlock,open_table'],
  ['pthread_cond_signal,os_event_set,log_writer'],
  ['__libc_send,vio_write,net_flush'],
  ['fsync,os_file_fsync_posix,log_flush_low'],
  ['row_search_mvcc,dispatch_command'],
  ['std::unique_lock<std::mutex>::unlock,worker'],
  ['mysql_binlog_send,dispatch_command'],
])('%s runs', (frames) => {
  expect(waitOf(frames.split(/,(?! )/)).state).toBe('running');
});
