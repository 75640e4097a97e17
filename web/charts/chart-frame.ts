import { scaleLinear } from 'd3-scale';

import { drawTimeAxis, drawValueAxis, type ValueAxis } from './axes';
import type { ChartView, PlaceInChart } from './chart';
import { drawMarks, markAt, MARK_LABELS_HEIGHT_REM } from './marks';
import type { ChartStyle, Plot } from './plot';

const MARGIN_REM = { top: 0.7, right: 0.9, bottom: 1.5, left: 4.2 };
const BOTTOM_WITHOUT_LABELS_REM = 0.3;

/** The parts of a chart's view that the frame draws. */
export type FrameView = Pick<ChartView, 'range' | 'is_virtual' | 'marks'>;

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
  #axes_key = '';
  #size_px = { width: 0, height: 0 };
  readonly #resize_observer: ResizeObserver;
  readonly #has_mark_labels: boolean;
  /** False if the style sheet leaves time labels to the chart below: `--time-axis: none`. */
  #has_time_labels = true;
  readonly #plot: Plot;
  #marks: FrameView['marks'] = [];

  constructor(host: HTMLElement, options: { has_mark_labels: boolean; onResize: () => void }) {
    this.#host = host;
    this.#has_mark_labels = options.has_mark_labels;
    host.replaceChildren(this.#canvas);
    this.#plot = {
      context: this.#context,
      width: 0,
      height: 0,
      rem_px: 0,
      style: this.#readStyle(),
      x: scaleLinear(),
      is_virtual: false,
    };
    this.#resize_observer = new ResizeObserver(() => {
      this.#fitHost();
      options.onResize();
    });
    this.#resize_observer.observe(host);
    this.#fitHost();
  }

  /** Returns the position of the plot in the host, in CSS pixels. */
  get place(): { left: number; top: number; width: number; height: number } {
    const { width, height } = this.#plot;
    const { left, top } = this.margin_px;
    return { left, top, width, height };
  }

  /**
   * Returns the size of the host at its last resize. Reading it from the host would force a layout.
   */
  get size_px(): { width: number; height: number } {
    return this.#size_px;
  }

  /** Returns the plot of the last drawing. */
  get plot(): Readonly<Plot> {
    return this.#plot;
  }

  /** Returns the margins between host and plot. */
  get margin_px(): { top: number; right: number; bottom: number; left: number } {
    const { rem_px } = this.#plot;
    const top = this.#has_mark_labels ? MARK_LABELS_HEIGHT_REM : MARGIN_REM.top;
    const bottom = this.#has_time_labels ? MARGIN_REM.bottom : BOTTOM_WITHOUT_LABELS_REM;
    const { right, left } = MARGIN_REM;
    return { top: top * rem_px, right: right * rem_px, bottom: bottom * rem_px, left: left * rem_px };
  }

  get height(): number {
    return this.#plot.height;
  }

  get rem_px(): number {
    return this.#plot.rem_px;
  }

  get context(): CanvasRenderingContext2D {
    return this.#context;
  }

  restyle(): void {
    this.#plot.style = this.#readStyle();
    this.#axes_key = '';
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
    this.#plot.is_virtual = view.is_virtual;
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
    drawMarks(this.#plot, view.marks, this.#has_mark_labels);
  }

  /**
   * Returns the moment and the mark at a point of the host, in pixels from its upper left corner.
   */
  placeAt(left_px: number, top_px: number): PlaceInChart {
    const { x, width } = this.#plot;
    const { left, top } = this.margin_px;
    const plot_px = left_px - left;
    const mark = markAt(this.#plot, this.#marks, this.#has_mark_labels, {
      left: plot_px,
      top: top_px - top,
    });
    return { t_s: x.invert(Math.min(Math.max(plot_px, 0), width)), mark };
  }

  /**
   * Returns the moment and the time per pixel at a distance from the host's left edge, in pixels;
   * null while there is no plot.
   */
  timeAt(left_px: number): { t_ns: number; ns_per_px: number } | null {
    const { x, width } = this.#plot;
    const [from_s = 0, to_s = 0] = x.domain();
    if (width === 0) return null;
    return { t_ns: this.placeAt(left_px, 0).t_s * 1e9, ns_per_px: ((to_s - from_s) * 1e9) / width };
  }

  destroy(): void {
    this.#resize_observer.disconnect();
    this.#host.replaceChildren();
  }

  #refreshAxes(axis: ValueAxis): void {
    const key = [
      this.#plot.x.domain(),
      this.#plot.is_virtual,
      axis.ticks,
      axis.ticks.map(axis.position),
      axis.ticks.map(axis.format),
    ].join('|');
    if (key === this.#axes_key) return;
    this.#axes_key = key;
    const { width, height } = this.#canvas;
    Object.assign(this.#axes.canvas, { width, height });
    this.#axes.setTransform(this.#context.getTransform());
    const plot = { ...this.#plot, context: this.#axes };
    drawValueAxis(plot, axis);
    drawTimeAxis(plot, this.#has_time_labels);
  }

  #fitHost(): void {
    const { clientWidth: host_width, clientHeight: host_height } = this.#host;
    this.#size_px = { width: host_width, height: host_height };
    const rem_px = parseFloat(getComputedStyle(document.documentElement).fontSize);
    this.#plot.rem_px = rem_px;
    this.#has_time_labels = getComputedStyle(this.#host).getPropertyValue('--time-axis').trim() !== 'none';
    const { top, right, bottom, left } = this.margin_px;
    this.#plot.width = Math.max(0, host_width - left - right);
    this.#plot.height = Math.max(0, host_height - top - bottom);
    const pixel_ratio = window.devicePixelRatio;
    this.#canvas.width = Math.round(host_width * pixel_ratio);
    this.#canvas.height = Math.round(host_height * pixel_ratio);
    Object.assign(this.#canvas.style, { width: `${host_width}px`, height: `${host_height}px` });
    this.#context.setTransform(pixel_ratio, 0, 0, pixel_ratio, left * pixel_ratio, top * pixel_ratio);
    this.restyle();
  }

  #readStyle(): ChartStyle {
    const { fontSize: font_size, fontFamily: font_family } = getComputedStyle(this.#host);
    return {
      ink: this.color('--ink'),
      muted: this.color('--muted'),
      grid: this.color('--grid'),
      panel: this.color('--panel'),
      axis_font: `${font_size} ${font_family}`,
      mark_font: `600 ${font_size} ${font_family}`,
    };
  }
}
