// Stores samples of the clients' queues over a run, while a view shows them.
import type { ClientQueue } from '../contract/client-queue';

const SAMPLES_MAX = 4_000;

/** Samples of the shown run, oldest first. */
export class QueueHistory {
  #samples: ClientQueue[] = [];
  #followers = 0;

  get samples(): readonly ClientQueue[] {
    return this.#samples;
  }

  /** Whether a view needs samples. */
  get isFollowed(): boolean {
    return this.#followers > 0;
  }

  /** Collects samples until the returned function is called. */
  follow(): () => void {
    this.#followers += 1;
    return () => {
      this.#followers -= 1;
    };
  }

  /** Drops the older half of the samples once there are too many. */
  append(sample: ClientQueue): void {
    if (this.#samples.length === SAMPLES_MAX) this.#samples = this.#samples.slice(SAMPLES_MAX / 2);
    this.#samples.push(sample);
  }

  /** Drops the samples after this moment of the run. */
  cutAfter(tS: number): void {
    this.#samples = this.#samples.filter(({ t_s }) => t_s <= tS);
  }

  clear(): void {
    this.#samples = [];
  }
}
