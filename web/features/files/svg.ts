// SVG as text, well-formed whatever the names in it. Presentation attributes only: a style sheet or a style attribute
// would not survive every reader of SVG.

export type SvgAttributes = Record<string, string | number | undefined>;

/** One element. Children are elements, or texts made by `svgText`. */
export function svgElement(name: string, attributes: SvgAttributes, ...children: string[]): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${escaped(typeof value === 'number' ? rounded(value) : value!)}"`);
  const opening = `<${name}${written.join('')}`;
  return children.length === 0 ? `${opening}/>` : `${opening}>${children.join('')}</${name}>`;
}

/** Fill or stroke of a colour as a style sheet computes it. Opacity goes apart: not every reader knows colours that have one. */
export function svgPaint(where: 'fill' | 'stroke', color: string): SvgAttributes {
  const [red, green, blue, alpha] = (/^rgba?\((.*)\)$/.exec(color)?.[1] ?? '').split(/[\s,/]+/).map(Number);
  if (red === undefined || green === undefined || blue === undefined) return { [where]: color };
  const hex = [red, green, blue].map((part) => Math.round(part).toString(16).padStart(2, '0')).join('');
  return { [where]: `#${hex}`, ...(alpha === undefined ? {} : { [`${where}-opacity`]: alpha }) };
}

export const svgText = (text: string) => escaped(text);

const rounded = (value: number) => String(Number(value.toFixed(2)));

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escaped(text: string): string {
  // XML has no way to write control characters.
  return text
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '')
    .replaceAll(/[&<>"]/g, (sign) => entities[sign]!);
}
