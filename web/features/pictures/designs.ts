import type { Design } from '../../contract/design';
import type { Manifest } from '../../contract/manifest';

/** What a knob is turned to, in the manifest's words. */
export function variantTitle({ knobs }: Manifest, knob: string, design: Design): string {
  const { variants } = knobs.find(({ id }) => id === knob)!;
  return (variants.find(({ id }) => id === design[knob]) ?? variants[0]!).title;
}
