// Builds snapshots and thread samples for tests.
import type { ThreadState } from '../contract/telemetry-states';
import {
  counterIndex,
  emptySnapshot,
  latchSiteFields,
  type CounterName,
  type LatchSiteField,
  type Snapshot,
  type SampledThread,
} from '../engine-client/snapshot';
import { thread_states } from '../contract/gen/telemetry-layout';
import { StackTable, type ThreadSamples } from './thread-sample';

interface SnapshotContent extends Partial<Pick<Snapshot, 'runGeneration' | 'runNs' | 'stackSamples'>> {
  clientThreads?: number;
  counters?: Partial<Record<CounterName, number>>;
  latchSites?: Partial<Record<LatchSiteField, number>>[];
  clientStates?: Partial<Record<ThreadState, number>>;
  serverStates?: Partial<Record<ThreadState, number>>;
  histogram?: Record<number, number>;
}

/** Returns a snapshot with the given totals and zeros elsewhere. */
export function snapshotOf(content: SnapshotContent): Snapshot {
  const {
    counters = {},
    latchSites = [],
    clientStates = {},
    serverStates = {},
    histogram = {},
    ...header
  } = content;
  const snapshot = { ...emptySnapshot(), ...header };
  for (const [name, value] of Object.entries(counters)) snapshot.counters[counterIndex(name)] = value;
  for (const [site, totals] of latchSites.entries()) {
    for (const [i, field] of latchSiteFields.entries()) {
      snapshot.latchSites[site * latchSiteFields.length + i] = totals[field] ?? 0;
    }
  }
  for (const [i, state] of thread_states.entries()) {
    snapshot.clientStates[i] = clientStates[state] ?? 0;
    snapshot.serverStates[i] = serverStates[state] ?? 0;
  }
  for (const [bucket, count] of Object.entries(histogram)) snapshot.histogram[Number(bucket)] = count;
  return snapshot;
}

/**
 * A latch that a test's thread waits for or holds: its name, and its number among latches of that
 * name.
 */
type NamedLatch = [name: string, number: number];

interface NamedSample extends Pick<SampledThread, 'isClient' | 'ordinal' | 'state'> {
  /** Outermost first. */
  stack: string[];
  waitsFor: NamedLatch | null;
  holds: NamedLatch[];
}

export function sampleOf(sample: Partial<NamedSample>): NamedSample {
  return { isClient: true, ordinal: 0, state: 'running', stack: [], waitsFor: null, holds: [], ...sample };
}

/** Returns samples of threads, with one latch site per latch. */
export function threadSamplesOf(byMoment: NamedSample[][]): ThreadSamples {
  const functions = new Numbering();
  const latches = new Numbering();
  const stackTable = new StackTable();
  const useOf = ([name, latch]: NamedLatch) => ({ site: latches.of(name), latch });
  const numbered = byMoment.map((threads) =>
    threads.map(({ stack, waitsFor, holds, ...thread }) => ({
      ...thread,
      stack: stackTable.intern(stack.map(functions.of), stack.length),
      waitsFor: waitsFor && useOf(waitsFor),
      holds: holds.map(useOf),
    })),
  );
  const names = {
    functions: functions.names,
    latches: latches.names,
    latchSites: latches.names.map((_, latch) => ({ latch, function: 0 })),
  };
  return { byMoment: numbered, stackTable, names };
}

class Numbering {
  readonly names: string[] = [];
  readonly of = (name: string): number => {
    if (!this.names.includes(name)) this.names.push(name);
    return this.names.indexOf(name);
  };
}
