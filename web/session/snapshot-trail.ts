import type { Totals } from '../analysis/rate-window';
import { counterIndex, emptySnapshot, type Snapshot } from '../engine-client/snapshot';

const ROOM = 224;
const transactions = counterIndex('transactions');

const noTotals = () => ({ t_s: [] as number[], transactions: [] as number[] });

/**
 * Readings since the last break, oldest first. When full, it drops the one whose neighbours are closest for their age, so recent
 * moments are known best.
 */
export class SnapshotTrail {
  #kept: Snapshot[] = [];
  /** Of those that are kept. */
  #totals = noTotals();

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
    this.clear();
    for (const snapshot of kept) this.#push(snapshot);
  }

  append(read: (into: Snapshot) => void): Snapshot {
    if (this.#kept.length === ROOM) this.#dropOne();
    const snapshot = emptySnapshot();
    read(snapshot);
    this.#push(snapshot);
    return snapshot;
  }

  clear(): void {
    this.#kept = [];
    this.#totals = noTotals();
  }

  /** Until the next reading. */
  totals(): Totals {
    return this.#totals;
  }

  #push(snapshot: Snapshot): void {
    this.#kept.push(snapshot);
    this.#totals.t_s.push(snapshot.run_ns / 1e9);
    this.#totals.transactions.push(snapshot.counters[transactions]!);
  }

  #dropOne(): void {
    const kept = this.#kept;
    const now_ns = kept.at(-1)!.run_ns;
    const gapForAge = (index: number) =>
      (kept[index + 1]!.run_ns - kept[index - 1]!.run_ns) / (now_ns - kept[index - 1]!.run_ns);
    let dropped = 1;
    for (let index = 2; index < kept.length - 1; index += 1)
      if (gapForAge(index) < gapForAge(dropped)) dropped = index;
    for (const list of [kept, this.#totals.t_s, this.#totals.transactions]) list.splice(dropped, 1);
  }
}
