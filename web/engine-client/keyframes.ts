// Copies of the modelled server's memory at moments of its run. All of a run is in that memory, so whoever writes a copy back is
// at its moment again, to the byte. A copy holds only pages that no copy before it had: what has changed is found by hashes.

/** The smallest piece that is kept. */
const PAGE_BYTES = 4096;
const PAGES_PER_BLOCK = 16;
/** What is hashed first: memory grows by as much. */
export const BLOCK_BYTES = PAGE_BYTES * PAGES_PER_BLOCK;
const PAGES_PER_SLAB = 1024;
/** What a keyframe takes beside its pages, for each block of memory. */
const TABLE_BYTES = 8;
const BLOCK_TABLE_BYTES = 128;
/** The page that holds nothing but zeros: nobody keeps it. */
const ZERO = 0;

export interface HashedMemory {
  /** All of it as it is now: a view that is valid until the engine goes on. */
  bytes(): Uint8Array;
  /** Of a whole number of pages. Equal pieces have equal hashes; others practically never. */
  hash(from: number, bytes: number): number;
}

/** 64 KiB of memory as they once were. Several keyframes share one while it stays the same. */
interface Block {
  hash: number;
  /** Where each of its pages is kept. */
  pages: Uint32Array;
  uses: number;
}

/** A moment that can be gone back to. `note`: what the caller has to know of it. */
export interface Keyframe<Note> {
  /** Events carried out so far, which says exactly which moment it is. */
  events: number;
  /** By what age is measured: milliseconds of work since the run began. */
  worked_ms: number;
  note: Note;
}

interface KeptKeyframe<Note> extends Keyframe<Note> {
  blocks: Block[];
}

/** Pages by number, each content once, in slabs that are used again. */
class PageStore {
  /** Numbers by hash. */
  readonly #known = new Map<number, number>();
  readonly #slabs: Uint8Array[] = [];
  readonly #hashes: number[] = [];
  readonly #uses: number[] = [];
  #free: number[] = [];
  #kept = 0;

  constructor(zero_hash: number) {
    this.#hashes.push(zero_hash);
    this.#uses.push(Number.POSITIVE_INFINITY);
  }

  /** How many pages are kept. */
  get kept(): number {
    return this.#kept;
  }

  hashOf(page: number): number {
    return this.#hashes[page]!;
  }

  contentOf(page: number): Uint8Array {
    const slab = this.#slabs[Math.floor(page / PAGES_PER_SLAB)]!;
    const from = (page % PAGES_PER_SLAB) * PAGE_BYTES;
    return slab.subarray(from, from + PAGE_BYTES);
  }

  /** `contentAt` is asked only for what is not kept yet. */
  use(hash: number, contentAt: () => Uint8Array): number {
    const known = this.#known.get(hash);
    if (known === undefined) return this.#keep(hash, contentAt());
    this.#uses[known]! += 1;
    return known;
  }

  #keep(hash: number, content: Uint8Array): number {
    const page = this.#free.pop() ?? this.#hashes.length;
    const slab = Math.floor(page / PAGES_PER_SLAB);
    this.#slabs[slab] ??= new Uint8Array(PAGES_PER_SLAB * PAGE_BYTES);
    this.#hashes[page] = hash;
    this.#uses[page] = 1;
    this.#known.set(hash, page);
    this.#kept += 1;
    this.contentOf(page).set(content);
    return page;
  }

  release(page: number): void {
    this.#uses[page]! -= 1;
    if (this.#uses[page] !== 0) return;
    this.#known.delete(this.#hashes[page]!);
    this.#free.push(page);
    this.#kept -= 1;
  }
}

/** The keyframes of one run, oldest first, within a budget of memory. As they age, they are thinned out; the first stays. */
export class KeyframeStore<Note> {
  readonly #memory: HashedMemory;
  readonly #budget_bytes: number;
  readonly #pages: PageStore;
  readonly #zero_hash: number;
  readonly #zero_block: Block;
  #kept: KeptKeyframe<Note>[] = [];
  /** What memory is compared with when it is looked at: what it was like then, as far as that is kept. */
  #known: Block[] = [];
  #blocks_kept = 0;
  #pinned: Keyframe<Note> | null = null;

  constructor(memory: HashedMemory, budget_bytes: number, zero: { page_hash: number; block_hash: number }) {
    this.#memory = memory;
    this.#budget_bytes = budget_bytes;
    this.#zero_hash = zero.page_hash;
    this.#pages = new PageStore(zero.page_hash);
    const pages = new Uint32Array(PAGES_PER_BLOCK);
    this.#zero_block = { hash: zero.block_hash, pages, uses: Number.POSITIVE_INFINITY };
  }

  get all(): readonly Keyframe<Note>[] {
    return this.#kept;
  }

  get budget_bytes(): number {
    return this.#budget_bytes;
  }

  get bytes(): number {
    const tables = this.#kept.length * this.#known.length * TABLE_BYTES;
    return this.#pages.kept * PAGE_BYTES + this.#blocks_kept * BLOCK_TABLE_BYTES + tables;
  }

  /** The newest one of which this holds; null if there is none. */
  newest(holds: (keyframe: Keyframe<Note>) => boolean): Keyframe<Note> | null {
    return this.#kept.findLast(holds) ?? null;
  }

  /**
   * Keeps memory as it is now; keyframes stand in the order of their events. False if the budget does not allow it, even after all
   * that may go has gone.
   */
  take(keyframe: Keyframe<Note>): boolean {
    this.#look();
    while (this.bytes > this.#budget_bytes && this.#thinOut(keyframe.worked_ms));
    if (this.bytes > this.#budget_bytes) {
      this.#compareWith(this.#kept.at(-1)?.blocks ?? []);
      return false;
    }
    const place = this.#kept.findIndex(({ events }) => events >= keyframe.events);
    const blocks = this.#known.slice();
    for (const block of blocks) block.uses += 1;
    this.#kept.splice(place < 0 ? this.#kept.length : place, 0, { ...keyframe, blocks });
    return true;
  }

  /** This one is never thinned out, until another one is pinned, or none. */
  pin(keyframe: Keyframe<Note> | null): void {
    this.#pinned = keyframe;
  }

  /** Memory is again as it was. */
  restore(keyframe: Keyframe<Note>): void {
    const { blocks } = this.#kept.find((kept) => kept === keyframe)!;
    const bytes = this.#memory.bytes();
    for (let from = 0; from < bytes.length; from += BLOCK_BYTES) {
      const block = blocks[from / BLOCK_BYTES] ?? this.#zero_block;
      if (this.#memory.hash(from, BLOCK_BYTES) !== block.hash) this.#restoreBlock(bytes, from, block);
    }
    this.#compareWith(blocks);
  }

  /** What would have come after these events will be something else. */
  dropAfter(events: number): void {
    const gone = this.#kept.filter((keyframe) => keyframe.events > events);
    for (const keyframe of gone) this.#drop(keyframe);
  }

  /** Drops one; the first of all stays. */
  drop(keyframe: Keyframe<Note>): void {
    const kept = this.#kept.find((one) => one === keyframe);
    if (kept !== undefined && kept !== this.#kept[0]) this.#drop(kept);
  }

  clear(): void {
    for (const keyframe of [...this.#kept]) this.#drop(keyframe);
    this.#compareWith([]);
  }

  #compareWith(blocks: readonly Block[]): void {
    const before = this.#known;
    this.#known = blocks.slice();
    for (const block of this.#known) block.uses += 1;
    for (const block of before) this.#release(block);
  }

  /** Finds out what has changed since the last look, and keeps it. */
  #look(): void {
    const bytes = this.#memory.bytes();
    for (let from = 0; from < bytes.length; from += BLOCK_BYTES) {
      const number = from / BLOCK_BYTES;
      const known = (this.#known[number] ??= this.#zero_block);
      const hash = this.#memory.hash(from, BLOCK_BYTES);
      if (hash === known.hash) continue;
      this.#known[number] = this.#keepBlock(bytes, from, hash);
      this.#release(known);
    }
  }

  #keepBlock(bytes: Uint8Array, from: number, hash: number): Block {
    this.#blocks_kept += 1;
    const pages = Uint32Array.from({ length: PAGES_PER_BLOCK }, (_, place) => {
      const at = from + place * PAGE_BYTES;
      const page_hash = this.#memory.hash(at, PAGE_BYTES);
      if (page_hash === this.#zero_hash) return ZERO;
      return this.#pages.use(page_hash, () => bytes.subarray(at, at + PAGE_BYTES));
    });
    return { hash, pages, uses: 1 };
  }

  #restoreBlock(bytes: Uint8Array, from: number, block: Block): void {
    for (const [place, page] of block.pages.entries()) {
      const at = from + place * PAGE_BYTES;
      if (this.#memory.hash(at, PAGE_BYTES) === this.#pages.hashOf(page)) continue;
      if (page === ZERO) bytes.fill(0, at, at + PAGE_BYTES);
      else bytes.set(this.#pages.contentOf(page), at);
    }
  }

  #release(block: Block): void {
    block.uses -= 1;
    if (block.uses !== 0) return;
    this.#blocks_kept -= 1;
    for (const page of block.pages) if (page !== ZERO) this.#pages.release(page);
  }

  #drop(keyframe: KeptKeyframe<Note>): void {
    this.#kept.splice(this.#kept.indexOf(keyframe), 1);
    for (const block of keyframe.blocks) this.#release(block);
  }

  /** Drops the one whose neighbours are closest for their age, so that recent moments are nearest. False if none may go. */
  #thinOut(now_ms: number): boolean {
    const kept = this.#kept;
    const gapForAge = (place: number) => {
      const from_ms = kept[place - 1]!.worked_ms;
      const to_ms = kept[place + 1]?.worked_ms ?? now_ms;
      return (to_ms - from_ms) / Math.max(1, now_ms - from_ms);
    };
    let dropped: number | null = null;
    for (let place = 1; place < kept.length; place += 1) {
      if (kept[place] === this.#pinned) continue;
      if (dropped === null || gapForAge(place) < gapForAge(dropped)) dropped = place;
    }
    if (dropped === null) return false;
    this.#drop(kept[dropped]!);
    return true;
  }
}
