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
  remPx: number;
}

/**
 * An SVG that fills its host element and is redrawn when the host's size changes. Colors come from
 * CSS classes.
 */
export class SvgPlot {
  readonly #host: HTMLElement;
  readonly #svg = document.createElementNS(SVG, 'svg');
  readonly #margins: Margins;
  readonly #resizeObserver: ResizeObserver;

  constructor(host: HTMLElement, margins: Margins, onResize: () => void) {
    this.#host = host;
    this.#margins = margins;
    this.#svg.classList.add('svg-chart');
    // The host has a name, and a table beside it has the numbers.
    this.#svg.setAttribute('aria-hidden', 'true');
    host.replaceChildren(this.#svg);
    this.#resizeObserver = new ResizeObserver(onResize);
    this.#resizeObserver.observe(host);
  }

  /** Returns an empty plot; null if there is no space for one. */
  begin(): Plot | null {
    const { clientWidth: hostWidth, clientHeight: hostHeight } = this.#host;
    const remPx = parseFloat(getComputedStyle(document.documentElement).fontSize);
    const { top, right, bottom, left } = this.#margins;
    const width = hostWidth - (left + right) * remPx;
    const height = hostHeight - (top + bottom) * remPx;
    this.#svg.replaceChildren();
    this.#svg.setAttribute('viewBox', `0 0 ${hostWidth} ${hostHeight}`);
    if (width <= 0 || height <= 0) return null;
    const group = addSvg(this.#svg, 'g', { transform: `translate(${left * remPx} ${top * remPx})` });
    return { group, width, height, remPx };
  }

  destroy(): void {
    this.#resizeObserver.disconnect();
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
export function drawLeftAxis({ group, width, remPx }: Plot, axis: SvgAxis): void {
  for (const value of axis.ticks) {
    const y = Math.round(axis.position(value)) + 0.5;
    addSvg(group, 'line', { class: 'grid-line', x1: 0, x2: width, y1: y, y2: y });
    addSvg(group, 'text', { class: 'tick tick-left', x: -0.5 * remPx, y }, axis.format(value));
  }
  addSvg(group, 'text', { class: 'axis-title', x: -3.4 * remPx, y: -0.7 * remPx }, axis.title);
}

/** Draws values below the plot, and the axis's name below its right end. */
export function drawBottomAxis({ group, width, height, remPx }: Plot, axis: SvgAxis): void {
  addSvg(group, 'line', { class: 'axis-line', x1: 0, x2: width, y1: height + 0.5, y2: height + 0.5 });
  for (const value of axis.ticks) {
    const x = Math.round(axis.position(value)) + 0.5;
    addSvg(group, 'line', { class: 'axis-line', x1: x, x2: x, y1: height, y2: height + 5 });
    addSvg(group, 'text', { class: 'tick tick-bottom', x, y: height + 0.5 * remPx }, axis.format(value));
  }
  addSvg(
    group,
    'text',
    { class: 'axis-title axis-title-bottom', x: width, y: height + 2.3 * remPx },
    axis.title,
  );
}

/** Returns how many ticks suit an axis of this length. */
export const tickCount = (lengthPx: number, spacingPx: number) =>
  Math.max(2, Math.floor(lengthPx / spacingPx));

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
