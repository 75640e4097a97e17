// Tracks the state of a latch from its events.
import { latch_classes, rw_lock_x_lock_decr } from '../contract/gen/latch-classes';
import type { LatchEvent, LineAccess } from '../contract/telemetry-states';

/** The mode in which a thread holds an rw_lock; null: a mutex, or unknown. */
export type HoldMode = 'S' | 'SX' | 'X' | null;

/** A thread that holds a latch. */
export interface Holding {
  slot: number;
  sinceNs: number;
  /** Site of the acquisition; -1 if unknown. */
  site: number;
  mode: HoldMode;
}

/** A thread that wants a latch and does not hold it yet. */
export interface Wanting {
  slot: number;
  sinceNs: number;
  site: number;
  isAsleep: boolean;
}

const rwLock = latch_classes.findIndex(({ name }) => name === 'RwLock');
const LOCK_WORD = 0;
const HALF = rw_lock_x_lock_decr / 2;

/** A cache line of a latch. */
interface LineState {
  /** Indexed by word number; null: not known yet. */
  words: (number | null)[];
  /**
   * The core with the only copy, modified; null if cores share the line, or if nothing is known.
   */
  owner: number | null;
  /** The cores with a copy, including the owner. */
  copies: Set<number>;
}

const untouched = (): LineState => ({ words: [], owner: null, copies: new Set() });

/**
 * The state of a latch, event by event: its holders, its waiters, its words, and the owner of its
 * cache line. Only lab latches have several lines. `words`, `owner` and `copies` then describe the
 * line accessed last.
 */
export class LatchState {
  readonly #holders = new Map<number, Holding[]>();
  readonly #wanting = new Map<number, Wanting>();
  /** The mode of each thread's last change to the word of an rw_lock. */
  readonly #lastMode = new Map<number, HoldMode>();
  readonly #lines = new Map<number, LineState>();
  /** The core on which each thread was last seen. */
  readonly #cores = new Map<number, number>();
  #line = 0;

  get holders(): Holding[] {
    return [...this.#holders.values()].flat();
  }

  /** Waiters, longest wait first. */
  get wanting(): Wanting[] {
    return [...this.#wanting.values()].sort((a, b) => a.sinceNs - b.sinceNs);
  }

  get depth(): number {
    return this.#wanting.size;
  }

  /** The line accessed last; 0 before the first access. */
  get line(): number {
    return this.#line;
  }

  /** Indexed by word number on the line; null: not known yet. */
  get words(): (number | null)[] {
    return [...this.lineState(this.#line).words];
  }

  /**
   * The core with the only copy, modified; null if cores share the line, or if nothing is known.
   */
  get owner(): number | null {
    return this.lineState(this.#line).owner;
  }

  /** The cores with a copy, including the owner. */
  get copies(): number[] {
    return [...this.lineState(this.#line).copies].sort((a, b) => a - b);
  }

  lineState(line: number): Readonly<LineState> {
    return this.#lines.get(line) ?? untouched();
  }

  coreOf(slot: number): number | null {
    return this.#cores.get(slot) ?? null;
  }

  isHeldBy(slot: number): boolean {
    return this.#holders.has(slot);
  }

  isWantedBy(slot: number): boolean {
    return this.#wanting.has(slot);
  }

  /** Returns the mode in which the thread would acquire the latch now. */
  modeOf(slot: number): HoldMode {
    return this.#lastMode.get(slot) ?? null;
  }

  copy(): LatchState {
    const copy = new LatchState();
    for (const [slot, held] of this.#holders) copy.#holders.set(slot, held);
    for (const [slot, wanting] of this.#wanting) copy.#wanting.set(slot, wanting);
    for (const [slot, mode] of this.#lastMode) copy.#lastMode.set(slot, mode);
    for (const [slot, core] of this.#cores) copy.#cores.set(slot, core);
    for (const [line, { words, owner, copies }] of this.#lines)
      copy.#lines.set(line, { words: [...words], owner, copies: new Set(copies) });
    copy.#line = this.#line;
    return copy;
  }

  /** Adds a thread that held the latch before the first known event. */
  addHolder(holding: Holding): void {
    this.#holders.set(holding.slot, [...(this.#holders.get(holding.slot) ?? []), holding]);
  }

  /** Adds a thread that wanted the latch before the first known event. */
  addWanting(wanting: Wanting): void {
    this.#wanting.set(wanting.slot, wanting);
  }

  take(event: LatchEvent): void {
    if (event.access !== null) this.#takeAccess(event, event.access);
    else this.#takeStep(event);
  }

  #takeStep({ kind, slot, site, at_ns }: LatchEvent): void {
    switch (kind) {
      case 'wants':
        this.addWanting({ slot, site, sinceNs: at_ns, isAsleep: false });
        break;
      case 'sleeps':
      case 'wakes': {
        const wanting = this.#wanting.get(slot) ?? { slot, site, sinceNs: at_ns, isAsleep: false };
        this.addWanting({ ...wanting, isAsleep: kind === 'sleeps' });
        break;
      }
      case 'gets':
        this.#wanting.delete(slot);
        this.addHolder({ slot, site, sinceNs: at_ns, mode: this.modeOf(slot) });
        break;
      case 'gives_back': {
        const left = this.#holders.get(slot)?.slice(0, -1) ?? [];
        if (left.length > 0) this.#holders.set(slot, left);
        else this.#holders.delete(slot);
        break;
      }
    }
  }

  #takeAccess(
    { kind, slot }: LatchEvent,
    { core, line: number, word, value, latch_class }: LineAccess,
  ): void {
    this.#cores.set(slot, core);
    this.#line = number;
    const line = this.#lines.get(number) ?? untouched();
    this.#lines.set(number, line);
    const { words, copies } = line;
    while (words.length <= word) words.push(null);
    if (kind === 'read_modify_write' && latch_class === rwLock && word === LOCK_WORD)
      this.#lastMode.set(slot, modeTaken(words[LOCK_WORD] ?? null, value));
    words[word] = value;
    if (kind === 'load' || kind === 'poll') {
      if (line.owner !== core) line.owner = null;
      copies.add(core);
      return;
    }
    line.owner = core;
    copies.clear();
    copies.add(core);
  }
}

/**
 * Returns the mode that a change of an rw_lock's word acquires (wasm-engine/latch/rw_lock.h); null:
 * none, or unknown.
 */
function modeTaken(before: number | null, after: number): HoldMode {
  const now = after | 0;
  if (before === null) return modeOfWord(now);
  const taken = (before | 0) - now;
  if (taken === rw_lock_x_lock_decr) return 'X';
  if (taken === HALF) return 'SX';
  if (taken !== 1) return null;
  return now < 0 ? 'X' : 'S';
}

/**
 * Returns the mode that the word alone implies: above half of the maximum, only readers; at or
 * below 0, a writer.
 */
function modeOfWord(word: number): HoldMode {
  if (word > HALF && word < rw_lock_x_lock_decr) return 'S';
  if (word === HALF) return 'SX';
  return word <= 0 ? 'X' : null;
}
