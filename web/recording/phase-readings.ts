// Stores all totals at the start and at the newest moment of each phase of a run, from mark to
// mark.
import type { Snapshot } from '../engine-client/snapshot';

/** The totals at two moments without a mark between them. */
export interface PhaseReading {
  /** Run time of the mark at its beginning; 0 for the beginning of the run. */
  begun_at_ns: number;
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
  take(snapshot: Snapshot, last_mark_ns: number): void {
    const newest = this.#phases.at(-1);
    const is_same_run = newest?.after.runGeneration === snapshot.runGeneration;
    if (!is_same_run) this.clear();
    if (is_same_run && newest.begun_at_ns === last_mark_ns) newest.after = snapshot;
    else this.#begin(snapshot, last_mark_ns);
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

  #begin(snapshot: Snapshot, begun_at_ns: number): void {
    this.#phases.push({ begun_at_ns, before: snapshot, after: snapshot });
    if (this.#phases.length > PHASES_KEPT) this.#phases.shift();
  }
}
