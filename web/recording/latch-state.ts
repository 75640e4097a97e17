import { latch_classes, rw_lock_x_lock_decr } from '../contract/gen/latch-classes';
import type { LatchEvent, LineAccess } from '../contract/latch-event';

/** How a thread has an rw_lock; null: a mutex, or it is not known. */
export type HoldMode = 'S' | 'SX' | 'X' | null;

/** A thread that has a latch. */
export interface Holding {
  slot: number;
  since_ns: number;
  /** Where it took the latch; -1 if that is not known. */
  site: number;
  mode: HoldMode;
}

/** A thread that wants a latch and has not got it. */
export interface Wanting {
  slot: number;
  since_ns: number;
  site: number;
  is_asleep: boolean;
}

const rw_lock = latch_classes.findIndex(({ name }) => name === 'RwLock');
const LOCK_WORD = 0;
const HALF = rw_lock_x_lock_decr / 2;

/** A cache line of a latch. */
interface LineState {
  /** By number of the word; null: not known yet. */
  words: (number | null)[];
  /** The core that alone has the line, changed; null if cores share it, or nothing is known. */
  owner: number | null;
  /** The cores that have a copy, the owner among them. */
  copies: Set<number>;
}

const untouched = (): LineState => ({ words: [], owner: null, copies: new Set() });

/**
 * The state of a latch, event by event: who has it, who wants it, its words, and who has its line. Of a latch with several
 * lines, which the lab alone has, `words`, `owner` and `copies` are those of the line that was accessed last.
 */
export class LatchState {
  readonly #holders = new Map<number, Holding[]>();
  readonly #wanting = new Map<number, Wanting>();
  /** How each thread last changed the word of an rw_lock. */
  readonly #last_mode = new Map<number, HoldMode>();
  readonly #lines = new Map<number, LineState>();
  /** The core that a thread was last seen on. */
  readonly #cores = new Map<number, number>();
  #line = 0;

  get holders(): Holding[] {
    return [...this.#holders.values()].flat();
  }

  /** Who wants it, longest first. */
  get wanting(): Wanting[] {
    return [...this.#wanting.values()].sort((a, b) => a.since_ns - b.since_ns);
  }

  get depth(): number {
    return this.#wanting.size;
  }

  /** The line that was accessed last; 0 before the first access. */
  get line(): number {
    return this.#line;
  }

  /** By number of the word on the line; null: not known yet. */
  get words(): (number | null)[] {
    return [...this.lineState(this.#line).words];
  }

  /** The core that alone has the line, changed; null if cores share it, or nothing is known. */
  get owner(): number | null {
    return this.lineState(this.#line).owner;
  }

  /** The cores that have a copy, the owner among them. */
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

  /** How the thread has it if it gets it now. */
  modeOf(slot: number): HoldMode {
    return this.#last_mode.get(slot) ?? null;
  }

  copy(): LatchState {
    const copy = new LatchState();
    for (const [slot, held] of this.#holders) copy.#holders.set(slot, held);
    for (const [slot, wanting] of this.#wanting) copy.#wanting.set(slot, wanting);
    for (const [slot, mode] of this.#last_mode) copy.#last_mode.set(slot, mode);
    for (const [slot, core] of this.#cores) copy.#cores.set(slot, core);
    for (const [line, { words, owner, copies }] of this.#lines)
      copy.#lines.set(line, { words: [...words], owner, copies: new Set(copies) });
    copy.#line = this.#line;
    return copy;
  }

  /** It had the latch before anything was told. */
  addHolder(holding: Holding): void {
    this.#holders.set(holding.slot, [...(this.#holders.get(holding.slot) ?? []), holding]);
  }

  /** It wanted the latch before anything was told. */
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
        this.addWanting({ slot, site, since_ns: at_ns, is_asleep: false });
        break;
      case 'sleeps':
      case 'wakes': {
        const wanting = this.#wanting.get(slot) ?? { slot, site, since_ns: at_ns, is_asleep: false };
        this.addWanting({ ...wanting, is_asleep: kind === 'sleeps' });
        break;
      }
      case 'gets':
        this.#wanting.delete(slot);
        this.addHolder({ slot, site, since_ns: at_ns, mode: this.modeOf(slot) });
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
    if (kind === 'read_modify_write' && latch_class === rw_lock && word === LOCK_WORD)
      this.#last_mode.set(slot, modeTaken(words[LOCK_WORD] ?? null, value));
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

/** What a change of an rw_lock's word takes (wasm-engine/latch/rw_lock.h); null: it takes nothing, or that is not known. */
function modeTaken(before: number | null, after: number): HoldMode {
  const now = after | 0;
  if (before === null) return modeOfWord(now);
  const taken = (before | 0) - now;
  if (taken === rw_lock_x_lock_decr) return 'X';
  if (taken === HALF) return 'SX';
  if (taken !== 1) return null;
  return now < 0 ? 'X' : 'S';
}

/** What the word alone says: above half of the most, readers only; nothing, or less, a writer. */
function modeOfWord(word: number): HoldMode {
  if (word > HALF && word < rw_lock_x_lock_decr) return 'S';
  if (word === HALF) return 'SX';
  return word <= 0 ? 'X' : null;
}
