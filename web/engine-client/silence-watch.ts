/**
 * Calls back in the next animation frame with its time, in milliseconds. A hidden page has no
 * frames.
 */
export type NextFrame = (callback: (now_ms: number) => void) => unknown;

export interface SilenceWatchOptions {
  next_frame: NextFrame;
  /** Whether an answer is expected at all. */
  isExpected: () => boolean;
  /** Requests a sign of life. Called after each second of silence. */
  ask: () => void;
  /** Called once, when the silence has lasted too long. */
  onSilence: (seconds: number) => void;
}

/**
 * Longer frames count only as this many milliseconds: the page was hidden or busy, or its machine
 * slept.
 */
const FRAME_MS_MAX = 100;
const ASK_EVERY_MS = 1_000;
/** Ten times the longest slice of the largest run specs on a busy machine. */
export const SILENCE_MAX_MS = 30_000;

/**
 * Detects a worker that no longer answers, because it was killed or is in an endless loop. Counts
 * only time in which this page was awake, frame by frame. So it needs no timer, and neither a
 * hidden tab nor a sleeping laptop raises an alarm.
 */
export class SilenceWatch {
  readonly #options: SilenceWatchOptions;
  #is_watching = false;
  #has_ended = false;
  #silent_ms = 0;
  #last_frame_ms: number | null = null;

  constructor(options: SilenceWatchOptions) {
    this.#options = options;
  }

  /** Starts watching. Call it whenever an answer may be expected from now on. */
  watch(): void {
    if (this.#is_watching || this.#has_ended || !this.#options.isExpected()) return;
    this.#is_watching = true;
    this.#silent_ms = 0;
    this.#last_frame_ms = null;
    this.#options.next_frame(this.#onFrame);
  }

  heard(): void {
    this.#silent_ms = 0;
  }

  end(): void {
    this.#has_ended = true;
  }

  readonly #onFrame = (now_ms: number): void => {
    if (this.#has_ended || !this.#options.isExpected()) {
      this.#is_watching = false;
      return;
    }
    const asked_before = Math.floor(this.#silent_ms / ASK_EVERY_MS);
    const frame_ms = this.#last_frame_ms === null ? 0 : now_ms - this.#last_frame_ms;
    this.#silent_ms += Math.min(frame_ms, FRAME_MS_MAX);
    this.#last_frame_ms = now_ms;
    if (this.#silent_ms >= SILENCE_MAX_MS) {
      this.end();
      this.#options.onSilence(SILENCE_MAX_MS / 1000);
      return;
    }
    if (Math.floor(this.#silent_ms / ASK_EVERY_MS) > asked_before) this.#options.ask();
    this.#options.next_frame(this.#onFrame);
  };
}
