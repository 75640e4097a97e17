// Draws SVG charts: plot, axes, and redraws on resize.
const SVG = 'http://www.w3.org/2000/svg';

type Attributes = Record<string, string | number>;

/** Adds an element. The style sheet defines its look by class. */
export function addSvg<Name extends keyof SVGElementTagNameMap>(
  parent: SVGElement,
  name: Name,
  attributes: Attributes = {},
  text?: string,
): SVGElementTagNameMap[Name] {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  if (text !== undefined) element.textContent = text;
  parent.append(element);
  return element;
}

/** Margins around the rectangle of the data, in rem. */
export interface Margins {
  top: number;
  right: number;
  bottom: number;
  left: number;
}

export interface Plot {
  /** Its origin is the upper left corner of the rectangle of the data. */
  group: SVGGElement;
  width: number;
  height: number;
  rem_px: number;
}

/**
 * An SVG that fills its host element and is redrawn when the host's size changes. Colors come from
 * CSS classes.
 */
export class SvgPlot {
  readonly #host: HTMLElement;
  readonly #svg = document.createElementNS(SVG, 'svg');
  readonly #margins: Margins;
  readonly #resize_observer: ResizeObserver;

  constructor(host: HTMLElement, margins: Margins, onResize: () => void) {
    this.#host = host;
    this.#margins = margins;
    this.#svg.classList.add('svg-chart');
    // The host has a name, and a table beside it has the numbers.
    this.#svg.setAttribute('aria-hidden', 'true');
    host.replaceChildren(this.#svg);
    this.#resize_observer = new ResizeObserver(onResize);
    this.#resize_observer.observe(host);
  }

  /** Returns an empty plot; null if there is no space for one. */
  begin(): Plot | null {
    const { clientWidth: host_width, clientHeight: host_height } = this.#host;
    const rem_px = parseFloat(getComputedStyle(document.documentElement).fontSize);
    const { top, right, bottom, left } = this.#margins;
    const width = host_width - (left + right) * rem_px;
    const height = host_height - (top + bottom) * rem_px;
    this.#svg.replaceChildren();
    this.#svg.setAttribute('viewBox', `0 0 ${host_width} ${host_height}`);
    if (width <= 0 || height <= 0) return null;
    const group = addSvg(this.#svg, 'g', { transform: `translate(${left * rem_px} ${top * rem_px})` });
    return { group, width, height, rem_px };
  }

  destroy(): void {
    this.#resize_observer.disconnect();
    this.#host.replaceChildren();
  }
}

export interface SvgAxis {
  ticks: readonly number[];
  position: (value: number) => number;
  format: (value: number) => string;
  /** The quantity, with its unit. */
  title: string;
}

/** Draws values left of the plot, grid lines across it, and the axis's name above. */
export function drawLeftAxis({ group, width, rem_px }: Plot, axis: SvgAxis): void {
  for (const value of axis.ticks) {
    const y = Math.round(axis.position(value)) + 0.5;
    addSvg(group, 'line', { class: 'grid-line', x1: 0, x2: width, y1: y, y2: y });
    addSvg(group, 'text', { class: 'tick tick-left', x: -0.5 * rem_px, y }, axis.format(value));
  }
  addSvg(group, 'text', { class: 'axis-title', x: -3.4 * rem_px, y: -0.7 * rem_px }, axis.title);
}

/** Draws values below the plot, and the axis's name below its right end. */
export function drawBottomAxis({ group, width, height, rem_px }: Plot, axis: SvgAxis): void {
  addSvg(group, 'line', { class: 'axis-line', x1: 0, x2: width, y1: height + 0.5, y2: height + 0.5 });
  for (const value of axis.ticks) {
    const x = Math.round(axis.position(value)) + 0.5;
    addSvg(group, 'line', { class: 'axis-line', x1: x, x2: x, y1: height, y2: height + 5 });
    addSvg(group, 'text', { class: 'tick tick-bottom', x, y: height + 0.5 * rem_px }, axis.format(value));
  }
  addSvg(
    group,
    'text',
    { class: 'axis-title axis-title-bottom', x: width, y: height + 2.3 * rem_px },
    axis.title,
  );
}

/** Returns how many ticks suit an axis of this length. */
export const tickCount = (length_px: number, spacing_px: number) =>
  Math.max(2, Math.floor(length_px / spacing_px));

/** A chart of one view, redrawn when the view or the size of its host changes. */
export abstract class SvgChart<View> {
  readonly #plot: SvgPlot;
  #view: View | null = null;

  constructor(host: HTMLElement, margins: Margins) {
    this.#plot = new SvgPlot(host, margins, () => {
      this.#redraw();
    });
  }

  draw(view: View): void {
    this.#view = view;
    this.#redraw();
  }

  destroy(): void {
    this.#plot.destroy();
  }

  protected abstract drawView(plot: Plot, view: View): void;

  #redraw(): void {
    const plot = this.#plot.begin();
    if (this.#view !== null && plot !== null) this.drawView(plot, this.#view);
  }
}
