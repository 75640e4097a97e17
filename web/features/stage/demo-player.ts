// Plays the recorded course of a bug by itself, again and again, while an engine of its own computes
// the same run once.
import { frames } from '../../charts/frames';
import { Listeners } from '../../recording/listeners';
import { unlessRefused } from '../../session/command-registry';
import type { Session } from '../../session/session';
import { stagePicture, type StagePicture } from './stage-picture';
import { DRAW_INTERVAL_MS, loadStage, timelineOf, type LoadedStage } from './stage-player';
import type { StageTimeline } from './timeline';

/** The end of the course stays in sight this long. */
const END_S = 4;

export class DemoPlayer extends Listeners {
  loaded: LoadedStage | null = null;
  picture: StagePicture | null = null;
  isPlaying: boolean;
  readonly #scenario: string;
  readonly #page: Session;
  /** Its run is not the reader's. */
  #session: Session | null = null;
  #timeline: StageTimeline | null = null;
  #isShown = false;
  #hasRun = false;
  #drawnAtMs = 0;
  #playedAtMs = 0;
  #endedForS = 0;

  /** A demo that does not play at once shows the end of the course. */
  constructor(page: Session, scenario: string, playsAtOnce: boolean) {
    super();
    this.#page = page;
    this.#scenario = scenario;
    this.isPlaying = playsAtOnce;
  }

  /** Loads the course and shows it; returns a function that ends the demo and its engine. */
  show(): () => void {
    this.#isShown = true;
    const session = this.#page.beside();
    this.#session = session;
    this.#hasRun = false;
    void this.#load(session);
    return () => {
      this.#isShown = false;
      void session.close();
    };
  }

  toggle(): void {
    this.isPlaying = !this.isPlaying;
    if (this.isPlaying && this.#isAtEnd) this.#restart();
    this.#playedAtMs = performance.now();
    this.#draw();
    if (this.isPlaying) this.#begin();
  }

  async #load(session: Session): Promise<void> {
    // Without its course, the start page has no demo.
    const loaded = await loadStage(session, this.#scenario).catch(() => null);
    if (loaded === null || session !== this.#session || !this.#isShown) return;
    this.loaded = loaded;
    this.#restart();
    if (!this.isPlaying) this.#playTo(loaded.story.course.duration_s);
    this.#playedAtMs = performance.now();
    this.#draw();
    if (this.isPlaying) this.#begin();
  }

  #restart(): void {
    this.#timeline = timelineOf(this.loaded!);
    this.#endedForS = 0;
  }

  #begin(): void {
    frames.schedule('draw', this.#onFrame);
    if (this.#hasRun) return;
    this.#hasRun = true;
    const session = this.#session!;
    session.shownRun.queues.follow();
    // The recording plays on if the engine cannot be loaded.
    void unlessRefused(() => session.startRun(this.loaded!.course.spec)).catch(() => undefined);
  }

  get #isAtEnd(): boolean {
    return this.#timeline!.playS >= this.loaded!.story.course.duration_s;
  }

  readonly #onFrame = (nowMs: number): void => {
    if (!this.#isShown || !this.isPlaying) return;
    frames.schedule('draw', this.#onFrame);
    if (nowMs - this.#drawnAtMs < DRAW_INTERVAL_MS) return;
    this.#drawnAtMs = nowMs;
    const passedS = Math.max(0, nowMs - this.#playedAtMs) / 1000;
    this.#playedAtMs = nowMs;
    if (this.#isAtEnd) this.#endedForS += passedS;
    if (this.#endedForS > END_S) this.#restart();
    this.#playTo(this.#timeline!.playS + passedS * this.loaded!.story.pace);
    this.#draw();
  };

  /** Takes the steps of the course at their times. */
  #playTo(toS: number): void {
    const timeline = this.#timeline!;
    const { steps } = this.loaded!.story.course;
    for (;;) {
      const next = steps[timeline.taken.length];
      timeline.advance(toS - timeline.playS, 0);
      if (next === undefined || timeline.playS < next.at_s || toS < next.at_s) return;
      timeline.take(next.step, 0);
    }
  }

  #draw(): void {
    this.picture = stagePicture(this.#timeline!, this.loaded!.story, this.#session!);
    this.notify();
  }
}
