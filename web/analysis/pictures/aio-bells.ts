// Bug #95491: counts the threads that wake for one asynchronous read, and for one freed slot.
import type { PhaseFigures } from './phase-figures';

export interface AioBells {
  design: PhaseFigures['design'];
  /** Segments locked and searched to wake their handler, per completed read. */
  bellsPerRead: number;
  /**
   * Handlers that returned from their event, and those that then found no work, per completed read.
   */
  wakeupsPerRead: number;
  emptyPerRead: number;
  /** Clients that woke per slot acquired; null: no client slept for a slot. */
  wokenPerSlot: number | null;
  /**
   * Requests posted and not completed, at the end of this part. A slot is free shortly before
   * completion.
   */
  inArray: number;
  readsPerS: number;
}

/** Returns null while no read has completed. */
export function aioBells(phase: PhaseFigures): AioBells | null {
  const reads = phase.count('aio_reads_completed');
  if (reads === 0) return null;
  const slept = phase.count('slot_waits');
  const got = slept - phase.count('slot_waits_in_vain');
  return {
    design: phase.design,
    bellsPerRead: phase.count('handler_wake_calls') / reads,
    wakeupsPerRead: phase.count('handler_wakeups') / reads,
    emptyPerRead: phase.count('handler_wakeups_empty') / reads,
    wokenPerSlot: slept > 0 && got > 0 ? slept / got : null,
    inArray: phase.total('aio_reads_posted') - phase.total('aio_reads_completed'),
    readsPerS: reads / phase.seconds,
  };
}
