import { beforeEach, describe, expect, test } from 'vitest';

import { BLOCK_BYTES, KeyframeStore, type HashedMemory } from './keyframes';

const PAGE_BYTES = 4096;
const BLOCKS = 8;

/** A weak hash, but equal pieces have equal hashes. */
function hashOf(bytes: Uint8Array): number {
  let hash = 7;
  for (const byte of bytes) hash = (hash * 31 + byte) % 2_147_483_647;
  return hash;
}

class SmallMemory implements HashedMemory {
  content = new Uint8Array(BLOCKS * BLOCK_BYTES);
  pagesHashed = 0;

  bytes(): Uint8Array {
    return this.content;
  }

  hash(from: number, bytes: number): number {
    if (bytes === PAGE_BYTES) this.pagesHashed += 1;
    return hashOf(this.content.subarray(from, from + bytes));
  }

  write(page: number, value: number): void {
    this.content[page * PAGE_BYTES + 17] = value;
  }

  grow(): void {
    const grown = new Uint8Array(this.content.length + BLOCK_BYTES);
    grown.set(this.content);
    this.content = grown;
  }
}

const zero = {
  pageHash: hashOf(new Uint8Array(PAGE_BYTES)),
  blockHash: hashOf(new Uint8Array(BLOCK_BYTES)),
};

let memory: SmallMemory;
let events: number;
beforeEach(() => {
  memory = new SmallMemory();
  events = 0;
});

const storeOf = (budgetBytes: number) => new KeyframeStore<string>(memory, budgetBytes, zero);

function take(store: KeyframeStore<string>, note = ''): boolean {
  events += 1;
  return store.take({ events, workedMs: events * 100, note });
}

const at = (store: KeyframeStore<string>, wanted: number) =>
  store.newest((keyframe) => keyframe.events <= wanted)!;

test('memory is what it was at each of the moments, in any order', () => {
  const store = storeOf(1 << 22);
  const moments: Uint8Array[] = [];
  for (let moment = 0; moment < 6; moment += 1) {
    memory.write(moment * 3, moment + 1);
    memory.write(5, moment);
    take(store);
    moments.push(memory.content.slice());
  }
  for (const moment of [5, 0, 3, 3, 1, 4, 2]) {
    store.restore(at(store, moment + 1));
    expect(Buffer.compare(memory.content, moments[moment]!)).toBe(0);
    memory.write(40, 99);
  }
});

test('what memory has grown by since is zeros again', () => {
  const store = storeOf(1 << 22);
  memory.write(0, 1);
  take(store);
  memory.grow();
  memory.write(BLOCKS * 16 + 2, 5);
  take(store);
  store.restore(at(store, 1));
  expect(memory.content.subarray(BLOCKS * BLOCK_BYTES).every((byte) => byte === 0)).toBe(true);
  store.restore(at(store, 2));
  expect(memory.content[(BLOCKS * 16 + 2) * PAGE_BYTES + 17]).toBe(5);
});

test('pages that stay the same, or are the same as others, are kept once, and those of zeros not at all', () => {
  const store = storeOf(1 << 22);
  for (let page = 0; page < 10; page += 1) memory.write(page, page + 1);
  take(store);
  const ofOne = store.bytes;
  expect(ofOne).toBeGreaterThanOrEqual(10 * PAGE_BYTES);
  expect(ofOne).toBeLessThan(11 * PAGE_BYTES);
  take(store);
  expect(store.bytes - ofOne).toBeLessThan(PAGE_BYTES);
  memory.pagesHashed = 0;
  memory.write(3, 20);
  take(store);
  expect(memory.pagesHashed).toBe(16);
  expect(store.bytes - ofOne).toBeLessThan(2 * PAGE_BYTES);
  const ofThree = store.bytes;
  memory.write(4, 9);
  take(store);
  expect(store.bytes - ofThree).toBeLessThan(PAGE_BYTES);
});

describe('within its budget', () => {
  test('the first and the newest moments stay, those between are thinned out', () => {
    const store = storeOf(40 * PAGE_BYTES);
    for (let moment = 0; moment < 60; moment += 1) {
      for (let page = 0; page < 4; page += 1) memory.write(page, 4 * moment + page + 1);
      expect(take(store)).toBe(true);
      expect(store.bytes).toBeLessThanOrEqual(40 * PAGE_BYTES);
    }
    const kept = store.all.map((keyframe) => keyframe.events);
    expect(kept[0]).toBe(1);
    expect(kept.slice(-2)).toEqual([59, 60]);
    const gaps = kept.slice(1).map((number, place) => number - kept[place]!);
    expect(Math.max(...gaps.slice(0, gaps.length / 2))).toBeGreaterThan(Math.max(...gaps.slice(-3)));
    store.restore(at(store, 1));
    expect(memory.content[17]).toBe(1);
  });

  test('a moment that does not fit is not kept, and nothing else is lost', () => {
    const store = storeOf(8 * PAGE_BYTES);
    memory.write(0, 1);
    expect(take(store)).toBe(true);
    for (let page = 0; page < 20; page += 1) memory.write(page, page + 2);
    expect(take(store)).toBe(false);
    expect(store.bytes).toBeLessThanOrEqual(8 * PAGE_BYTES);
    store.restore(at(store, 2));
    expect(memory.content[17]).toBe(1);
    expect(memory.content[PAGE_BYTES + 17]).toBe(0);
  });

  test('what is dropped gives its memory back', () => {
    const store = storeOf(1 << 22);
    for (let moment = 0; moment < 5; moment += 1) {
      for (let page = 0; page < 20; page += 1) memory.write(page, 20 * moment + page + 1);
      take(store);
    }
    const ofFive = store.bytes;
    store.restore(at(store, 1));
    store.dropAfter(1);
    expect(store.all).toHaveLength(1);
    expect(store.bytes).toBeLessThan(ofFive / 4);
    store.clear();
    expect(store.bytes).toBe(0);
  });
});

test('a pinned moment stays, whatever has to go', () => {
  const store = storeOf(40 * PAGE_BYTES);
  const write = (moment: number) => {
    for (let page = 0; page < 4; page += 1) memory.write(page, 4 * moment + page + 1);
    take(store);
  };
  for (let moment = 0; moment < 4; moment += 1) write(moment);
  store.pin(at(store, 3));
  for (let moment = 4; moment < 80; moment += 1) write(moment);
  expect(at(store, 3).events).toBe(3);
  store.pin(null);
  for (let moment = 80; moment < 160; moment += 1) write(moment);
  expect(at(store, 3).events).toBe(1);
});
