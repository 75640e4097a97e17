// All totals at the beginning and at the newest moment of each part of a run, from mark to mark.
import type { Snapshot } from '../engine-client/snapshot';

/** What was counted between two readings without a mark between them. */
export interface PhaseReading {
  /** Run time of the mark that it began with; 0: the beginning of the run. */
  begun_at_ns: number;
  before: Snapshot;
  after: Snapshot;
}

/** If a run has more marks, its oldest parts are dropped. */
const PHASES_KEPT = 64;

/** The totals are exact, so what comes out of a run on the virtual server is the same each time. */
export class PhaseReadings {
  #phases: PhaseReading[] = [];

  /** Oldest first. */
  get all(): readonly PhaseReading[] {
    return this.#phases;
  }

  /** Call with each reading of all totals, in their order. It is kept as it is: nobody may change it. */
  take(snapshot: Snapshot, last_mark_ns: number): void {
    const newest = this.#phases.at(-1);
    const is_same_run = newest?.after.run_generation === snapshot.run_generation;
    if (!is_same_run) this.clear();
    if (is_same_run && newest.begun_at_ns === last_mark_ns) newest.after = snapshot;
    else this.#begin(snapshot, last_mark_ns);
  }

  /** What it takes to come back to this moment. */
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
