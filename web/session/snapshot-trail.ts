import type { Totals } from '../analysis/rate-window';
import { counterIndex, emptySnapshot, type Snapshot } from '../engine-client/snapshot';

const ROOM = 224;
const transactions = counterIndex('transactions');

const noTotals = () => ({ tS: [] as number[], transactions: [] as number[] });

/**
 * Stores readings since the last break, oldest first. When full, it drops the reading whose
 * neighbors are closest together relative to their age. So recent readings are the densest.
 */
export class SnapshotTrail {
  #kept: Snapshot[] = [];
  /** Totals of the stored readings. */
  #totals = noTotals();

  get length(): number {
    return this.#kept.length;
  }

  at(index: number): Snapshot | undefined {
    return this.#kept.at(index);
  }

  /**
   * Returns all stored readings. Readings never change, so a copy of the list suffices to restore
   * it.
   */
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

  /** Valid until the next reading. */
  totals(): Totals {
    return this.#totals;
  }

  #push(snapshot: Snapshot): void {
    this.#kept.push(snapshot);
    this.#totals.tS.push(snapshot.runNs / 1e9);
    this.#totals.transactions.push(snapshot.counters[transactions]!);
  }

  #dropOne(): void {
    const kept = this.#kept;
    const nowNs = kept.at(-1)!.runNs;
    const gapForAge = (index: number) =>
      (kept[index + 1]!.runNs - kept[index - 1]!.runNs) / (nowNs - kept[index - 1]!.runNs);
    let dropped = 1;
    for (let index = 2; index < kept.length - 1; index += 1)
      if (gapForAge(index) < gapForAge(dropped)) dropped = index;
    for (const list of [kept, this.#totals.tS, this.#totals.transactions]) list.splice(dropped, 1);
  }
}
