import type { ChartFrame } from './chart-frame';
import { setHidden } from './quiet-dom';

/**
 * A canvas above a chart's data in the same coordinates, so that moving content does not redraw the
 * data.
 *
 * Browsers that paint without a graphics processor copy every visible canvas whenever one of them
 * changes. The canvas is therefore hidden while it is empty. A narrow canvas for content around one
 * moment moves with that moment.
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

  /** Adopts the size of the chart's host; returns whether it changed. */
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

  /** Clears and shows the canvas for drawing. */
  begin(): CanvasRenderingContext2D {
    return this.#beginFrom(-this.#frame.margin_px.left);
  }

  /**
   * Clears, shows and moves a narrow canvas. `left_px` is the moment's distance from the left edge
   * of the plot.
   */
  beginAround(left_px: number): CanvasRenderingContext2D {
    const from_px = Math.round(left_px) - this.#width_px! / 2;
    this.canvas.style.transform = `translateX(${this.#frame.margin_px.left + from_px}px)`;
    return this.#beginFrom(from_px);
  }

  /** `from_px` is the canvas's left edge, relative to the left edge of the plot. */
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
