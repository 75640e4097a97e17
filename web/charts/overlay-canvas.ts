import type { ChartFrame } from './chart-frame';
import { setHidden } from './quiet-dom';

/**
 * A canvas above a chart's data, in the same coordinates: what moves there draws no data again. While nothing is on it, it is
 * hidden: browsers that paint without a graphics processor bring every canvas to the screen whenever one of them has changed.
 */
export class OverlayCanvas {
  readonly canvas = document.createElement('canvas');
  readonly context = this.canvas.getContext('2d')!;
  readonly #frame: ChartFrame;
  #is_clear = true;

  constructor(frame: ChartFrame) {
    this.#frame = frame;
    this.canvas.hidden = true;
  }

  /** Takes over the size of the chart's host; returns whether it was another one. */
  fit(): boolean {
    const { width, height } = this.#frame.size_px;
    const ratio = window.devicePixelRatio;
    const [wanted_width, wanted_height] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (this.canvas.width === wanted_width && this.canvas.height === wanted_height) return false;
    Object.assign(this.canvas, { width: wanted_width, height: wanted_height });
    Object.assign(this.canvas.style, { width: `${width}px`, height: `${height}px` });
    const { left, top } = this.#frame.margin_px;
    this.context.setTransform(ratio, 0, 0, ratio, left * ratio, top * ratio);
    return true;
  }

  /** Shows it with nothing on it, to be drawn on. */
  begin(): CanvasRenderingContext2D {
    this.#wipe();
    this.#is_clear = false;
    setHidden(this.canvas, false);
    return this.context;
  }

  clear(): void {
    this.#wipe();
    setHidden(this.canvas, true);
  }

  #wipe(): void {
    if (this.#is_clear) return;
    this.context.save();
    this.context.setTransform(1, 0, 0, 1, 0, 0);
    this.context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    this.context.restore();
    this.#is_clear = true;
  }
}
