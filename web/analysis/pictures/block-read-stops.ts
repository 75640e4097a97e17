// Bug #69276: the places at which one block read takes a mutex of the tablespaces, and the most that this mutex lets through.
import type { LatchRow } from '../../contract/live-view';
import type { PhaseFigures } from './phase-figures';
import type { Occupation } from './turns';

/** The latches that a look-up of a tablespace takes: one for all of them, or one for each shard. */
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
  /** Acquisitions for each block read. */
  per_read: number;
  /** How many threads stand here: the mean; null where only a modelled server would know. */
  queue: number | null;
}

/** Held, and then on its way to the next thread that wants it. */
export interface Turn {
  held_ns: number;
  hand_over_ns: number;
}

export interface BlockReadStops {
  stops: Stop[];
  /** Acquisitions for each block read, at stops that one read in ten or more makes. */
  stops_per_read: number;
  /** Of the one mutex for all tablespaces, all that take it counted. */
  acquisitions_per_read: number | null;
  reads_per_s: number;
  /** One turn at that mutex; null: it is not taken, or it is not known how much of the time it is. */
  turn: Turn | null;
  /** Reads a second if it were handed on without a pause, turn after turn. */
  ceiling_per_s: number | null;
}

/** A step that fewer reads take is none of the read's own: it belongs to read-ahead, which looks now and then. */
const OWN_STEP_MIN = 0.1;

/** null while no block has been read. */
export function blockReadStops(phase: PhaseFigures, occupation: Occupation | null): BlockReadStops | null {
  const reads = phase.count('block_reads');
  if (reads === 0) return null;
  const rows = phase.latches.filter(({ latch }) => latch === GLOBAL_MUTEX || latch === SHARD_MUTEX);
  const stops = rows
    .flatMap(({ latch, sites }) =>
      sites.map((site): Stop => ({
        function: site.function,
        latch,
        per_read: site.acquisitions / reads,
        queue: site.queue_mean,
      })),
    )
    .filter(({ per_read }) => per_read >= OWN_STEP_MIN)
    .sort((a, b) => placeOf(a) - placeOf(b));
  const mutex = rows.find(({ latch, acquisitions }) => latch === GLOBAL_MUTEX && acquisitions > 0);
  const per_read = mutex === undefined ? null : mutex.acquisitions / reads;
  const turn = mutex === undefined || occupation === null ? null : turnOf(mutex, phase, occupation);
  return {
    stops,
    stops_per_read: stops.reduce((sum, stop) => sum + stop.per_read, 0),
    acquisitions_per_read: per_read,
    reads_per_s: reads / phase.seconds,
    turn,
    ceiling_per_s:
      per_read === null || turn === null ? null : 1e9 / (per_read * (turn.held_ns + turn.hand_over_ns)),
  };
}

/** The time in which the mutex was held or wanted, shared out over who had it. */
function turnOf(
  { acquisitions, mean_hold_ns }: LatchRow,
  { seconds }: PhaseFigures,
  { share }: Occupation,
): Turn | null {
  if (mean_hold_ns === null) return null;
  const turn_ns = (seconds * 1e9 * share) / acquisitions;
  return { held_ns: mean_hold_ns, hand_over_ns: Math.max(0, turn_ns - mean_hold_ns) };
}

const placeOf = (stop: Stop) => {
  const place = path.indexOf(stop.function);
  return place < 0 ? path.length : place;
};
