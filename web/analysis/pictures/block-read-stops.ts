// Bug #69276: finds where a block read acquires a mutex of the tablespaces, and computes the
// mutex's maximum throughput.
import type { LatchRow } from '../../contract/live-view';
import type { PhaseFigures } from './phase-figures';
import type { Occupation } from './occupation';

/** The latches of a tablespace lookup: one for all tablespaces, or one per shard. */
export const GLOBAL_MUTEX = 'fil_system->mutex';
export const SHARD_MUTEX = 'Fil_shard::m_mutex';

/** In the order of a block read (wasm-engine/server/fil/tablespace_lookup.h). */
const path = [
  'fil_space_get_version',
  'fil_space_acquire_for_io',
  'fil_tablespace_deleted_or_being_deleted_in_mem',
  'fil_space_get',
  'fil_mutex_enter_and_prepare_for_io',
  'Fil_shard::do_io',
  'fil_node_complete_io',
  'Fil_shard::complete_io',
  'fil_inc_pending_ops',
  'fil_space_acquire',
  'fil_space_acquire_silent',
  'fil_decr_pending_ops',
  'fil_space_release',
];

export interface Stop {
  function: string;
  latch: string;
  /** Acquisitions per block read. */
  perRead: number;
  /** Mean number of waiting threads; null on real threads, which cannot measure it. */
  queue: number | null;
}

/** The time that one acquisition occupies the mutex: held, then passed to the next thread. */
export interface Turn {
  heldNs: number;
  handOverNs: number;
}

export interface BlockReadStops {
  stops: Stop[];
  /** Acquisitions per block read, at stops that at least one read in ten makes. */
  stopsPerRead: number;
  /** Acquisitions of the one mutex for all tablespaces, by all threads. */
  acquisitionsPerRead: number | null;
  readsPerS: number;
  /** One acquisition of that mutex; null: it is not acquired, or its occupation is unknown. */
  turn: Turn | null;
  /** Reads per second if the mutex passed from thread to thread without a pause. */
  ceilingPerS: number | null;
}

/** A step that fewer reads take belongs to read-ahead, which runs occasionally, not to the read. */
const OWN_STEP_MIN = 0.1;

/** Returns null while no block has been read. */
export function blockReadStops(phase: PhaseFigures, occupation: Occupation | null): BlockReadStops | null {
  const reads = phase.count('block_reads');
  if (reads === 0) return null;
  const rows = phase.latches.filter(({ latch }) => latch === GLOBAL_MUTEX || latch === SHARD_MUTEX);
  const stops = rows
    .flatMap(({ latch, sites }) =>
      sites.map((site): Stop => ({
        function: site.function,
        latch,
        perRead: site.acquisitions / reads,
        queue: site.queue_mean,
      })),
    )
    .filter(({ perRead }) => perRead >= OWN_STEP_MIN)
    .sort((a, b) => placeOf(a) - placeOf(b));
  const mutex = rows.find(({ latch, acquisitions }) => latch === GLOBAL_MUTEX && acquisitions > 0);
  const perRead = mutex === undefined ? null : mutex.acquisitions / reads;
  const turn = mutex === undefined || occupation === null ? null : turnOf(mutex, phase, occupation);
  return {
    stops,
    stopsPerRead: stops.reduce((sum, stop) => sum + stop.perRead, 0),
    acquisitionsPerRead: perRead,
    readsPerS: reads / phase.seconds,
    turn,
    ceilingPerS: perRead === null || turn === null ? null : 1e9 / (perRead * (turn.heldNs + turn.handOverNs)),
  };
}

/** Divides the time in which the mutex was held or wanted by the number of acquisitions. */
function turnOf(
  { acquisitions, mean_hold_ns }: LatchRow,
  { seconds }: PhaseFigures,
  { share }: Occupation,
): Turn | null {
  if (mean_hold_ns === null) return null;
  const turnNs = (seconds * 1e9 * share) / acquisitions;
  return { heldNs: mean_hold_ns, handOverNs: Math.max(0, turnNs - mean_hold_ns) };
}

const placeOf = (stop: Stop) => {
  const place = path.indexOf(stop.function);
  return place < 0 ? path.length : place;
};
