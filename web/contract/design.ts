// Defines designs: a variant for each knob of a scenario.
export type Design = Record<string, string>;

interface Knobs {
  knobs: readonly { id: string }[];
}

export const isSameDesign = ({ knobs }: Knobs, one: Design, other: Design) =>
  knobs.every(({ id }) => one[id] === other[id]);

/** Returns the name of the preset with this design; null if there is none. */
export function presetOf(
  manifest: Knobs & { designs: Record<string, Design> },
  design: Design,
): string | null {
  const presets = Object.entries(manifest.designs);
  return presets.find(([, preset]) => isSameDesign(manifest, preset, design))?.[0] ?? null;
}
