// Stores copies of the modeled server's memory (checkpoints). Memory holds all of a run, so
// writing a copy back restores its moment exactly. A copy stores only pages that no earlier copy
// has; hashes find the changed ones.

/** The smallest unit that is stored, in bytes. */
const PAGE_BYTES = 4096;
const PAGES_PER_BLOCK = 16;
/** The unit of the first hash comparison, in bytes. Memory grows by multiples of it. */
export const BLOCK_BYTES = PAGE_BYTES * PAGES_PER_BLOCK;
const PAGES_PER_SLAB = 1024;
/** Bytes per block of memory that a checkpoint takes in addition to its pages. */
const TABLE_BYTES = 8;
const BLOCK_TABLE_BYTES = 128;
/** Number of the page of zeros, which needs no storage. */
const ZERO = 0;

export interface HashedMemory {
  /** Returns a view of all memory, valid until the engine runs again. */
  bytes(): Uint8Array;
  /**
   * Hashes a whole number of pages. Collisions are so unlikely that equal hashes mean equal bytes.
   */
  hash(from: number, bytes: number): number;
}

/** A 64 KiB block of memory. Checkpoints share a block while its contents do not change. */
interface Block {
  hash: number;
  /** Numbers of its pages in the page store. */
  pages: Uint32Array;
  uses: number;
}

/** A moment to which the run can return. `note` is the caller's own state at that moment. */
export interface Keyframe<Note> {
  /** Number of events processed so far, which identifies the moment exactly. */
  events: number;
  /** Milliseconds of work since the run began; ages are measured by it. */
  workedMs: number;
  note: Note;
}

interface KeptKeyframe<Note> extends Keyframe<Note> {
  blocks: Block[];
}

/** Stores pages by number and each content only once, in slabs that are reused. */
class PageStore {
  /** Page numbers by hash. */
  readonly #known = new Map<number, number>();
  readonly #slabs: Uint8Array[] = [];
  readonly #hashes: number[] = [];
  readonly #uses: number[] = [];
  #free: number[] = [];
  #kept = 0;

  constructor(zeroHash: number) {
    this.#hashes.push(zeroHash);
    this.#uses.push(Number.POSITIVE_INFINITY);
  }

  /** Number of stored pages. */
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

  /** Calls `contentAt` only if the page is not stored yet. */
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

/**
 * Stores the checkpoints of one run, oldest first, within a memory budget. Older checkpoints are
 * thinned out; the first always remains.
 */
export class KeyframeStore<Note> {
  readonly #memory: HashedMemory;
  readonly #budgetBytes: number;
  readonly #pages: PageStore;
  readonly #zeroHash: number;
  readonly #zeroBlock: Block;
  #kept: KeptKeyframe<Note>[] = [];
  /** The blocks of memory at the last comparison, as far as they are stored. */
  #known: Block[] = [];
  #blocksKept = 0;
  #pinned: Keyframe<Note> | null = null;

  constructor(memory: HashedMemory, budgetBytes: number, zero: { pageHash: number; blockHash: number }) {
    this.#memory = memory;
    this.#budgetBytes = budgetBytes;
    this.#zeroHash = zero.pageHash;
    this.#pages = new PageStore(zero.pageHash);
    const pages = new Uint32Array(PAGES_PER_BLOCK);
    this.#zeroBlock = { hash: zero.blockHash, pages, uses: Number.POSITIVE_INFINITY };
  }

  get all(): readonly Keyframe<Note>[] {
    return this.#kept;
  }

  get budgetBytes(): number {
    return this.#budgetBytes;
  }

  get bytes(): number {
    const tables = this.#kept.length * this.#known.length * TABLE_BYTES;
    return this.#pages.kept * PAGE_BYTES + this.#blocksKept * BLOCK_TABLE_BYTES + tables;
  }

  /** Returns the newest checkpoint for which `holds` is true, or null. */
  newest(holds: (keyframe: Keyframe<Note>) => boolean): Keyframe<Note> | null {
    return this.#kept.findLast(holds) ?? null;
  }

  /**
   * Stores the current memory as a checkpoint, sorted by events. Returns false if it exceeds the
   * budget even after thinning out.
   */
  take(keyframe: Keyframe<Note>): boolean {
    this.#look();
    while (this.bytes > this.#budgetBytes && this.#thinOut(keyframe.workedMs));
    if (this.bytes > this.#budgetBytes) {
      this.#compareWith(this.#kept.at(-1)?.blocks ?? []);
      return false;
    }
    const place = this.#kept.findIndex(({ events }) => events >= keyframe.events);
    const blocks = this.#known.slice();
    for (const block of blocks) block.uses += 1;
    this.#kept.splice(place < 0 ? this.#kept.length : place, 0, { ...keyframe, blocks });
    return true;
  }

  /** Protects this checkpoint from thinning out. Replaces the previous pin; null removes it. */
  pin(keyframe: Keyframe<Note> | null): void {
    this.#pinned = keyframe;
  }

  /** Writes the memory of a checkpoint back. */
  restore(keyframe: Keyframe<Note>): void {
    const { blocks } = this.#kept.find((kept) => kept === keyframe)!;
    const bytes = this.#memory.bytes();
    for (let from = 0; from < bytes.length; from += BLOCK_BYTES) {
      const block = blocks[from / BLOCK_BYTES] ?? this.#zeroBlock;
      if (this.#memory.hash(from, BLOCK_BYTES) !== block.hash) this.#restoreBlock(bytes, from, block);
    }
    this.#compareWith(blocks);
  }

  /** Drops the checkpoints after `events`, because the run will differ from there on. */
  dropAfter(events: number): void {
    const gone = this.#kept.filter((keyframe) => keyframe.events > events);
    for (const keyframe of gone) this.#drop(keyframe);
  }

  /** Drops a checkpoint unless it is the first. */
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

  /** Compares memory with the last comparison and stores the changed blocks. */
  #look(): void {
    const bytes = this.#memory.bytes();
    for (let from = 0; from < bytes.length; from += BLOCK_BYTES) {
      const number = from / BLOCK_BYTES;
      const known = (this.#known[number] ??= this.#zeroBlock);
      const hash = this.#memory.hash(from, BLOCK_BYTES);
      if (hash === known.hash) continue;
      this.#known[number] = this.#keepBlock(bytes, from, hash);
      this.#release(known);
    }
  }

  #keepBlock(bytes: Uint8Array, from: number, hash: number): Block {
    this.#blocksKept += 1;
    const pages = Uint32Array.from({ length: PAGES_PER_BLOCK }, (_, place) => {
      const at = from + place * PAGE_BYTES;
      const pageHash = this.#memory.hash(at, PAGE_BYTES);
      if (pageHash === this.#zeroHash) return ZERO;
      return this.#pages.use(pageHash, () => bytes.subarray(at, at + PAGE_BYTES));
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
    this.#blocksKept -= 1;
    for (const page of block.pages) if (page !== ZERO) this.#pages.release(page);
  }

  #drop(keyframe: KeptKeyframe<Note>): void {
    this.#kept.splice(this.#kept.indexOf(keyframe), 1);
    for (const block of keyframe.blocks) this.#release(block);
  }

  /**
   * Drops the checkpoint whose neighbors are closest together relative to their age. So recent
   * checkpoints are the densest. Returns false if none can be dropped.
   */
  #thinOut(nowMs: number): boolean {
    const kept = this.#kept;
    const gapForAge = (place: number) => {
      const fromMs = kept[place - 1]!.workedMs;
      const toMs = kept[place + 1]?.workedMs ?? nowMs;
      return (toMs - fromMs) / Math.max(1, nowMs - fromMs);
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
