/**
 * Calls back in the next animation frame with its time, in milliseconds. A hidden page has no
 * frames.
 */
export type NextFrame = (callback: (nowMs: number) => void) => unknown;

export interface SilenceWatchOptions {
  nextFrame: NextFrame;
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
  #isWatching = false;
  #hasEnded = false;
  #silentMs = 0;
  #lastFrameMs: number | null = null;

  constructor(options: SilenceWatchOptions) {
    this.#options = options;
  }

  /** Starts watching. Call it whenever an answer may be expected from now on. */
  watch(): void {
    if (this.#isWatching || this.#hasEnded || !this.#options.isExpected()) return;
    this.#isWatching = true;
    this.#silentMs = 0;
    this.#lastFrameMs = null;
    this.#options.nextFrame(this.#onFrame);
  }

  heard(): void {
    this.#silentMs = 0;
  }

  end(): void {
    this.#hasEnded = true;
  }

  readonly #onFrame = (nowMs: number): void => {
    if (this.#hasEnded || !this.#options.isExpected()) {
      this.#isWatching = false;
      return;
    }
    const askedBefore = Math.floor(this.#silentMs / ASK_EVERY_MS);
    const frameMs = this.#lastFrameMs === null ? 0 : nowMs - this.#lastFrameMs;
    this.#silentMs += Math.min(frameMs, FRAME_MS_MAX);
    this.#lastFrameMs = nowMs;
    if (this.#silentMs >= SILENCE_MAX_MS) {
      this.end();
      this.#options.onSilence(SILENCE_MAX_MS / 1000);
      return;
    }
    if (Math.floor(this.#silentMs / ASK_EVERY_MS) > askedBefore) this.#options.ask();
    this.#options.nextFrame(this.#onFrame);
  };
}
