import {
  counterIndex,
  emptySnapshot,
  latch_site_fields,
  type CounterName,
  type LatchSiteField,
  type Snapshot,
  type ThreadState,
} from '../engine-client/snapshot';
import { thread_states } from '../engine-client/gen/telemetry-layout';

interface SnapshotContent extends Partial<Pick<Snapshot, 'run_generation' | 'run_ns' | 'stack_samples'>> {
  client_threads?: number;
  counters?: Partial<Record<CounterName, number>>;
  latch_sites?: Partial<Record<LatchSiteField, number>>[];
  client_states?: Partial<Record<ThreadState, number>>;
}

/** A snapshot with the given totals, and zeros elsewhere. */
export function snapshotOf(content: SnapshotContent): Snapshot {
  const { counters = {}, latch_sites = [], client_states = {}, ...header } = content;
  const snapshot = { ...emptySnapshot(), ...header };
  for (const [name, value] of Object.entries(counters)) snapshot.counters[counterIndex(name)] = value;
  for (const [site, totals] of latch_sites.entries()) {
    for (const [i, field] of latch_site_fields.entries()) {
      snapshot.latch_sites[site * latch_site_fields.length + i] = totals[field] ?? 0;
    }
  }
  for (const [i, state] of thread_states.entries()) snapshot.client_states[i] = client_states[state] ?? 0;
  return snapshot;
}
