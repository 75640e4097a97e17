// Bug #104615: finds the holders and waiters of LOCK_log and LOCK_index, and how full the binlog
// file is.
import type { ThreadState } from '../../contract/telemetry-states';
import type { Stretch } from './gtid-train';
import type { PhaseFigures } from './phase-figures';

export const doors = { log: 'LOCK_log', index: 'LOCK_index' } as const;

/** A span in which a thread waited for a latch, or for the leader of its commit group. */
export interface WaitSpan extends Stretch {
  slot: number;
  state: ThreadState;
  /** Name of the latch; null: none. */
  latch: string | null;
  /** Slot of the thread that held it when the wait began; null: the engine saw none. */
  holder: number | null;
}

/** The wait-for graph while a rotation that holds LOCK_log waits for LOCK_index. */
export interface Freeze {
  /** How long that rotation waited. */
  waitedNs: number;
  rotating: number;
  purging: number | null;
  /** Threads that waited for LOCK_log at the middle of this wait, or slept in a commit group. */
  behind: number;
}

/** Returns the longest wait for LOCK_index within a part of a run; null: none is known. */
export function longestFreeze(spans: readonly WaitSpan[]): Freeze | null {
  const atIndex = spans
    .filter(({ latch, state }) => latch === doors.index && state === 'waiting')
    .sort((a, b) => b.toNs - b.fromNs - (a.toNs - a.fromNs));
  const longest = atIndex[0];
  if (longest === undefined) return null;
  const middleNs = (longest.fromNs + longest.toNs) / 2;
  const isBehind = ({ latch, state, fromNs, toNs, slot }: WaitSpan) =>
    slot !== longest.slot &&
    fromNs <= middleNs &&
    toNs > middleNs &&
    (state === 'following' || (state === 'waiting' && latch === doors.log));
  return {
    waitedNs: longest.toNs - longest.fromNs,
    rotating: longest.slot,
    purging: longest.holder,
    behind: new Set(spans.filter(isBehind).map(({ slot }) => slot)).size,
  };
}

interface BinlogSettings {
  maxBytes: number;
  activeBytes: number;
}

/**
 * Returns how full the active file is. Rotation follows the write that exceeds the limit, so each
 * file exceeds it by less than one commit group. The bytes written minus whole files therefore
 * approximate its content. null: other causes led to rotations too.
 */
export function activeFileShare(
  phase: PhaseFigures,
  { maxBytes, activeBytes }: BinlogSettings,
): number | null {
  const rotated = phase.total('binlog_files_rotated');
  if (phase.total('binlog_rotations_deferred') > 0 || phase.actions.includes('flush_binary_logs'))
    return null;
  const inFile = phase.total('binlog_bytes_written') + activeBytes - rotated * maxBytes;
  return Math.min(1, Math.max(0, inFile / maxBytes));
}

/**
 * Computes the report's rule: files × time to delete one − time to fill the next one, at the pace
 * before.
 */
export function expectedGapNs(
  before: PhaseFigures | undefined,
  { files, unlinkNs, maxBytes }: { files: number; unlinkNs: number; maxBytes: number },
): number | null {
  const written = before?.count('binlog_bytes_written') ?? 0;
  if (before === undefined || written === 0) return null;
  const fillNs = (maxBytes / written) * before.seconds * 1e9;
  return Math.max(0, files * unlinkNs - fillNs);
}
