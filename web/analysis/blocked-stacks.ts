import type { BlockedStack, BlockedStacks, LatchNow } from '../contract/live-view';
import { frameNames, latchOfSite, NO_STACK, type ThreadSample, type ThreadSamples } from './thread-sample';
import { waitingCause } from './waiting-cause';

/**
 * Selects two stacks of threads off the CPU: the stack that holds up the most waiters, and the
 * clients' most frequent stack. Adds what blocked clients wait for in the end.
 */
export function blockedStacks(samples: ThreadSamples): BlockedStacks {
  const groups = blockedGroups(samples);
  const holdingUp = groups.filter(({ waiters }) => waiters > 0).sort((a, b) => b.waiters - a.waiters);
  const ofClients = groups.filter(({ clients }) => clients > 0).sort((a, b) => b.clients - a.clients);
  const inWords = (group: Group | undefined) => (group === undefined ? null : describe(samples, group));
  return {
    holding_others_up: inWords(holdingUp[0]),
    most_frequent: inWords(ofClients[0]),
    cause: waitingCause(samples),
  };
}

interface Group {
  sample: ThreadSample;
  count: number;
  clients: number;
  waiters: number;
  sitesHeld: Set<number>;
}

function blockedGroups({ byMoment }: ThreadSamples): Group[] {
  const groups = new Map<string, Group>();
  for (const threads of byMoment) {
    const waiters = waitersByLatch(threads);
    for (const sample of threads.filter(isBlocked)) {
      const group = groupOf(groups, sample);
      group.count += 1;
      group.clients += sample.isClient ? 1 : 0;
      for (const { site, latch } of sample.holds) {
        group.waiters += waiters.get(latch) ?? 0;
        group.sitesHeld.add(site);
      }
    }
  }
  return [...groups.values()];
}

const isBlocked = ({ state, stack }: ThreadSample) =>
  state !== 'running' && state !== 'stalled' && stack !== NO_STACK;

function waitersByLatch(threads: readonly ThreadSample[]): Map<number, number> {
  const waiters = new Map<number, number>();
  for (const { waitsFor } of threads) {
    if (waitsFor !== null) waiters.set(waitsFor.latch, (waiters.get(waitsFor.latch) ?? 0) + 1);
  }
  return waiters;
}

function groupOf(groups: Map<string, Group>, sample: ThreadSample): Group {
  const key = `${sample.stack} ${sample.state} ${sample.waitsFor?.site}`;
  const group = groups.get(key) ?? { sample, count: 0, clients: 0, waiters: 0, sitesHeld: new Set() };
  groups.set(key, group);
  return group;
}

function describe(samples: ThreadSamples, { sample, count, waiters, sitesHeld }: Group): BlockedStack {
  const holds = new Set([...sitesHeld].map((site) => latchOfSite(samples, site)));
  return {
    frames: frameNames(samples, sample.stack),
    count,
    state: sample.state,
    waits_for: sample.waitsFor && latchOfSite(samples, sample.waitsFor.site),
    holds: [...holds],
    waiters,
  };
}

/** Returns all latches that were held or wanted in the last sample, by name. */
export function latchesNow(samples: ThreadSamples): Record<string, LatchNow> {
  const latches: Record<string, LatchNow> = {};
  const of = (latch: string) => (latches[latch] ??= { waiting: 0, spinning: 0, holders: [] });
  for (const thread of samples.byMoment.at(-1) ?? []) {
    if (thread.waitsFor !== null) {
      const wanted = of(latchOfSite(samples, thread.waitsFor.site));
      if (thread.state === 'spinning') wanted.spinning += 1;
      else wanted.waiting += 1;
    }
    const heldByName = new Map(thread.holds.map(({ site }) => [latchOfSite(samples, site), site]));
    for (const [latch, site] of heldByName) of(latch).holders.push(describeHolder(samples, thread, site));
  }
  return latches;
}

function describeHolder(samples: ThreadSamples, thread: ThreadSample, site: number): string {
  const { names } = samples;
  const takenIn = names.functions[names.latchSites[site]?.function ?? -1] ?? `latch site ${site}`;
  const outermost = frameNames(samples, thread.stack).at(-1);
  const who = thread.isClient ? 'client' : (outermost ?? 'server thread');
  return `${who} ${thread.ordinal + 1} in ${takenIn}`;
}
