import type { ChartFrame } from './chart-frame';
import { setHidden } from './quiet-dom';

/**
 * A canvas above a chart's data, in the same coordinates: what moves there draws no data again. Browsers that paint without a
 * graphics processor bring every canvas to the screen whenever one of them has changed. So it is hidden while nothing is on it,
 * and for what is drawn around one moment it is as narrow as that, and moves along.
 */
export class OverlayCanvas {
  readonly canvas = document.createElement('canvas');
  readonly #context = this.canvas.getContext('2d')!;
  readonly #frame: ChartFrame;
  /** null: as wide as the chart. */
  readonly #width_px: number | null;
  #is_clear = true;

  constructor(frame: ChartFrame, width_px: number | null = null) {
    this.#frame = frame;
    this.#width_px = width_px;
    this.canvas.hidden = true;
    if (width_px !== null) this.canvas.style.willChange = 'transform';
  }

  /** Takes over the size of the chart's host; returns whether it was another one. */
  fit(): boolean {
    const { height } = this.#frame.size_px;
    const width = this.#width_px ?? this.#frame.size_px.width;
    const ratio = window.devicePixelRatio;
    const [wanted_width, wanted_height] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (this.canvas.width === wanted_width && this.canvas.height === wanted_height) return false;
    Object.assign(this.canvas, { width: wanted_width, height: wanted_height });
    Object.assign(this.canvas.style, { width: `${width}px`, height: `${height}px` });
    return true;
  }

  /** Shows it with nothing on it, to be drawn on. */
  begin(): CanvasRenderingContext2D {
    return this.#beginFrom(-this.#frame.margin_px.left);
  }

  /** The same of a narrow one; `left_px`: of the moment, from the left edge of the plot. */
  beginAround(left_px: number): CanvasRenderingContext2D {
    const from_px = Math.round(left_px) - this.#width_px! / 2;
    this.canvas.style.transform = `translateX(${this.#frame.margin_px.left + from_px}px)`;
    return this.#beginFrom(from_px);
  }

  /** `from_px`: where the canvas begins, from the left edge of the plot. */
  #beginFrom(from_px: number): CanvasRenderingContext2D {
    this.#wipe();
    const ratio = window.devicePixelRatio;
    this.#context.setTransform(ratio, 0, 0, ratio, -from_px * ratio, this.#frame.margin_px.top * ratio);
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
