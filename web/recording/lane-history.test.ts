import { expect, test } from 'vitest';

import { LaneHistory } from './lane-history';

const [running, waiting] = [2, 4];

/** One segment as the engine lays it out: see wasm-engine/telemetry/lanes.h. */
function segment(words: {
  from: number;
  to: number;
  slot: number;
  state: number;
  holder?: [number, number];
}) {
  const view = new DataView(new ArrayBuffer(32));
  const [holder, holder_site] = words.holder ?? [-1, -1];
  view.setBigUint64(0, BigInt(words.from), true);
  view.setBigUint64(8, BigInt(words.to), true);
  view.setUint32(16, words.slot, true);
  view.setUint8(20, words.state);
  view.setUint8(21, holder_site + 1);
  view.setUint16(22, holder + 1, true);
  view.setUint32(24, holder < 0 ? 0 : 8, true);
  view.setUint32(28, 1_234, true);
  return new Uint8Array(view.buffer);
}

function lanesOf(...segments: Uint8Array[]): LaneHistory {
  const bytes = new Uint8Array(segments.length * 32);
  for (const [i, one] of segments.entries()) bytes.set(one, i * 32);
  const lanes = new LaneHistory();
  lanes.add({ run_generation: 1, first: 0, segments: bytes.buffer, clock_less_run_ns: 0 });
  return lanes;
}

const lanes = lanesOf(
  segment({ from: 0, to: 10, slot: 0, state: running }),
  segment({ from: 0, to: 20, slot: 7, state: running }),
  segment({ from: 10, to: 30, slot: 0, state: waiting, holder: [1_100, 191] }),
);

test('a segment tells who held the latch, up to the last slot and site', () => {
  expect(lanes.at(0, 25)).toEqual({
    from_ns: 10,
    to_ns: 30,
    slot: 0,
    state: waiting,
    site: 7,
    latch: 1_234,
    holder: 1_100,
    holder_site: 191,
  });
});

test('what a thread did at a moment, and before it', () => {
  expect(lanes.at(0, 5)).toMatchObject({ state: running, holder: -1, holder_site: -1, site: -1 });
  expect(lanes.at(7, 20)).toBeNull();
  expect(lanes.at(3, 5)).toBeNull();
  expect(lanes.before(0, 30)).toMatchObject({ from_ns: 10 });
  expect(lanes.before(0, 29)).toMatchObject({ from_ns: 0 });
  expect(lanes.before(0, 9)).toBeNull();
});
