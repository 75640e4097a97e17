import type { ChartFrame } from './chart-frame';
import { setHidden } from './quiet-dom';

/**
 * A canvas above a chart's data for what is drawn at one moment, in the same coordinates. It is no wider than that and moves along,
 * since what costs is how large a canvas is (overlay-canvas.ts).
 */
export class MomentCanvas {
  readonly canvas = document.createElement('canvas');
  readonly #context = this.canvas.getContext('2d')!;
  readonly #frame: ChartFrame;
  readonly #half_px: number;
  #is_clear = true;

  constructor(frame: ChartFrame, width_px: number) {
    this.#frame = frame;
    this.#half_px = Math.ceil(width_px / 2);
    this.canvas.style.willChange = 'transform';
    this.canvas.hidden = true;
  }

  /** Takes over the height of the chart's host. */
  fit(): void {
    const { height } = this.#frame.size_px;
    const width = 2 * this.#half_px;
    const ratio = window.devicePixelRatio;
    Object.assign(this.canvas, { width: Math.round(width * ratio), height: Math.round(height * ratio) });
    Object.assign(this.canvas.style, { width: `${width}px`, height: `${height}px` });
    this.#is_clear = true;
  }

  /** Shows it with nothing on it, to be drawn on; `left_px`: of the moment, from the left edge of the plot. */
  beginAt(left_px: number): CanvasRenderingContext2D {
    this.#wipe();
    const { left, top } = this.#frame.margin_px;
    const ratio = window.devicePixelRatio;
    const shift_px = Math.round(left_px) - this.#half_px;
    this.canvas.style.transform = `translateX(${left + shift_px}px)`;
    this.#context.setTransform(ratio, 0, 0, ratio, -shift_px * ratio, top * ratio);
    this.#is_clear = false;
    setHidden(this.canvas, false);
    return this.#context;
  }

  clear(): void {
    this.#wipe();
    setHidden(this.canvas, true);
  }

  #wipe(): void {
    if (this.#is_clear) return;
    this.#context.resetTransform();
    this.#context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    this.#is_clear = true;
  }
}
