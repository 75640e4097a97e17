// Bug #95491: who is woken for one asynchronous read, and for one slot that is freed.
import type { PhaseFigures } from './phase-figures';

export interface AioBells {
  design: PhaseFigures['design'];
  /** Segments that were locked and searched in order to wake their handler, for each completed read. */
  bells_per_read: number;
  /** Handlers that came back from their event, and those that then found nothing to do, for each completed read. */
  wakeups_per_read: number;
  empty_per_read: number;
  /** Clients that woke for each slot that one of them got; null: nobody slept for a slot. */
  woken_per_slot: number | null;
  /** Requests that were posted and have not been completed, at the end of this part. A slot is free again shortly before that. */
  in_array: number;
  reads_per_s: number;
}

/** null while no read has been completed. */
export function aioBells(phase: PhaseFigures): AioBells | null {
  const reads = phase.count('aio_reads_completed');
  if (reads === 0) return null;
  const slept = phase.count('slot_waits');
  const got = slept - phase.count('slot_waits_in_vain');
  return {
    design: phase.design,
    bells_per_read: phase.count('handler_wake_calls') / reads,
    wakeups_per_read: phase.count('handler_wakeups') / reads,
    empty_per_read: phase.count('handler_wakeups_empty') / reads,
    woken_per_slot: slept > 0 && got > 0 ? slept / got : null,
    in_array: phase.total('aio_reads_posted') - phase.total('aio_reads_completed'),
    reads_per_s: reads / phase.seconds,
  };
}
