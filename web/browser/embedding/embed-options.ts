// Declares the options of an embedded run: attributes of <latchscope-run>, and fields in the fragment
// of embed.html.
import type { Fault } from '../../contract/fault';
import type { Parsed } from '../../contract/run-spec';

export const EMBED_FIELDS = ['bug', 'design', 'autoplay', 'height', 'theme'] as const;
export const EMBED_DESIGNS = ['original', 'fixed'] as const;
const EMBED_THEMES = ['system', 'light', 'dark'] as const;
export const HEIGHT_PX = { min: 240, max: 2000 };

export interface EmbedOptions {
  /** The number of the bug report. */
  bug: string;
  /** The design that the run starts with. */
  design: (typeof EMBED_DESIGNS)[number];
  isAutoplay: boolean;
  /** Null: as high as its content. */
  heightPx: number | null;
  theme: (typeof EMBED_THEMES)[number];
}

type Field = (typeof EMBED_FIELDS)[number];
type Pair = readonly [field: string, value: string];

/** Parses fields and their values. Does not know which bugs exist. */
export function parseEmbedOptions(pairs: readonly Pair[]): Parsed<EmbedOptions> {
  const errors: Fault[] = [];
  const values = new Map<string, string>();
  for (const [field, value] of pairs) {
    if (!EMBED_FIELDS.some((known) => known === field))
      errors.push({ field, value, allowed: `only ${EMBED_FIELDS.join(', ')}` });
    else if (values.has(field)) errors.push({ field, value, allowed: 'each field once' });
    else values.set(field, value);
  }
  const valueOf = (field: Field, isValid: (value: string) => boolean, allowed: string) => {
    const value = values.get(field);
    if (value !== undefined && !isValid(value)) errors.push({ field, value, allowed });
    return value;
  };
  const oneOf = <Value extends string>(field: Field, choices: readonly [Value, ...Value[]]): Value => {
    const value = valueOf(field, (given) => choices.some((one) => one === given), choices.join(', '));
    return choices.find((one) => one === value) ?? choices[0];
  };
  const bug = valueOf('bug', (value) => /^\d{1,9}$/.test(value), 'the number of a bug, such as 117533');
  if (bug === undefined) errors.push({ field: 'bug', value: '', allowed: 'the number of a bug' });
  const autoplay = valueOf(
    'autoplay',
    (value) => ['', '1', 'true', 'autoplay'].includes(value),
    '1, or no such field',
  );
  const height = valueOf('height', isHeight, `${HEIGHT_PX.min} to ${HEIGHT_PX.max} (pixels)`);
  const value: EmbedOptions = {
    bug: bug ?? '',
    design: oneOf('design', EMBED_DESIGNS),
    isAutoplay: autoplay !== undefined,
    heightPx: height === undefined ? null : Number(height),
    theme: oneOf('theme', EMBED_THEMES),
  };
  return errors.length > 0 ? { ok: false, errors } : { ok: true, value };
}

const isHeight = (value: string) =>
  /^\d{1,5}$/.test(value) && Number(value) >= HEIGHT_PX.min && Number(value) <= HEIGHT_PX.max;

/** Returns the fragment of embed.html that `parseEmbedFragment` parses. */
export function formatEmbedFragment({ bug, design, isAutoplay, heightPx, theme }: EmbedOptions): string {
  const pairs: Pair[] = [
    ['bug', bug],
    ['design', design],
    ...(isAutoplay ? [['autoplay', '1'] satisfies Pair] : []),
    ...(heightPx === null ? [] : [['height', String(heightPx)] satisfies Pair]),
    ['theme', theme],
  ];
  return `#${pairs.map(([field, value]) => `${field}=${value}`).join('&')}`;
}

export const parseEmbedFragment = (fragment: string) =>
  parseEmbedOptions([...new URLSearchParams(fragment.replace(/^#/, ''))]);
