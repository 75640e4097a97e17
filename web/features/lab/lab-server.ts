// Where a latch of the reader's can serve: the variants of all bugs that are called yours, and the run that takes it there.
import type { LabProgram } from '../../contract/latch-program';
import type { Knob, Manifest, Variant } from '../../contract/manifest';
import { canBeChosen, defaultRunSpec, type Machine, type RunSpec } from '../../contract/run-spec';
import type { LabState } from './lab-state';

export interface LatchPlace {
  /** Such as `fil-mutex-69276/tablespace_lookup`. */
  id: string;
  manifest: Manifest;
  knob: Knob;
  /** The reader's latch. */
  variant: Variant;
}

/** Those that this latch is of the kind for; without a program, those that a plain latch is. */
export const placesFor = (
  { scenarios }: Pick<LabState, 'scenarios'>,
  program: LabProgram | undefined,
): LatchPlace[] =>
  scenarios.flatMap(({ manifest }) =>
    manifest.knobs.flatMap((knob) =>
      knob.variants
        .filter(
          (variant) => variant.needs && canBeChosen(variant, { program: { ...(program ?? no_program) } }),
        )
        .map((variant) => ({ id: `${manifest.id}/${knob.id}`, manifest, knob, variant })),
    ),
  );

const no_program = { functions: {} };

/** The one that was chosen, or the first. */
export const placeOf = (places: readonly LatchPlace[], chosen: string | null): LatchPlace =>
  places.find(({ id }) => id === chosen) ?? places[0]!;

/** On the virtual server, with the original design; `is_flipped`: with the reader's latch from the beginning. */
export function specWithLatch(
  { manifest, knob, variant }: LatchPlace,
  latch: { source: string; program: LabProgram },
  { machine, is_flipped }: { machine: Machine; is_flipped: boolean },
): RunSpec {
  const original = manifest.designs.original!;
  const design = is_flipped ? { ...original, [knob.id]: variant.id } : original;
  return defaultRunSpec(manifest, machine, 'virtual', { latch, design });
}
