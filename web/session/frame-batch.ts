import { scheduleInFrame } from '../charts/frame-scheduler';

/** The updates that one part of the page does together, in one of the next animation frames. */
export class FrameBatch {
  readonly #works = new Set<() => void>();

  take(work: () => void): void {
    this.#works.add(work);
    scheduleInFrame(this.#comes);
  }

  giveUp(work: () => void): void {
    this.#works.delete(work);
  }

  readonly #comes = (): void => {
    const works = [...this.#works];
    this.#works.clear();
    for (const work of works) work();
  };
}
