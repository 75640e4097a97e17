// Writes SVG as text, well-formed for any names. Uses only presentation attributes, because some
// readers of SVG ignore style sheets and style attributes.

export type SvgAttributes = Record<string, string | number | undefined>;

/** Returns an element. Children are elements, or texts from `svgText`. */
export function svgElement(name: string, attributes: SvgAttributes, ...children: string[]): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${escaped(typeof value === 'number' ? rounded(value) : value!)}"`);
  const opening = `<${name}${written.join('')}`;
  return children.length === 0 ? `${opening}/>` : `${opening}>${children.join('')}</${name}>`;
}

/**
 * Returns fill or stroke for a computed color. Opacity is a separate attribute, because some
 * readers do not support colors with opacity.
 */
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
  // XML cannot represent control characters.
  return text
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '')
    .replaceAll(/[&<>"]/g, (sign) => entities[sign]!);
}
