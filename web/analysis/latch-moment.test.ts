import { expect, test } from 'vitest';

import type { LatchEvent, LatchEventKind } from '../contract/telemetry-states';
import { LatchTrack } from '../recording/latch-trace';
import { LatchReplay } from './latch-moment';

function step(atNs: number, slot: number, kind: LatchEventKind): LatchEvent {
  return { at_ns: atNs, slot, kind, latch: 7, site: 3, access: null };
}

function access(atNs: number, core: number, kind: LatchEventKind, value: number, tookNs = 1): LatchEvent {
  const line = { took_ns: tookNs, core, from_core: null, latch_class: 0, line: 0, word: 0, value };
  return { at_ns: atNs, slot: core, kind, latch: 7, site: -1, access: line };
}

/** Three threads, one mutex: 1 acquires it, 2 spins, 3 sleeps, 1 releases it, 2 acquires it. */
const handover = [
  access(10, 1, 'read_modify_write', 1),
  step(10, 1, 'gets'),
  access(20, 2, 'failed_compare_exchange', 1),
  step(20, 2, 'wants'),
  access(25, 2, 'poll', 1),
  access(30, 3, 'failed_compare_exchange', 1),
  step(30, 3, 'wants'),
  step(34, 3, 'sleeps'),
  access(36, 2, 'poll', 1, 4),
  step(40, 1, 'gives_back'),
  access(50, 1, 'read_modify_write', 0, 8),
  access(60, 2, 'poll', 0, 15),
  access(70, 2, 'read_modify_write', 1),
  step(70, 2, 'gets'),
];
function trackOf(events: readonly LatchEvent[]): LatchTrack {
  const track = new LatchTrack(7);
  for (const event of events) track.add(event);
  return track;
}
const replay = new LatchReplay(trackOf(handover));
const at = (atNs: number) => replay.momentAt(atNs);

test('a moment says who has the latch, and who wants it, longest first', () => {
  expect(at(35)).toMatchObject({
    holders: [{ slot: 1, sinceNs: 10 }],
    wanting: [
      { slot: 2, sinceNs: 20, isAsleep: false },
      { slot: 3, sinceNs: 30, isAsleep: true },
    ],
    words: [1],
  });
  expect(at(65)).toMatchObject({ holders: [], wanting: [{ slot: 2 }, { slot: 3 }], words: [0] });
  expect(at(70)).toMatchObject({ holders: [{ slot: 2, sinceNs: 70 }], wanting: [{ slot: 3 }] });
});

test('the line is with the core that changed it last, until another one reads it', () => {
  expect(at(22)).toMatchObject({ owner: 2, copies: [2] });
  expect(at(30)).toMatchObject({ owner: 3, copies: [3] });
  expect(at(36)).toMatchObject({ owner: null, copies: [2, 3] });
  expect(at(50)).toMatchObject({ owner: 1, copies: [1] });
});

test('whoever has asked for the line and not got it is named in the order of getting it', () => {
  expect(at(45).asking.map(({ slot }) => slot)).toEqual([1, 2]);
  expect(at(55).asking.map(({ slot }) => slot)).toEqual([2]);
});

test('one event after the other', () => {
  const moment = replay.momentAfter(3);
  expect(moment.atNs).toBe(20);
  expect(moment.last).toBe(handover[2]);
  expect(moment.next).toBe(handover[3]);
  expect(replay.momentAfter(handover.length).next).toBeNull();
});

test('before the first event nothing is known but who comes to the latch from where', () => {
  const moment = replay.momentAt(5);
  expect(moment).toMatchObject({ holders: [], wanting: [], words: [], owner: null });
  expect(moment.coreOf(1)).toBe(1);
});

test('who has the latch next is told while it is held, and while it is free', () => {
  expect(at(35).nextHold).toMatchObject({ slot: 2, fromNs: 70 });
  expect(at(65).nextHold).toMatchObject({ slot: 2, fromNs: 70 });
  expect(at(70).nextHold).toBeNull();
});

test('of a long trace each moment is the same, however it is come to', () => {
  const rounds = Array.from({ length: 800 }, (_, round) =>
    handover.map((event) => ({ ...event, at_ns: event.at_ns + round * 100 })),
  ).flat();
  const track = trackOf(rounds);
  const oneByOne = new LatchReplay(track);
  const counts = [0, 1, 1_023, 1_024, 1_025, 5_000, rounds.length];
  const there = counts.map((count) => oneByOne.momentAfter(count));
  const back = [...counts].reverse().map((count) => oneByOne.momentAfter(count));
  const plain = (moment: (typeof there)[number]) => ({ ...moment, coreOf: null });
  expect(back.reverse().map(plain)).toEqual(there.map(plain));
  expect(plain(new LatchReplay(track).momentAfter(1_025))).toEqual(plain(there[4]!));
});

test('of a latch with several lines, a moment is of the line that was accessed last', () => {
  const onLine = (line: number, event: LatchEvent): LatchEvent => ({
    ...event,
    access: { ...event.access!, line },
  });
  const several = new LatchReplay(
    trackOf([
      onLine(0, access(10, 1, 'read_modify_write', 5)),
      onLine(2048, access(20, 2, 'store', 9)),
      onLine(0, access(40, 3, 'load', 5, 15)),
      onLine(2048, access(50, 3, 'load', 9, 20)),
    ]),
  );
  expect(several.momentAt(15)).toMatchObject({ line: 0, words: [5], owner: 1, copies: [1] });
  expect(several.momentAt(35)).toMatchObject({ line: 2048, words: [9], owner: 2, copies: [2] });
  expect(several.momentAt(35).asking.map(({ at_ns }) => at_ns)).toEqual([50]);
  expect(several.momentAt(40)).toMatchObject({ line: 0, words: [5], owner: null, copies: [1, 3] });
});
