// Puts thread lanes into words.
import type { ThreadState } from '../contract/telemetry-states';
import type { Names, RunThread } from '../engine-client/snapshot';
import { formatDurationNs } from './format';

/** One state of one thread. `from_ns` and `to_ns` are run time. */
export interface Span {
  fromNs: number;
  toNs: number;
  state: ThreadState;
  /** Indices into `Names.latch_sites`; -1 where there is none. */
  site: number;
  holderSite: number;
  /** Name of the thread that held the latch when the span began; null if the engine saw none. */
  holder: string | null;
  /** Holder at the selected moment, for a watched latch. */
  atMoment?: HolderAtMoment | undefined;
}

export interface HolderAtMoment {
  /** Name of the thread; null if no thread holds the latch at that moment. */
  holder: string | null;
  holderSite: number;
  /** Number of threads that held it during the span. */
  holders: number;
}

/** Names clients by number, and server threads by the function that they started in. */
export function threadName({ slot, isClient, beganWith }: RunThread, names: Names): string {
  if (isClient) return `client ${slot}`;
  return (beganWith === null ? undefined : names.functions[beganWith]) ?? `thread ${slot}`;
}

/**
 * Returns text such as "client 3: waiting 12.0 µs for LOCK_log in MYSQL_BIN_LOG::rotate; held by
 * client 5, taken in ...".
 */
export function spanInWords(
  thread: string,
  span: Span,
  states: Record<string, string>,
  names: Names,
): string {
  const lasted = `${thread}: ${states[span.state] ?? span.state} ${formatDurationNs(span.toNs - span.fromNs)}`;
  if (span.site < 0) return lasted;
  const waits = `${lasted} for ${latchName(span.site, names)} in ${functionName(span.site, names)}`;
  if (span.atMoment !== undefined) return `${waits}; ${atMomentInWords(span.atMoment, names)}`;
  if (span.holder === null) return `${waits}; holder at the start unknown`;
  return `${waits}; at the start held by ${span.holder}, acquired in ${functionName(span.holderSite, names)}`;
}

function atMomentInWords({ holder, holderSite, holders }: HolderAtMoment, names: Names): string {
  const meanwhile = holders > 1 ? `; ${holders} threads held it in that time` : '';
  if (holder === null) return `at this time no one holds it${meanwhile}`;
  const where = holderSite < 0 ? '' : `, acquired in ${functionName(holderSite, names)}`;
  return `at this time ${holder} holds it${where}${meanwhile}`;
}

export function latchName(site: number, { latchSites, latches }: Names): string {
  return latches[latchSites[site]?.latch ?? -1] ?? `latch site ${site}`;
}

export function functionName(site: number, { latchSites, functions }: Names): string {
  return functions[latchSites[site]?.function ?? -1] ?? `latch site ${site}`;
}
