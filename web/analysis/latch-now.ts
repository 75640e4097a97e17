import type { LatchNow } from '../contract/live-view';
import { frameNames, latchOfSite, type ThreadSample, type ThreadSamples } from './thread-sample';

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
