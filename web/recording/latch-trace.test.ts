import { expect, test } from 'vitest';

import { latch_classes, rw_lock_x_lock_decr } from '../contract/gen/latch-classes';
import { EVENTS_KEPT, LatchTrace } from './latch-trace';
import { latchBatchOf, type ToldEvent } from './test-fixtures/latch-batch';

/** The engine's clock was at 50 ns when the clients started. */
const batch = (first: number, events: readonly ToldEvent[]) =>
  latchBatchOf(
    events.map((event) => ({ ...event, at_ns: event.at_ns - 50 })),
    { first, clock_less_run_ns: 50 },
  );

const handover: ToldEvent[] = [
  { at_ns: 100, kind: 'gets', slot: 1 },
  { at_ns: 110, kind: 'wants', slot: 2 },
  { at_ns: 115, kind: 'wants', slot: 3 },
  { at_ns: 130, kind: 'gives_back', slot: 1 },
  { at_ns: 140, kind: 'gets', slot: 2 },
];

test('holds and the depth of the queue follow from what threads do, in run time', () => {
  const trace = new LatchTrace();
  trace.add(batch(0, handover));
  const track = trace.track(7)!;
  expect(track.holds).toEqual([
    { slot: 1, site: 3, from_ns: 50, to_ns: 80, mode: null },
    { slot: 2, site: 3, from_ns: 90, to_ns: null, mode: null },
  ]);
  expect(track.queue).toEqual([
    { at_ns: 60, depth: 1 },
    { at_ns: 65, depth: 2 },
    { at_ns: 90, depth: 1 },
  ]);
  expect(track.depth).toBe(1);
});

test('it is known at once that there is something to look at, and of which latches', () => {
  const trace = new LatchTrace();
  expect(trace.has_events).toBe(false);
  trace.add(batch(0, handover));
  expect(trace.has_events).toBe(true);
  expect(trace.tracks.map(({ latch }) => latch)).toEqual([7]);
  expect(trace.has_events).toBe(true);
  trace.clear();
  expect(trace.has_events).toBe(false);
});

test('what comes before a gap is not told, whether somebody has looked at it or not', () => {
  const looked_at = new LatchTrace();
  const not_looked_at = new LatchTrace();
  for (const trace of [looked_at, not_looked_at]) {
    trace.add(batch(0, handover));
    if (trace === looked_at) expect(trace.track(7)!.events).toHaveLength(5);
    trace.add(batch(90, [{ at_ns: 200, kind: 'gets', slot: 5 }]));
    expect(trace.known_from_ns).toBe(150);
    expect(trace.track(7)!.events).toMatchObject([{ at_ns: 150, slot: 5 }]);
  }
});

test('a latch that is taken again is held until it is given back as often', () => {
  const trace = new LatchTrace();
  const kinds = ['gets', 'gets', 'gives_back', 'gives_back'] as const;
  trace.add(
    batch(
      0,
      kinds.map((kind, i) => ({ at_ns: 100 + 10 * i, kind, slot: 1 })),
    ),
  );
  expect(trace.track(7)!.holds).toMatchObject([
    { from_ns: 50, to_ns: 80 },
    { from_ns: 60, to_ns: 70 },
  ]);
});

test('an access says which core made it, what it found and how long it took', () => {
  const trace = new LatchTrace();
  trace.add(batch(0, [{ at_ns: 100, kind: 'read_modify_write', slot: 4, value: 0xffff_ffff }]));
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
      { at_ns: 120, kind: 'store', slot: 1 },
      { at_ns: 110, kind: 'load', slot: 2 },
    ]),
  );
  expect(trace.track(7)!.events.map(({ kind }) => kind)).toEqual(['load', 'store']);
});

test('who had the latch or wanted it before anything was told shows by what they do later', () => {
  const trace = new LatchTrace();
  trace.add(
    batch(0, [
      { at_ns: 100, kind: 'load', slot: 9 },
      { at_ns: 110, kind: 'wants', slot: 3 },
      { at_ns: 120, kind: 'poll', slot: 2 },
      { at_ns: 130, kind: 'gives_back', slot: 1 },
      { at_ns: 140, kind: 'wakes', slot: 4 },
      { at_ns: 150, kind: 'gets', slot: 2 },
    ]),
  );
  const track = trace.track(7)!;
  expect(track.holds.map(({ slot, site, from_ns, to_ns }) => [slot, site, from_ns, to_ns])).toEqual([
    [1, -1, 50, 80],
    [2, 3, 100, null],
  ]);
  expect(track.before.holders.map(({ slot }) => slot)).toEqual([1]);
  expect(track.before.wanting.map(({ slot, is_asleep }) => [slot, is_asleep])).toEqual([
    [2, false],
    [4, true],
  ]);
  expect(track.queue.map(({ at_ns, depth }) => [at_ns, depth])).toEqual([
    [50, 2],
    [60, 3],
    [100, 2],
  ]);
});

test('of too many events the older half goes; who has the latch by then stays known', () => {
  const trace = new LatchTrace();
  const told: ToldEvent[] = [{ at_ns: 100, kind: 'gets', slot: 1 }];
  for (let i = 0; i < EVENTS_KEPT; i += 1) told.push({ at_ns: 101 + i, kind: 'load', slot: 2 });
  trace.add(batch(0, told));
  const track = trace.track(7)!;
  expect([track.dropped, track.events.length]).toEqual([EVENTS_KEPT / 2, EVENTS_KEPT / 2 + 1]);
  expect(track.before.holders).toMatchObject([{ slot: 1, since_ns: 50 }]);
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
  const rw_lock = latch_classes.findIndex(({ name }) => name === 'RwLock');
  const word = (value: number, slot: number) =>
    ({ at_ns: 100, kind: 'read_modify_write', slot, value: value >>> 0, latch_class: rw_lock }) as const;
  trace.add(
    batch(0, [
      ...before.map((value) => word(value, 9)),
      word(after, 1),
      { at_ns: 101, kind: 'gets', slot: 1 },
    ]),
  );
  expect(trace.track(7)!.holds[0]!.mode).toBe(mode.split(/[ ,]/)[0]);
});

test('after a gap nothing is known of the time before', () => {
  const trace = new LatchTrace();
  trace.add(batch(0, handover));
  trace.add(batch(900, [{ at_ns: 5_000, kind: 'gets', slot: 9 }]));
  expect(trace.track(7)!.holds).toHaveLength(1);
  expect(trace.known_from_ns).toBe(4_950);
});

test('the whole ring takes the place of what was known', () => {
  const trace = new LatchTrace();
  trace.add(batch(0, handover));
  const { length } = handover;
  trace.add({ ...batch(length, [{ at_ns: 5_000, kind: 'gets', slot: 9 }]), isWholeRing: true });
  expect(trace.track(7)!.events.map(({ slot }) => slot)).toEqual([9]);
});

test('a latch that is not watched any more has no track', () => {
  const trace = new LatchTrace();
  trace.add(batch(0, [{ at_ns: 100, kind: 'gets', slot: 1, latch: 8 }, ...handover]));
  trace.add({ ...batch(4, []), first: handover.length + 1, watched: [{ latch: 7, sinceEvent: 0 }] });
  expect(trace.tracks.map(({ latch }) => latch)).toEqual([7]);
});

test('a latch that was not watched for a while has a track from when it was watched again', () => {
  const events = [...handover, { at_ns: 900, kind: 'gets', slot: 9 }] as const;
  const since_event = handover.length;
  const in_parts = new LatchTrace();
  in_parts.add(batch(0, handover));
  in_parts.add({ ...batch(since_event, []), watched: [] });
  in_parts.add({ ...batch(since_event, events.slice(-1)), watched: [{ latch: 7, sinceEvent: since_event }] });
  const looked_at_between = new LatchTrace();
  looked_at_between.add(batch(0, handover));
  expect(looked_at_between.track(7)!.events).toHaveLength(5);
  looked_at_between.add({
    ...batch(since_event, events.slice(-1)),
    watched: [{ latch: 7, sinceEvent: since_event }],
  });
  const at_once = new LatchTrace();
  at_once.add({ ...batch(0, events), watched: [{ latch: 7, sinceEvent: since_event }] });
  for (const trace of [in_parts, looked_at_between, at_once])
    expect(trace.track(7)!.events.map(({ slot }) => slot)).toEqual([9]);
});

test('each latch has a track of its own, and another run has none of the run before', () => {
  const trace = new LatchTrace();
  trace.add(batch(0, [{ at_ns: 100, kind: 'gets', slot: 1, latch: 8 }]));
  expect(trace.track(8)!.holds).toHaveLength(1);
  expect(trace.track(7)).toBeNull();
  trace.add({ ...batch(0, handover), runGeneration: 2 });
  expect(trace.track(8)).toBeNull();
});
