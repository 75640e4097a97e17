// Draws SVG charts: plot and axes.
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

/** Adds a text at a point. */
export function addText(
  parent: SVGElement,
  look: string,
  [x, y]: readonly [x: number, y: number],
  text: string,
): SVGTextElement {
  return addSvg(parent, 'text', { class: look, x, y }, text);
}

/** Adds a straight line between two points. */
export function addLine(
  parent: SVGElement,
  look: string,
  [x1, y1]: readonly [x: number, y: number],
  [x2, y2]: readonly [x: number, y: number],
  attributes: Attributes = {},
): void {
  addSvg(parent, 'line', { class: look, ...attributes, x1, x2, y1, y2 });
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

/** A chart of one view. Colors come from CSS classes. */
export interface SvgChart<View> {
  margins: Margins;
  drawView: (plot: Plot, view: View) => void;
}

/** Draws a chart that fills the host element; nothing if there is no space for it. */
export function drawSvgChart<View>(
  host: HTMLElement,
  svg: SVGSVGElement,
  { margins: { top, right, bottom, left }, drawView }: SvgChart<View>,
  view: View,
): void {
  const { clientWidth: hostWidth, clientHeight: hostHeight } = host;
  const remPx = parseFloat(getComputedStyle(document.documentElement).fontSize);
  const width = hostWidth - (left + right) * remPx;
  const height = hostHeight - (top + bottom) * remPx;
  svg.replaceChildren();
  svg.setAttribute('viewBox', `0 0 ${hostWidth} ${hostHeight}`);
  if (width <= 0 || height <= 0) return;
  const group = addSvg(svg, 'g', { transform: `translate(${left * remPx} ${top * remPx})` });
  drawView({ group, width, height, remPx }, view);
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
    addLine(group, 'grid-line', [0, y], [width, y]);
    addText(group, 'tick tick-left', [-0.5 * remPx, y], axis.format(value));
  }
  addText(group, 'axis-title', [-3.4 * remPx, -0.7 * remPx], axis.title);
}

/** Draws values below the plot, and the axis's name below its right end. */
export function drawBottomAxis({ group, width, height, remPx }: Plot, axis: SvgAxis): void {
  addLine(group, 'axis-line', [0, height + 0.5], [width, height + 0.5]);
  for (const value of axis.ticks) {
    const x = Math.round(axis.position(value)) + 0.5;
    addLine(group, 'axis-line', [x, height], [x, height + 5]);
    addText(group, 'tick tick-bottom', [x, height + 0.5 * remPx], axis.format(value));
  }
  addText(group, 'axis-title axis-title-bottom', [width, height + 2.3 * remPx], axis.title);
}

/** Returns how many ticks suit an axis of this length. */
export const tickCount = (lengthPx: number, spacingPx: number) =>
  Math.max(2, Math.floor(lengthPx / spacingPx));
