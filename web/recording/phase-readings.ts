// Stores all totals at the start and at the newest moment of each phase of a run, from mark to
// mark.
import type { Snapshot } from '../engine-client/snapshot';

/** The totals at two moments without a mark between them. */
export interface PhaseReading {
  /** Run time of the mark at its beginning; 0 for the beginning of the run. */
  begunAtNs: number;
  before: Snapshot;
  after: Snapshot;
}

/** Maximum number of phases; the oldest are dropped. */
const PHASES_KEPT = 64;

/**
 * Collects the readings of all phases. Totals are exact, so a run on the virtual server always
 * yields the same result.
 */
export class PhaseReadings {
  #phases: PhaseReading[] = [];

  /** Oldest first. */
  get all(): readonly PhaseReading[] {
    return this.#phases;
  }

  /**
   * Adds a reading of all totals. REQUIRES: readings in order. Stores the snapshot itself, so no
   * caller may change it.
   */
  take(snapshot: Snapshot, lastMarkNs: number): void {
    const newest = this.#phases.at(-1);
    const isSameRun = newest?.after.runGeneration === snapshot.runGeneration;
    if (!isSameRun) this.clear();
    if (isSameRun && newest.begunAtNs === lastMarkNs) newest.after = snapshot;
    else this.#begin(snapshot, lastMarkNs);
  }

  /** Returns the data for a return to this moment. */
  checkpoint(): readonly PhaseReading[] {
    return this.#phases.map((phase) => ({ ...phase }));
  }

  restore(phases: readonly PhaseReading[]): void {
    this.#phases = phases.map((phase) => ({ ...phase }));
  }

  clear(): void {
    this.#phases = [];
  }

  #begin(snapshot: Snapshot, begunAtNs: number): void {
    this.#phases.push({ begunAtNs, before: snapshot, after: snapshot });
    if (this.#phases.length > PHASES_KEPT) this.#phases.shift();
  }
}
