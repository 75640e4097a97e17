import { scaleLinear } from 'd3-scale';

import { drawTimeAxis, drawValueAxis, type ValueAxis } from './axes';
import type { ChartView, PlaceInChart } from './chart';
import { drawMarks, markAt, MARK_LABELS_HEIGHT_REM } from './marks';
import type { ChartStyle, Plot } from './plot';

const marginRem = { top: 0.7, right: 0.9, bottom: 1.5, left: 4.2 };
const BOTTOM_WITHOUT_LABELS_REM = 0.3;

/** The parts of a chart's view that the frame draws. */
export type FrameView = Pick<ChartView, 'range' | 'isVirtual' | 'marks'>;

/**
 * Draws the parts that all charts share: a canvas that fills its host, axes with grid lines, and
 * marks.
 */
export class ChartFrame {
  readonly #host: HTMLElement;
  readonly #canvas = document.createElement('canvas');
  readonly #context = this.#canvas.getContext('2d')!;
  // The axes as drawn last: text is expensive to draw and rarely changes.
  readonly #axes = document.createElement('canvas').getContext('2d')!;
  #axesKey = '';
  #sizePx = { width: 0, height: 0 };
  readonly #resizeObserver: ResizeObserver;
  readonly #hasMarkLabels: boolean;
  /** False if the style sheet leaves time labels to the chart below: `--time-axis: none`. */
  #hasTimeLabels = true;
  readonly #plot: Plot;
  #marks: FrameView['marks'] = [];

  constructor(host: HTMLElement, options: { hasMarkLabels: boolean; onResize: () => void }) {
    this.#host = host;
    this.#hasMarkLabels = options.hasMarkLabels;
    host.replaceChildren(this.#canvas);
    this.#plot = {
      context: this.#context,
      width: 0,
      height: 0,
      remPx: 0,
      style: this.#readStyle(),
      x: scaleLinear(),
      isVirtual: false,
    };
    this.#resizeObserver = new ResizeObserver(() => {
      this.#fitHost();
      options.onResize();
    });
    this.#resizeObserver.observe(host);
    this.#fitHost();
  }

  /** Returns the position of the plot in the host, in CSS pixels. */
  get place(): { left: number; top: number; width: number; height: number } {
    const { width, height } = this.#plot;
    const { left, top } = this.marginPx;
    return { left, top, width, height };
  }

  /**
   * Returns the size of the host at its last resize. Reading it from the host would force a layout.
   */
  get sizePx(): { width: number; height: number } {
    return this.#sizePx;
  }

  /** Returns the plot of the last drawing. */
  get plot(): Readonly<Plot> {
    return this.#plot;
  }

  /** Returns the margins between host and plot. */
  get marginPx(): { top: number; right: number; bottom: number; left: number } {
    const { remPx } = this.#plot;
    const top = this.#hasMarkLabels ? MARK_LABELS_HEIGHT_REM : marginRem.top;
    const bottom = this.#hasTimeLabels ? marginRem.bottom : BOTTOM_WITHOUT_LABELS_REM;
    const { right, left } = marginRem;
    return { top: top * remPx, right: right * remPx, bottom: bottom * remPx, left: left * remPx };
  }

  get height(): number {
    return this.#plot.height;
  }

  get remPx(): number {
    return this.#plot.remPx;
  }

  get context(): CanvasRenderingContext2D {
    return this.#context;
  }

  restyle(): void {
    this.#plot.style = this.#readStyle();
    this.#axesKey = '';
  }

  /** Returns the color of a custom property of the style sheet. */
  color(property: string): string {
    this.#canvas.style.color = `var(${property})`;
    return getComputedStyle(this.#canvas).color;
  }

  /** Draws axes and marks, and calls `drawData` between the two. */
  draw(view: FrameView, axis: ValueAxis, drawData: (plot: Plot) => void): void {
    this.#marks = view.marks;
    const { context, width, height, x } = this.#plot;
    if (width === 0 || height === 0) return;
    x.domain([view.range.fromS, view.range.toS]).range([0, width]);
    this.#plot.isVirtual = view.isVirtual;
    this.#refreshAxes(axis);
    context.save();
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, this.#canvas.width, this.#canvas.height);
    context.drawImage(this.#axes.canvas, 0, 0);
    context.restore();
    context.save();
    context.beginPath();
    context.rect(0, 0, width, height);
    context.clip();
    drawData(this.#plot);
    context.restore();
    drawMarks(this.#plot, view.marks, this.#hasMarkLabels);
  }

  /**
   * Returns the moment and the mark at a point of the host, in pixels from its upper left corner.
   */
  placeAt(leftPx: number, topPx: number): PlaceInChart {
    const { x, width } = this.#plot;
    const { left, top } = this.marginPx;
    const plotPx = leftPx - left;
    const mark = markAt(this.#plot, this.#marks, this.#hasMarkLabels, {
      left: plotPx,
      top: topPx - top,
    });
    return { tS: x.invert(Math.min(Math.max(plotPx, 0), width)), mark };
  }

  /**
   * Returns the moment and the time per pixel at a distance from the host's left edge, in pixels;
   * null while there is no plot.
   */
  timeAt(leftPx: number): { tNs: number; nsPerPx: number } | null {
    const { x, width } = this.#plot;
    const [fromS = 0, toS = 0] = x.domain();
    if (width === 0) return null;
    return { tNs: this.placeAt(leftPx, 0).tS * 1e9, nsPerPx: ((toS - fromS) * 1e9) / width };
  }

  destroy(): void {
    this.#resizeObserver.disconnect();
    this.#host.replaceChildren();
  }

  #refreshAxes(axis: ValueAxis): void {
    const key = [
      this.#plot.x.domain(),
      this.#plot.isVirtual,
      axis.ticks,
      axis.ticks.map(axis.position),
      axis.ticks.map(axis.format),
    ].join('|');
    if (key === this.#axesKey) return;
    this.#axesKey = key;
    const { width, height } = this.#canvas;
    Object.assign(this.#axes.canvas, { width, height });
    this.#axes.setTransform(this.#context.getTransform());
    const plot = { ...this.#plot, context: this.#axes };
    drawValueAxis(plot, axis);
    drawTimeAxis(plot, this.#hasTimeLabels);
  }

  #fitHost(): void {
    const { clientWidth: hostWidth, clientHeight: hostHeight } = this.#host;
    this.#sizePx = { width: hostWidth, height: hostHeight };
    const remPx = parseFloat(getComputedStyle(document.documentElement).fontSize);
    this.#plot.remPx = remPx;
    this.#hasTimeLabels = getComputedStyle(this.#host).getPropertyValue('--time-axis').trim() !== 'none';
    const { top, right, bottom, left } = this.marginPx;
    this.#plot.width = Math.max(0, hostWidth - left - right);
    this.#plot.height = Math.max(0, hostHeight - top - bottom);
    const pixelRatio = window.devicePixelRatio;
    this.#canvas.width = Math.round(hostWidth * pixelRatio);
    this.#canvas.height = Math.round(hostHeight * pixelRatio);
    Object.assign(this.#canvas.style, { width: `${hostWidth}px`, height: `${hostHeight}px` });
    this.#context.setTransform(pixelRatio, 0, 0, pixelRatio, left * pixelRatio, top * pixelRatio);
    this.restyle();
  }

  #readStyle(): ChartStyle {
    const { fontSize, fontFamily } = getComputedStyle(this.#host);
    return {
      ink: this.color('--ink'),
      muted: this.color('--muted'),
      grid: this.color('--grid'),
      panel: this.color('--panel'),
      axisFont: `${fontSize} ${fontFamily}`,
      markFont: `600 ${fontSize} ${fontFamily}`,
    };
  }
}
