import { expect, test } from 'vitest';

import { aioBells } from './aio-bells';
import { phaseOf } from './test-fixtures';

test('bells for each read, sleepers for each slot, requests in the array', () => {
  const phase = phaseOf({
    seconds: 0.5,
    counts: {
      aio_reads_completed: 100,
      handler_wake_calls: 12_000,
      handler_wakeups: 50,
      handler_wakeups_empty: 20,
      slot_waits: 900,
      slot_waits_in_vain: 850,
    },
    totals: { aio_reads_posted: 1_500, aio_reads_completed: 600 },
  });
  expect(aioBells(phase)).toEqual({
    design: {},
    bellsPerRead: 120,
    wakeupsPerRead: 0.5,
    emptyPerRead: 0.2,
    wokenPerSlot: 18,
    inArray: 900,
    readsPerS: 200,
  });
});

test('without a completed read there is nothing to draw; who never sleeps for a slot is not woken for one', () => {
  expect(aioBells(phaseOf({}))).toBeNull();
  expect(aioBells(phaseOf({ counts: { aio_reads_completed: 1 } }))?.wokenPerSlot).toBeNull();
  // All threads that woke have slept again: no thread has a slot yet.
  const inVain = { aio_reads_completed: 1, slot_waits: 5, slot_waits_in_vain: 5 };
  expect(aioBells(phaseOf({ counts: inVain }))?.wokenPerSlot).toBeNull();
});
