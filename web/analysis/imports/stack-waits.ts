// Says what threads wait for by their stacks alone: for a latch, for a condition, or idle.
import type { FoldedStack } from '../../contract/live-view';
import { UNKNOWN_FRAME } from './frame-name';

/** What a thread does by its innermost frames. */
export type ThreadWait =
  | { state: 'blocked'; on: BlockedOn; site: string }
  | { state: 'idle'; reason: string; site: string }
  | { state: 'running'; site: string };

/** A client that waits for a condition or sleeps is blocked by the server's own logic. */
export type BlockedOn = 'latch' | 'condition' | 'sleep';

/** Threads found at one place. */
export interface WaitSite {
  /** The innermost function that is neither of the C library nor of a latch. */
  site: string;
  count: number;
  stacks: readonly FoldedStack[];
}

export interface BlockedSite extends WaitSite {
  on: BlockedOn;
  /** Share of the blocked threads. */
  share: number;
}

export interface IdleSite extends WaitSite {
  reason: string;
}

/** Each list has the most frequent site first. Counts are threads or samples. */
export interface StackWaits {
  blocked: readonly BlockedSite[];
  idle: readonly IdleSite[];
  running: readonly WaitSite[];
  blockedCount: number;
  idleCount: number;
  runningCount: number;
}

/** REQUIRES: frames are innermost first, and their names come from `frameName`. */
export function stackWaits(stacks: readonly FoldedStack[]): StackWaits {
  const blocked = new Map<string, Mutable<BlockedSite>>();
  const idle = new Map<string, Mutable<IdleSite>>();
  const running = new Map<string, Mutable<WaitSite>>();
  for (const stack of stacks) {
    const wait = waitOf(stack.frames);
    const { site } = wait;
    const empty = { site, count: 0, stacks: [] };
    if (wait.state === 'blocked')
      add(blocked, `${wait.on} ${site}`, { ...empty, on: wait.on, share: 0 }, stack);
    else if (wait.state === 'idle')
      add(idle, `${wait.reason}: ${site}`, { ...empty, reason: wait.reason }, stack);
    else add(running, site, empty, stack);
  }
  const blockedCount = total(blocked);
  for (const site of blocked.values()) site.share = site.count / blockedCount;
  return {
    blocked: ranked(blocked),
    idle: ranked(idle),
    running: ranked(running),
    blockedCount,
    idleCount: total(idle),
    runningCount: total(running),
  };
}

type Mutable<Site extends WaitSite> = Omit<Site, 'stacks'> & { stacks: FoldedStack[] };

function add<Site extends WaitSite>(
  sites: Map<string, Mutable<Site>>,
  key: string,
  empty: Mutable<Site>,
  stack: FoldedStack,
) {
  const site = sites.get(key) ?? empty;
  site.count += stack.count;
  site.stacks.push(stack);
  sites.set(key, site);
}

const ranked = <Site extends { count: number }>(sites: ReadonlyMap<string, Site>) =>
  [...sites.values()].sort((a, b) => b.count - a.count);

const total = (sites: ReadonlyMap<string, { count: number }>) =>
  [...sites.values()].reduce((sum, { count }) => sum + count, 0);

/** REQUIRES: as `stackWaits`. */
export function waitOf(frames: readonly string[]): ThreadWait {
  const roles = new Set<Role>();
  let site: string = UNKNOWN_FRAME;
  for (const frame of frames) {
    if (frame === UNKNOWN_FRAME) continue; // Stripped of its name: it may be either.
    const role = roleOf(frame);
    if (role === null) {
      site = THREAD_START.has(frame) ? UNKNOWN_FRAME : frame;
      break;
    }
    roles.add(role);
  }
  if (roles.has('work')) return { state: 'running', site };
  if (roles.has('latch')) return { state: 'blocked', on: 'latch', site };
  if (roles.has('sleep')) roles.delete('network'); // select() without files.
  const reason = IDLE_ROLES.find(([role]) => roles.has(role))?.[1];
  if (reason !== undefined) return { state: 'idle', reason, site };
  const on = roles.has('sleep') ? 'sleep' : roles.has('condition') || roles.has('futex') ? 'condition' : null;
  if (on === null) return { state: 'running', site };
  if (isIn(frames, BINLOG_DUMP)) return { state: 'idle', reason: 'waits for binlog events', site };
  if (isIn(frames, STATEMENT)) return { state: 'blocked', on, site };
  return { state: 'idle', reason: idleReason(frames, on), site };
}

function idleReason(frames: readonly string[], on: 'condition' | 'sleep'): string {
  if (isIn(frames, CONNECTION)) return 'thread without a connection';
  return on === 'sleep' ? 'sleeps' : 'waits for work';
}

const isIn = (frames: readonly string[], names: ReadonlySet<string>) =>
  frames.some((frame) => names.has(frame));

/** Functions that run a client's statement. */
const STATEMENT: ReadonlySet<string> = new Set([
  'do_command',
  'dispatch_command',
  'mysql_parse',
  'mysql_execute_command',
  'exec_simple_query', // Postgres
]);

/** Functions that send the binlog to a replica. Theirs is a statement without end. */
const BINLOG_DUMP: ReadonlySet<string> = new Set([
  'mysql_binlog_send',
  'com_binlog_dump',
  'Binlog_sender::run',
]);

/** Callers that every thread has. */
const THREAD_START: ReadonlySet<string> = new Set(['start_thread', 'clone', 'clone3', '__clone', '__clone3']);

/** Functions of a connection's thread that has no statement. */
const CONNECTION: ReadonlySet<string> = new Set([
  'handle_one_connection',
  'handle_connection',
  'end_thread',
  'one_thread_per_connection_end',
  'Per_thread_connection_handler::block_until_new_connection',
]);

/**
 * What an innermost function says of its thread. `through` says nothing: its callers do. `futex` is
 * a latch below a latch's function, otherwise a condition.
 */
type Role = 'latch' | 'condition' | 'futex' | 'sleep' | 'network' | 'signal' | 'device' | 'work' | 'through';

const IDLE_ROLES: readonly [Role, string][] = [
  ['signal', 'waits for a signal'],
  ['network', 'waits for the network'],
  ['device', 'waits for the device'],
];

function roleOf(frame: string): Role | null {
  const name = plainName(frame);
  if (RELEASES.test(name)) return 'work';
  const exact = EXACT.get(name);
  if (exact !== undefined) return exact;
  return PREFIXES.find(([prefix]) => name.startsWith(prefix))?.[1] ?? null;
}

/** Functions beside those that wait, with names like theirs. */
const RELEASES = /unlock|trylock|_wake|(?:_|::)(?:signal|broadcast|notify_one|notify_all)$/;

/** Drops template arguments and the prefixes of the C library: `__GI___poll` is `poll`. */
function plainName(frame: string): string {
  let name = '';
  let depth = 0;
  for (const character of frame) {
    if (character === '<') depth += 1;
    if (depth === 0) name += character;
    if (character === '>') depth = Math.max(0, depth - 1);
  }
  return name.replace(/^_{0,3}(?:GI_|libc_|x64_)?_{0,3}/, '');
}

const withRole = (role: Role, names: string): [string, Role][] =>
  names.split(/\s+/).map((name): [string, Role] => [name, role]);

const EXACT: ReadonlyMap<string, Role> = new Map([
  ...withRole('sleep', 'nanosleep clock_nanosleep usleep sleep os_thread_sleep my_sleep my_nanosleep'),
  ...withRole('sleep', 'hrtimer_nanosleep do_nanosleep std::this_thread::sleep_for'),
  ...withRole(
    'network',
    'poll ppoll select pselect epoll_wait epoll_pwait accept accept4 recv recvfrom recvmsg',
  ),
  ...withRole(
    'network',
    'do_sys_poll do_poll ep_poll do_epoll_wait poll_schedule_timeout do_select core_sys_select',
  ),
  ...withRole('network', 'vio_read vio_read_buff vio_io_wait vio_socket_io_wait my_real_read'),
  ...withRole('signal', 'sigwait do_sigwait sigwaitinfo sigtimedwait pause do_sigtimedwait'),
  ...withRole('device', 'io_getevents io_getevents_0_4 io_uring_get_cqe io_uring_wait_cqe aio_suspend'),
  // Calls of the system that do work for their caller.
  ...withRole(
    'work',
    'write pwrite pwritev pread pread64 pwrite64 preadv fsync fdatasync send sendto sendmsg open',
  ),
  ...withRole('work', 'unlink rename ftruncate fallocate vio_write'),
  ...withRole('through', 'read schedule schedule_timeout finish_task_switch context_switch do_syscall_64'),
  ...withRole('through', 'schedule_hrtimeout_range schedule_hrtimeout_range_clock x64_sys_call'),
  ...withRole('futex', 'syscall do_futex'),
]);

/** The first that fits counts. */
const PREFIXES: readonly [string, Role][] = [
  ...withRole('futex', 'futex_wait futex_abstimed_wait futex_reltimed futex_wait_queue sys_futex'),
  ...withRole('condition', 'pthread_cond_ psi_cond_ safe_cond_ native_cond_ my_cond_ inline_mysql_cond_'),
  ...withRole('condition', 'std::condition_variable boost::condition_variable os_cond_wait'),
  ...withRole(
    'condition',
    'os_event_wait os_event::wait os_event::timed_wait sem_wait new_sem_wait do_futex_wait',
  ),
  ...withRole('latch', 'lll_lock_wait lll_mutex_lock_wait ll_lock_wait L_lock_ L_mutex_lock_ lll_lock'),
  ...withRole(
    'latch',
    'pthread_mutex_lock pthread_mutex_cond_lock pthread_mutex_timedlock pthread_spin_lock',
  ),
  ...withRole('latch', 'pthread_rwlock_rdlock pthread_rwlock_wrlock pthread_rwlock_timed'),
  // Wrappers of the servers.
  ...withRole('latch', 'inline_mysql_mutex_lock inline_mysql_rwlock_ inline_mysql_prlock_ psi_mutex_lock'),
  ...withRole('latch', 'psi_rwlock_ psi_prlock_ my_mutex_lock native_mutex_lock native_rw_ safe_mutex_lock'),
  ...withRole('latch', 'my_rw_rdlock my_rw_wrlock rw_pr_rdlock rw_pr_wrlock spin_mutex_lock'),
  ...withRole(
    'latch',
    'std::mutex::lock std::shared_mutex::lock std::lock_guard std::unique_lock std::scoped_lock',
  ),
  ...withRole('latch', 'gthread_mutex_lock std::recursive_mutex::lock MUTEX_LOCK Mutex_lock::Mutex_lock'),
  // Latches of InnoDB, up to 5.5, up to 8.x, and of MariaDB since 10.6.
  ...withRole(
    'latch',
    'mutex_spin_wait mutex_enter pfs_mutex_enter sync_array_wait_event sync_array_reserve',
  ),
  ...withRole(
    'latch',
    'rw_lock_s_lock rw_lock_x_lock rw_lock_sx_lock rw_lock_lock_ pfs_rw_lock_ ib_mutex_enter',
  ),
  ...withRole('latch', 'TTASEventMutex TTASMutex TTASFutexMutex TTASFutex OSTrackMutex OSMutex PolicyMutex'),
  ...withRole(
    'latch',
    'IB_mutex_guard IB_sx_lock Sharded_rw_lock mtr_t::s_lock mtr_t::x_lock mtr_t::sx_lock',
  ),
  ...withRole('latch', 'ssux_lock sux_lock srw_lock srw_mutex srw_spin sspin_mutex'),
  // Postgres.
  ...withRole('latch', 'LWLockAcquire LWLockQueue PGSemaphoreLock s_lock perform_spin_delay'),
  ...withRole('through', 'ut_delay ut_pause my_cpu_relax sys_ se_sys_ entry_SYSCALL_64'),
];
