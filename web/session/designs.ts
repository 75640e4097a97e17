// Names lock designs: a scenario's presets, and the original with one knob changed.
import { isSameDesign, presetOf, type Design } from '../contract/design';
import type { Manifest } from '../contract/manifest';
import { canBeChosen, type ReadersLatch, type RunSpec } from '../contract/run-spec';
import type { RunConditions } from '../analysis/reported';
import { conditionsAfter, type RunMark } from '../recording/run-marks';
import { whatIfInWords } from './what-if-words';

export interface NamedDesign {
  /** A preset's name, or `knob.variant`. */
  id: string;
  title: string;
  design: Design;
  isPreset: boolean;
}

const ORIGINAL = 'original';

/**
 * Returns each named design that can run with this latch of the reader (null: without one). Presets
 * come first; no design appears twice.
 */
export function namedDesigns(manifest: Manifest, latch: ReadersLatch | null = null): NamedDesign[] {
  const presets = Object.entries(manifest.designs).map(([id, design]) => ({
    id,
    title: presetTitle(manifest, id),
    design,
    isPreset: true,
  }));
  const turned = manifest.knobs.flatMap((knob) =>
    knob.variants
      .filter((variant) => canBeChosen(variant, latch))
      .map((variant) => ({
        id: `${knob.id}.${variant.id}`,
        title: variant.title,
        design: { ...manifest.designs[ORIGINAL], [knob.id]: variant.id },
        isPreset: false,
      })),
  );
  return [...presets, ...turned.filter(({ design }) => presetOf(manifest, design) === null)];
}

/** Returns the name of a design, or the variants in which it differs from the original. */
export function designTitle(manifest: Manifest, design: Design): string {
  const known = namedDesigns(manifest).find((named) => isSameDesign(manifest, named.design, design));
  if (known !== undefined) return known.title;
  const differing = manifest.knobs.filter(({ id }) => design[id] !== manifest.designs[ORIGINAL]?.[id]);
  return differing
    .map(({ id, variants }) => variants.find((variant) => variant.id === design[id])?.title ?? design[id]!)
    .join(' + ');
}

/** Returns the page's title of a preset. */
export const presetTitle = ({ design_titles }: Manifest, id: string) => design_titles[id] ?? id;

/**
 * Returns the default design to compare with: the fixed one, or the original if `design` is the
 * fixed one.
 */
export function defaultOther(manifest: Manifest, design: Design): Design {
  const fixed = manifest.designs.fixed ?? Object.values(manifest.designs).at(-1)!;
  return isSameDesign(manifest, fixed, design) ? manifest.designs[ORIGINAL]! : fixed;
}

/** Derives a run's current conditions from its marks: the design, and the actions fired so far. */
export function conditionsOf(spec: RunSpec, marks: readonly RunMark[], manifest: Manifest): RunConditions {
  const { design, actions } = conditionsAfter(spec.design, marks);
  return { design: presetOf(manifest, design), actions, supposes: whatIfInWords(spec.what_if) !== null };
}
