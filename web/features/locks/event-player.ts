import { frames } from '../../charts/frames';

const EVENT_MS = 450;

/** Readers who prefer reduced motion can only step. */
export const mayPlay = () => !matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Moves from event to event until there are no more. */
export class EventPlayer {
  readonly #step: () => boolean;
  readonly #onChange: (isPlaying: boolean) => void;
  #isPlaying = false;
  #steppedAtMs = 0;

  /** `step` returns false if there is no further event. */
  constructor(step: () => boolean, onChange: (isPlaying: boolean) => void) {
    this.#step = step;
    this.#onChange = onChange;
  }

  toggle(): void {
    if (this.#isPlaying) this.stop();
    else if (mayPlay()) {
      this.#set(true);
      this.#next();
    }
  }

  stop(): void {
    frames.cancel(this.#playOn);
    if (this.#isPlaying) this.#set(false);
  }

  readonly #playOn = (): void => {
    if (!this.#isPlaying) return;
    if (performance.now() - this.#steppedAtMs >= EVENT_MS) this.#next();
    else frames.schedule('draw', this.#playOn);
  };

  #next(): void {
    this.#steppedAtMs = performance.now();
    if (this.#step()) frames.schedule('draw', this.#playOn);
    else this.stop();
  }

  #set(isPlaying: boolean): void {
    this.#isPlaying = isPlaying;
    this.#onChange(isPlaying);
  }
}
