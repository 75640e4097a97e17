import { expect, test } from 'vitest';

import { counterIndex } from '../engine-client/snapshot';
import { SnapshotTrail } from './snapshot-trail';

function trailOf(readings: number): SnapshotTrail {
  const trail = new SnapshotTrail();
  for (let reading = 1; reading <= readings; reading += 1)
    trail.append((into) => {
      into.runNs = reading * 1e6;
      into.counters[counterIndex('transactions')] = 5 * reading;
    });
  return trail;
}

const momentsOf = (trail: SnapshotTrail) => [...trail.totals().tS].map((tS) => Math.round(tS * 1000));

test('readings are there in their order, with what had ended', () => {
  const trail = trailOf(100);
  expect(momentsOf(trail)).toEqual(Array.from({ length: 100 }, (_, i) => i + 1));
  expect(trail.totals().transactions.at(-1)).toBe(500);
  expect(trail.at(-1)!.runNs).toBe(100e6);
});

test('it reaches back to its first reading, and knows what was lately the best', () => {
  const trail = trailOf(10_000);
  const moments = momentsOf(trail);
  expect(moments[0]).toBe(1);
  expect(moments.at(-1)).toBe(10_000);
  expect(moments.length).toBeLessThanOrEqual(224);
  expect([...trail.totals().transactions]).toEqual(moments.map((moment) => 5 * moment));
  for (let i = 1; i < moments.length; i += 1) {
    const age = 10_000 - moments[i]!;
    expect(moments[i]! - moments[i - 1]!, `${age} ago`).toBeLessThanOrEqual(Math.max(2, age / 12));
  }
});

test('after a break it begins anew', () => {
  const trail = trailOf(300);
  trail.clear();
  expect(trail.length).toBe(0);
  expect(trail.at(-1)).toBeUndefined();
  trail.append((into) => (into.runNs = 5e9));
  expect(momentsOf(trail)).toEqual([5000]);
});
