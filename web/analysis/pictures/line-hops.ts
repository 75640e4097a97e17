// Bug #117533: locates a latch's cache line over time, and computes what the readers' competition
// for it costs.
import type { LatchEvent } from '../../contract/telemetry-states';
import type { LatchRow } from '../../contract/live-view';
import type { PhaseFigures } from './phase-figures';

/** The line moved to a core from another core, which had it exclusively. */
export interface Hop {
  atNs: number;
  tookNs: number;
  from: number;
  to: number;
}

export interface LineHops {
  /** The first known hops, oldest first. */
  shown: Hop[];
  /** All known hops, and those between groups of cores. */
  count: number;
  across: number;
  tookNs: number;
  /** Hops per acquisition of the latch. */
  perAcquisition: number | null;
}

const HOPS_SHOWN = 40;

/**
 * Returns the hops of a latch's line within a part of a run; null while none is known. `groupSize`
 * is the number of cores that share a cache.
 */
export function lineHops(
  events: readonly LatchEvent[],
  groupSize: number,
  { fromNs, untilNs }: Pick<PhaseFigures, 'fromNs' | 'untilNs'>,
): LineHops | null {
  const hops: Hop[] = [];
  let acquisitions = 0;
  for (const { at_ns, kind, access } of events) {
    if (at_ns < fromNs || at_ns > untilNs) continue;
    if (kind === 'gets') acquisitions += 1;
    const from = access?.from_core ?? null;
    if (access === null || from === null || from === access.core) continue;
    hops.push({ atNs: at_ns, tookNs: access.took_ns, from, to: access.core });
  }
  if (hops.length === 0) return null;
  const groupOf = (core: number) => Math.floor(core / groupSize);
  return {
    shown: hops.slice(0, HOPS_SHOWN),
    count: hops.length,
    across: hops.filter(({ from, to }) => groupOf(from) !== groupOf(to)).length,
    tookNs: hops.reduce((sum, hop) => sum + hop.tookNs, 0) / hops.length,
    perAcquisition: acquisitions === 0 ? null : hops.length / acquisitions,
  };
}

/**
 * The latches on the path to an undo record. Each one becomes the bottleneck once the one before it
 * is fixed.
 */
const undoLatches = [
  'Fil_shard::m_mutex',
  'Fil_shard::m_rw_lock',
  'purge_sys->latch',
  'purge_sys->end_latch',
  'buf_pool->page_hash',
];

export interface UndoCost {
  design: PhaseFigures['design'];
  undoReadsPerS: number;
  /** Old versions per row: written by UPDATEs and not yet purged. */
  versionsPerRow: number;
  /**
   * Client time that each latch costs per undo read; null on real threads, which cannot measure it.
   * Latches that are not acquired are omitted.
   */
  latches: { latch: string; costNs: number | null }[];
}

/** Returns null while no undo record has been read. */
export function undoCost(
  phase: PhaseFigures,
  { clients, rows }: { clients: number; rows: number },
): UndoCost | null {
  const reads = phase.count('undo_reads');
  if (reads === 0) return null;
  const versions = phase.total('undo_records_written') - phase.total('undo_records_purged');
  const clientsNs = clients * phase.seconds * 1e9;
  const isTaken = ({ latch, acquisitions }: LatchRow) =>
    undoLatches.includes(latch) && acquisitions >= OFTEN * reads;
  return {
    design: phase.design,
    undoReadsPerS: reads / phase.seconds,
    versionsPerRow: versions / rows,
    latches: phase.latches
      .filter(isTaken)
      .sort((a, b) => undoLatches.indexOf(a.latch) - undoLatches.indexOf(b.latch))
      .map(({ latch, cost_share }) => ({
        latch,
        costNs: cost_share === null ? null : (cost_share * clientsNs) / reads,
      })),
  };
}

/** Purge and other tasks also acquire these latches occasionally. */
const OFTEN = 0.1;
