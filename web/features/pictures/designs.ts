import type { Design } from '../../contract/design';
import type { Manifest } from '../../contract/manifest';

/** Returns the manifest's title of a knob's variant in this design. */
export function variantTitle({ knobs }: Manifest, knob: string, design: Design): string {
  const { variants } = knobs.find(({ id }) => id === knob)!;
  return (variants.find(({ id }) => id === design[knob]) ?? variants[0]!).title;
}
