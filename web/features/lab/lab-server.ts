// Lists the places in bugs where a reader's latch can be used, and creates runs with it. A place is
// a variant that uses the reader's latch.
import type { LabProgram } from '../../contract/latch-program';
import type { Knob, Manifest, Variant } from '../../contract/manifest';
import { canBeChosen, defaultRunSpec, type Machine, type RunSpec } from '../../contract/run-spec';
import type { ExplorerState } from '../../session/store';

export interface LatchPlace {
  /** Such as `fil-mutex-69276/tablespace_lookup`. */
  id: string;
  manifest: Manifest;
  knob: Knob;
  /** The variant for the reader's latch. */
  variant: Variant;
}

/** Returns the places for this kind of latch; without a program, those for a plain latch. */
export const placesFor = (
  { scenarios }: Pick<ExplorerState, 'scenarios'>,
  program: LabProgram | undefined,
): LatchPlace[] =>
  scenarios.flatMap(({ manifest }) =>
    manifest.knobs.flatMap((knob) =>
      knob.variants
        .filter(
          (variant) => variant.needs && canBeChosen(variant, { program: { ...(program ?? noProgram) } }),
        )
        .map((variant) => ({ id: `${manifest.id}/${knob.id}`, manifest, knob, variant })),
    ),
  );

const noProgram = { functions: {} };

/** Returns the chosen place, or the first. */
export const placeOf = (places: readonly LatchPlace[], chosen: string | null): LatchPlace =>
  places.find(({ id }) => id === chosen) ?? places[0]!;

/**
 * Returns a run on the virtual server with the original design, or with the reader's latch from the
 * beginning if `isFlipped`.
 */
export function specWithLatch(
  { manifest, knob, variant }: LatchPlace,
  latch: { source: string; program: LabProgram },
  { machine, isFlipped }: { machine: Machine; isFlipped: boolean },
): RunSpec {
  const original = manifest.designs.original!;
  const design = isFlipped ? { ...original, [knob.id]: variant.id } : original;
  return defaultRunSpec(manifest, machine, 'virtual', { latch, design });
}
