import { expect, test } from 'vitest';

import { latch_classes, rw_lock_x_lock_decr } from '../contract/gen/latch-classes';
import { EVENTS_KEPT, LatchTrace } from './latch-trace';
import { latchBatchOf, type ToldEvent } from './test-fixtures/latch-batch';

/** The engine's clock was at 50 ns when the clients started. */
const batch = (first: number, events: readonly ToldEvent[]) =>
  latchBatchOf(
    events.map((event) => ({ ...event, atNs: event.atNs - 50 })),
    { first, clock_less_run_ns: 50 },
  );

const handover: ToldEvent[] = [
  { atNs: 100, kind: 'gets', slot: 1 },
  { atNs: 110, kind: 'wants', slot: 2 },
  { atNs: 115, kind: 'wants', slot: 3 },
  { atNs: 130, kind: 'gives_back', slot: 1 },
  { atNs: 140, kind: 'gets', slot: 2 },
];

test('holds and the depth of the queue follow from what threads do, in run time', () => {
  const trace = new LatchTrace();
  trace.add(batch(0, handover));
  const track = trace.track(7)!;
  expect(track.holds).toEqual([
    { slot: 1, site: 3, fromNs: 50, toNs: 80, mode: null },
    { slot: 2, site: 3, fromNs: 90, toNs: null, mode: null },
  ]);
  expect(track.queue).toEqual([
    { atNs: 60, depth: 1 },
    { atNs: 65, depth: 2 },
    { atNs: 90, depth: 1 },
  ]);
  expect(track.depth).toBe(1);
});

test('it is known at once that there is something to look at, and of which latches', () => {
  const trace = new LatchTrace();
  expect(trace.hasEvents).toBe(false);
  trace.add(batch(0, handover));
  expect(trace.hasEvents).toBe(true);
  expect(trace.tracks.map(({ latch }) => latch)).toEqual([7]);
  expect(trace.hasEvents).toBe(true);
  trace.clear();
  expect(trace.hasEvents).toBe(false);
});

test('what comes before a gap is not told, whether somebody has looked at it or not', () => {
  const lookedAt = new LatchTrace();
  const notLookedAt = new LatchTrace();
  for (const trace of [lookedAt, notLookedAt]) {
    trace.add(batch(0, handover));
    if (trace === lookedAt) expect(trace.track(7)!.events).toHaveLength(5);
    trace.add(batch(90, [{ atNs: 200, kind: 'gets', slot: 5 }]));
    expect(trace.knownFromNs).toBe(150);
    expect(trace.track(7)!.events).toMatchObject([{ at_ns: 150, slot: 5 }]);
  }
});

test('a latch that is taken again is held until it is given back as often', () => {
  const trace = new LatchTrace();
  const kinds = ['gets', 'gets', 'gives_back', 'gives_back'] as const;
  trace.add(
    batch(
      0,
      kinds.map((kind, i) => ({ atNs: 100 + 10 * i, kind, slot: 1 })),
    ),
  );
  expect(trace.track(7)!.holds).toMatchObject([
    { fromNs: 50, toNs: 80 },
    { fromNs: 60, toNs: 70 },
  ]);
});

test('an access says which core made it, what it found and how long it took', () => {
  const trace = new LatchTrace();
  trace.add(batch(0, [{ atNs: 100, kind: 'read_modify_write', slot: 4, value: 0xffff_ffff }]));
  expect(trace.track(7)!.events).toEqual([
    {
      at_ns: 50,
      kind: 'read_modify_write',
      latch: 7,
      slot: 4,
      site: -1,
      access: {
        took_ns: 5.5,
        core: 4,
        from_core: null,
        latch_class: 0,
        line: 0,
        word: 0,
        value: 0xffff_ffff,
      },
    },
  ]);
});

test('a store that takes effect later than what was told after it comes behind that', () => {
  const trace = new LatchTrace();
  trace.add(
    batch(0, [
      { atNs: 120, kind: 'store', slot: 1 },
      { atNs: 110, kind: 'load', slot: 2 },
    ]),
  );
  expect(trace.track(7)!.events.map(({ kind }) => kind)).toEqual(['load', 'store']);
});

test('who had the latch or wanted it before anything was told shows by what they do later', () => {
  const trace = new LatchTrace();
  trace.add(
    batch(0, [
      { atNs: 100, kind: 'load', slot: 9 },
      { atNs: 110, kind: 'wants', slot: 3 },
      { atNs: 120, kind: 'poll', slot: 2 },
      { atNs: 130, kind: 'gives_back', slot: 1 },
      { atNs: 140, kind: 'wakes', slot: 4 },
      { atNs: 150, kind: 'gets', slot: 2 },
    ]),
  );
  const track = trace.track(7)!;
  expect(track.holds.map(({ slot, site, fromNs, toNs }) => [slot, site, fromNs, toNs])).toEqual([
    [1, -1, 50, 80],
    [2, 3, 100, null],
  ]);
  expect(track.before.holders.map(({ slot }) => slot)).toEqual([1]);
  expect(track.before.wanting.map(({ slot, isAsleep }) => [slot, isAsleep])).toEqual([
    [2, false],
    [4, true],
  ]);
  expect(track.queue.map(({ atNs, depth }) => [atNs, depth])).toEqual([
    [50, 2],
    [60, 3],
    [100, 2],
  ]);
});

test('of too many events the older half goes; who has the latch by then stays known', () => {
  const trace = new LatchTrace();
  const told: ToldEvent[] = [{ atNs: 100, kind: 'gets', slot: 1 }];
  for (let i = 0; i < EVENTS_KEPT; i += 1) told.push({ atNs: 101 + i, kind: 'load', slot: 2 });
  trace.add(batch(0, told));
  const track = trace.track(7)!;
  expect([track.dropped, track.events.length]).toEqual([EVENTS_KEPT / 2, EVENTS_KEPT / 2 + 1]);
  expect(track.before.holders).toMatchObject([{ slot: 1, sinceNs: 50 }]);
});

const DECR = rw_lock_x_lock_decr;

test.each([
  ['S', [DECR], DECR - 1],
  ['S beside other readers', [DECR - 4], DECR - 5],
  ['S beside SX', [DECR / 2 - 1], DECR / 2 - 2],
  ['SX', [DECR - 2], DECR / 2 - 2],
  ['X', [DECR], 0],
  ['X, while readers leave', [DECR - 3], -3],
  ['X again', [-DECR], -DECR - 1],
  ['S, as the word alone tells', [], DECR - 7],
  ['X, as the word alone tells', [], 0],
])('an rw_lock is taken as %s', (mode, before, after) => {
  const trace = new LatchTrace();
  const rwLock = latch_classes.findIndex(({ name }) => name === 'RwLock');
  const word = (value: number, slot: number) =>
    ({ atNs: 100, kind: 'read_modify_write', slot, value: value >>> 0, latchClass: rwLock }) as const;
  trace.add(
    batch(0, [
      ...before.map((value) => word(value, 9)),
      word(after, 1),
      { atNs: 101, kind: 'gets', slot: 1 },
    ]),
  );
  expect(trace.track(7)!.holds[0]!.mode).toBe(mode.split(/[ ,]/)[0]);
});

test('after a gap nothing is known of the time before', () => {
  const trace = new LatchTrace();
  trace.add(batch(0, handover));
  trace.add(batch(900, [{ atNs: 5_000, kind: 'gets', slot: 9 }]));
  expect(trace.track(7)!.holds).toHaveLength(1);
  expect(trace.knownFromNs).toBe(4_950);
});

test('the whole ring takes the place of what was known', () => {
  const trace = new LatchTrace();
  trace.add(batch(0, handover));
  const { length } = handover;
  trace.add({ ...batch(length, [{ atNs: 5_000, kind: 'gets', slot: 9 }]), isWholeRing: true });
  expect(trace.track(7)!.events.map(({ slot }) => slot)).toEqual([9]);
});

test('a latch that is not watched any more has no track', () => {
  const trace = new LatchTrace();
  trace.add(batch(0, [{ atNs: 100, kind: 'gets', slot: 1, latch: 8 }, ...handover]));
  trace.add({ ...batch(4, []), first: handover.length + 1, watched: [{ latch: 7, sinceEvent: 0 }] });
  expect(trace.tracks.map(({ latch }) => latch)).toEqual([7]);
});

test('a latch that was not watched for a while has a track from when it was watched again', () => {
  const events = [...handover, { atNs: 900, kind: 'gets', slot: 9 }] as const;
  const sinceEvent = handover.length;
  const inParts = new LatchTrace();
  inParts.add(batch(0, handover));
  inParts.add({ ...batch(sinceEvent, []), watched: [] });
  inParts.add({ ...batch(sinceEvent, events.slice(-1)), watched: [{ latch: 7, sinceEvent }] });
  const lookedAtBetween = new LatchTrace();
  lookedAtBetween.add(batch(0, handover));
  expect(lookedAtBetween.track(7)!.events).toHaveLength(5);
  lookedAtBetween.add({
    ...batch(sinceEvent, events.slice(-1)),
    watched: [{ latch: 7, sinceEvent }],
  });
  const atOnce = new LatchTrace();
  atOnce.add({ ...batch(0, events), watched: [{ latch: 7, sinceEvent }] });
  for (const trace of [inParts, lookedAtBetween, atOnce])
    expect(trace.track(7)!.events.map(({ slot }) => slot)).toEqual([9]);
});

test('each latch has a track of its own, and another run has none of the run before', () => {
  const trace = new LatchTrace();
  trace.add(batch(0, [{ atNs: 100, kind: 'gets', slot: 1, latch: 8 }]));
  expect(trace.track(8)!.holds).toHaveLength(1);
  expect(trace.track(7)).toBeNull();
  trace.add({ ...batch(0, handover), runGeneration: 2 });
  expect(trace.track(8)).toBeNull();
});
