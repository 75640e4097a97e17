import { scaleLinear } from 'd3-scale';

import { drawTimeAxis, drawValueAxis, type ValueAxis } from './axes';
import type { ChartStyle, ChartView, PlaceInChart, Plot } from './chart';
import { fillPattern, type FillTexture } from './canvas-shapes';
import { onFontLoads } from './font-loads';
import { drawMarks, markAt, MARK_LABELS_HEIGHT_REM } from './marks';

const marginRem = { top: 0.7, right: 0.9, bottom: 1.5, left: 4.2 };
const BOTTOM_WITHOUT_LABELS_REM = 0.3;

export interface NsRange {
  fromNs: number;
  toNs: number;
}

export const timeIn = ({ fromNs, toNs }: NsRange, part: number) => fromNs + part * (toNs - fromNs);

type Marks = ChartView['marks'];

/**
 * A chart of one view on a canvas that fills its host element, with axes, grid lines and marks. It
 * is redrawn when the view, the colors, the font or the size of the host change.
 */
export abstract class CanvasChart<View> {
  readonly #host: HTMLElement;
  readonly #canvas = document.createElement('canvas');
  readonly #context = this.#canvas.getContext('2d')!;
  // The axes as drawn last: text is expensive to draw and rarely changes.
  readonly #axes = document.createElement('canvas').getContext('2d')!;
  #axesKey = '';
  #sizePx = { width: 0, height: 0 };
  readonly #resizeObserver: ResizeObserver;
  readonly #endFontLoads: () => void;
  readonly #hasMarkLabels: boolean;
  /** False if the style sheet leaves time labels to the chart below: `--time-axis: none`. */
  #hasTimeLabels = true;
  /** Colors of custom properties of the style sheet. */
  readonly #colors = new Map<string, string>();
  readonly #fills = new Map<string, string | CanvasPattern>();
  readonly #plot: Plot;
  #marks: Marks = [];
  protected view: View | null = null;

  constructor(host: HTMLElement, hasMarkLabels = false) {
    this.#host = host;
    this.#hasMarkLabels = hasMarkLabels;
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
      this.redraw();
    });
    this.#resizeObserver.observe(host);
    this.#endFontLoads = onFontLoads(() => this.restyle());
    this.#fitHost();
  }

  draw(view: View): void {
    this.view = view;
    this.redraw();
  }

  /** Reads colors from the style sheet again. */
  restyle(): void {
    this.#restyle();
    this.redraw();
  }

  /**
   * Returns the size of the host at its last resize. Reading it from the host would force a layout.
   */
  get sizePx(): { width: number; height: number } {
    return this.#sizePx;
  }

  /** Returns the plot of the last drawing. */
  protected get plot(): Readonly<Plot> {
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

  /** Returns the color of a custom property of the style sheet. */
  protected color(property: string): string {
    const known = this.#colors.get(property);
    if (known !== undefined) return known;
    this.#canvas.style.color = `var(${property})`;
    const { color } = getComputedStyle(this.#canvas);
    this.#colors.set(property, color);
    return color;
  }

  /** Returns a fill that differs from others without colors, too. */
  protected fill(color: string, texture: FillTexture, ink = '--texture-ink'): string | CanvasPattern {
    const key = `${color} ${texture}`;
    const colors = { color: this.color(color), ink: this.color(ink), texture };
    const fill = this.#fills.get(key) ?? fillPattern(this.#context, colors);
    this.#fills.set(key, fill);
    return fill;
  }

  protected abstract drawView(view: View): void;

  protected redraw(): void {
    if (this.view !== null) this.drawView(this.view);
  }

  /** Draws axes and marks, and calls `drawData` between the two. */
  protected drawFrame(
    { range, isVirtual, marks }: Pick<ChartView, 'range' | 'isVirtual' | 'marks'>,
    axis: ValueAxis,
    drawData: (plot: Plot) => void,
  ): void {
    this.#marks = marks;
    const { context, width, height, x } = this.#plot;
    if (width === 0 || height === 0) return;
    x.domain([range.fromS, range.toS]).range([0, width]);
    this.#plot.isVirtual = isVirtual;
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
    drawMarks(this.#plot, marks, this.#hasMarkLabels);
  }

  /** Draws a part of a modeled run. */
  protected drawTimes(
    { fromNs, toNs }: NsRange,
    axis: ValueAxis,
    drawData: (plot: Plot) => void,
    marks: Marks = [],
  ): void {
    this.drawFrame(
      { range: { fromS: fromNs / 1e9, toS: toNs / 1e9 }, isVirtual: true, marks },
      axis,
      drawData,
    );
  }

  /**
   * Returns the moment and the mark at a point of the host, in pixels from its upper left corner.
   */
  placeAt(leftPx: number, topPx = 0): PlaceInChart {
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
   * null while nothing is drawn.
   */
  timeAt(leftPx: number): { tNs: number; nsPerPx: number } | null {
    const { x, width } = this.#plot;
    const [fromS = 0, toS = 0] = x.domain();
    if (this.view === null || width === 0) return null;
    return { tNs: this.placeAt(leftPx).tS * 1e9, nsPerPx: ((toS - fromS) * 1e9) / width };
  }

  /** Returns a point of the host in parts of the plot; null beside it. */
  protected partsAt(leftPx: number, topPx: number): { left: number; top: number } | null {
    const { width, height } = this.#plot;
    const { left, top } = this.marginPx;
    const part = (leftPx - left) / width;
    return part < 0 || part > 1 ? null : { left: part, top: (topPx - top) / height };
  }

  destroy(): void {
    this.#resizeObserver.disconnect();
    this.#endFontLoads();
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
    this.#restyle();
  }

  #restyle(): void {
    this.#colors.clear();
    this.#fills.clear();
    this.#plot.style = this.#readStyle();
    this.#axesKey = '';
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
