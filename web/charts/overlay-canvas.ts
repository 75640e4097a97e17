import type { ChartFrame } from './chart-frame';

/** A canvas above a chart's data, in the same coordinates: what moves there draws no data again. */
export class OverlayCanvas {
  readonly canvas = document.createElement('canvas');
  readonly context = this.canvas.getContext('2d')!;
  readonly #host: HTMLElement;
  readonly #frame: ChartFrame;
  #is_clear = true;

  constructor(host: HTMLElement, frame: ChartFrame) {
    this.#host = host;
    this.#frame = frame;
  }

  /** Takes over the size of the host; returns whether it was another one. */
  fit(): boolean {
    const { clientWidth: width, clientHeight: height } = this.#host;
    const ratio = window.devicePixelRatio;
    const [wanted_width, wanted_height] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (this.canvas.width === wanted_width && this.canvas.height === wanted_height) return false;
    Object.assign(this.canvas, { width: wanted_width, height: wanted_height });
    Object.assign(this.canvas.style, { width: `${width}px`, height: `${height}px` });
    const { left, top } = this.#frame.margin_px;
    this.context.setTransform(ratio, 0, 0, ratio, left * ratio, top * ratio);
    return true;
  }

  /** Call before drawing on it. */
  begin(): CanvasRenderingContext2D {
    this.#is_clear = false;
    return this.context;
  }

  clear(): void {
    if (this.#is_clear) return;
    this.context.save();
    this.context.setTransform(1, 0, 0, 1, 0, 0);
    this.context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    this.context.restore();
    this.#is_clear = true;
  }
}
