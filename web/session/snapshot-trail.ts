import type { Totals } from '../analysis/rate-window';
import { counterIndex, emptySnapshot, type Snapshot } from '../engine-client/snapshot';

const ROOM = 224;
const transactions = counterIndex('transactions');

/**
 * Readings since the last break, oldest first. When full, it drops the one whose neighbours are closest for their age, so recent
 * moments are known best.
 */
export class SnapshotTrail {
  #kept: Snapshot[] = [];

  get length(): number {
    return this.#kept.length;
  }

  at(index: number): Snapshot | undefined {
    return this.#kept.at(index);
  }

  /** All of them now. Nobody changes a reading, so a copy of the list is enough to come back to it. */
  kept(): readonly Snapshot[] {
    return this.#kept.slice();
  }

  restore(kept: readonly Snapshot[]): void {
    this.#kept = kept.slice();
  }

  append(read: (into: Snapshot) => void): Snapshot {
    if (this.#kept.length === ROOM) this.#dropOne();
    const snapshot = emptySnapshot();
    read(snapshot);
    this.#kept.push(snapshot);
    return snapshot;
  }

  clear(): void {
    this.#kept = [];
  }

  totals(): Totals {
    return {
      t_s: Float64Array.from(this.#kept, ({ run_ns }) => run_ns / 1e9),
      transactions: Float64Array.from(this.#kept, ({ counters }) => counters[transactions]!),
    };
  }

  #dropOne(): void {
    const kept = this.#kept;
    const now_ns = kept.at(-1)!.run_ns;
    const gapForAge = (index: number) =>
      (kept[index + 1]!.run_ns - kept[index - 1]!.run_ns) / (now_ns - kept[index - 1]!.run_ns);
    let dropped = 1;
    for (let index = 2; index < kept.length - 1; index += 1)
      if (gapForAge(index) < gapForAge(dropped)) dropped = index;
    kept.splice(dropped, 1);
  }
}
