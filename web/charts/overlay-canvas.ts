import type { CanvasChart } from './canvas-chart';
import { setHidden } from './quiet-dom';

type Frame = Pick<CanvasChart<unknown>, 'sizePx' | 'marginPx'>;

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
  readonly #frame: Frame;
  /** null: as wide as the chart. */
  readonly #widthPx: number | null;
  #isClear = true;

  constructor(frame: Frame, widthPx: number | null = null) {
    this.#frame = frame;
    this.#widthPx = widthPx;
    this.canvas.hidden = true;
    if (widthPx !== null) this.canvas.style.willChange = 'transform';
  }

  /** Adopts the size of the chart's host; returns whether it changed. */
  fit(): boolean {
    const { height } = this.#frame.sizePx;
    const width = this.#widthPx ?? this.#frame.sizePx.width;
    const ratio = window.devicePixelRatio;
    const [wantedWidth, wantedHeight] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (this.canvas.width === wantedWidth && this.canvas.height === wantedHeight) return false;
    Object.assign(this.canvas, { width: wantedWidth, height: wantedHeight });
    Object.assign(this.canvas.style, { width: `${width}px`, height: `${height}px` });
    return true;
  }

  /** Clears and shows the canvas for drawing. */
  begin(): CanvasRenderingContext2D {
    return this.#beginFrom(-this.#frame.marginPx.left);
  }

  /**
   * Clears, shows and moves a narrow canvas. `leftPx` is the moment's distance from the left edge
   * of the plot.
   */
  beginAround(leftPx: number): CanvasRenderingContext2D {
    const fromPx = Math.round(leftPx) - this.#widthPx! / 2;
    this.canvas.style.transform = `translateX(${this.#frame.marginPx.left + fromPx}px)`;
    return this.#beginFrom(fromPx);
  }

  /** `fromPx` is the canvas's left edge, relative to the left edge of the plot. */
  #beginFrom(fromPx: number): CanvasRenderingContext2D {
    this.#wipe();
    const ratio = window.devicePixelRatio;
    this.#context.setTransform(ratio, 0, 0, ratio, -fromPx * ratio, this.#frame.marginPx.top * ratio);
    this.#isClear = false;
    setHidden(this.canvas, false);
    return this.#context;
  }

  clear(): void {
    this.#wipe();
    setHidden(this.canvas, true);
  }

  #wipe(): void {
    if (this.#isClear) return;
    this.#context.resetTransform();
    this.#context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    this.#isClear = true;
  }
}
