// Shares animation frames among all work of the page, so that no frame takes long.
import { guarded } from '../recording/listeners';

/** `nowMs` is the time of the frame. */
type Work = (nowMs: number) => void;

/**
 * `data`: samples of the run and messages of the engine. `input`: effects of the reader's pointer.
 * `draw`: everything else.
 */
export type FramePriority = 'data' | 'input' | 'draw';

/** At most this many frames in a row belong to data only. */
const CLAIMED_IN_A_ROW_MAX = 2;

/**
 * Each frame runs all data work. Unless that claims the frame, it then runs all input work or one
 * piece of draw work. If both are due, they take turns.
 * - Work that is scheduled more than once runs once.
 * - Work that is scheduled during a frame runs in a later frame.
 * - Work that throws is reported, and does not affect other work.
 */
export class Frames {
  readonly #due: Record<FramePriority, Set<Work>> = { data: new Set(), input: new Set(), draw: new Set() };
  #request = 0;
  #hadInput = false;
  #isClaimed = false;
  #claimedInARow = 0;

  schedule(priority: FramePriority, work: Work): void {
    this.#due[priority].add(work);
    if (this.#request === 0) this.#request = requestAnimationFrame(this.#onFrame);
  }

  /** Schedules draw work ahead of all other draw work. */
  scheduleFirst(work: Work): void {
    const { draw } = this.#due;
    this.#due.draw = new Set([work, ...draw]);
    this.schedule('draw', work);
  }

  cancel(work: Work): void {
    for (const due of Object.values(this.#due)) due.delete(work);
  }

  /** Keeps this frame, or the next one between frames, for data. */
  claim(): void {
    this.#isClaimed = true;
  }

  /** Discards all work, for a page that is gone. */
  clear(): void {
    for (const due of Object.values(this.#due)) due.clear();
    cancelAnimationFrame(this.#request);
    this.#request = 0;
  }

  readonly #onFrame = (nowMs: number): void => {
    this.#request = 0;
    for (const work of this.#take('data')) guarded(work)(nowMs);
    this.#claimedInARow = this.#isClaimed ? this.#claimedInARow + 1 : 0;
    this.#isClaimed = false;
    const isForData = this.#claimedInARow > 0 && this.#claimedInARow <= CLAIMED_IN_A_ROW_MAX;
    const works = isForData ? [] : this.#next();
    const { input, draw } = this.#due;
    if (input.size + draw.size > 0 && this.#request === 0)
      this.#request = requestAnimationFrame(this.#onFrame);
    for (const work of works) guarded(work)(nowMs);
  };

  #next(): readonly Work[] {
    const { input, draw } = this.#due;
    this.#hadInput = input.size > 0 && !(this.#hadInput && draw.size > 0);
    return this.#take(this.#hadInput ? 'input' : 'draw', this.#hadInput ? Infinity : 1);
  }

  #take(priority: FramePriority, most = Infinity): readonly Work[] {
    const due = this.#due[priority];
    const taken = [...due].slice(0, most);
    for (const work of taken) due.delete(work);
    return taken;
  }
}

/** The frames of this document. */
export const frames = new Frames();
