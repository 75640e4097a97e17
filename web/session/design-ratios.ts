import { isSameDesign, presetOf, type Design } from '../contract/design';
import type { Manifest } from '../contract/manifest';
import type { RunPhase } from './measured-phases';

/** How many times the throughput of the original design a run has measured with each variant, by `knob.variant`, and each preset, by its id. */
export type DesignRatios = Readonly<Record<string, number>>;

export const ratioKey = (knob: string, variant: string) => `${knob}.${variant}`;

/**
 * Compares each phase, for the knobs that were last turned before it, to the latest phase of the original design in which the same
 * actions had been carried out, and the same what-if held. The last such phase counts. A variant that was never turned to, or that
 * has nothing to be compared with, has no ratio; nor has the reader's latch once the engine's own has taken its place.
 */
export function designRatios(phases: readonly RunPhase[], manifest: Manifest): DesignRatios {
  const ratios: Record<string, number> = {};
  let design = manifest.designs.original!;
  let turned: string[] = [];
  for (const phase of phases) {
    const before = design;
    design = designOf(phase);
    const changed = manifest.knobs.map(({ id }) => id).filter((id) => before[id] !== design[id]);
    if (changed.length > 0) turned = changed;
    const base = baseOf(phase, phases, manifest);
    if (base === null || phase.tps === null || isOfEnginesLatch(phase, manifest)) continue;
    const preset = presetOf(manifest, design);
    if (preset !== null) ratios[preset] = phase.tps / base.tps;
    const told = phase === base ? Object.keys(design) : turned;
    for (const knob of told) ratios[ratioKey(knob, design[knob]!)] = phase.tps / base.tps;
  }
  return ratios;
}

const designOf = ({ begun_by }: RunPhase): Design => begun_by.at(-1)!.design;

/** The design says the reader's latch, which was stopped. */
function isOfEnginesLatch({ begun_by }: RunPhase, { knobs }: Manifest): boolean {
  const { design, stopped = [] } = begun_by.at(-1)!;
  return knobs.some(
    ({ id, variants }) =>
      stopped.includes(id) && variants.some((variant) => variant.id === design[id] && variant.needs),
  );
}

/** The phase of the original design that a phase is held against. */
function baseOf(
  phase: RunPhase,
  phases: readonly RunPhase[],
  manifest: Manifest,
): (RunPhase & { tps: number }) | null {
  const original = manifest.designs.original!;
  const done = doneIn(phase);
  const isBase = (other: RunPhase): other is RunPhase & { tps: number } =>
    other.tps !== null &&
    other.tps > 0 &&
    isSameDesign(manifest, designOf(other), original) &&
    doneIn(other) === done;
  return phases.findLast(isBase) ?? null;
}

function doneIn({ begun_by }: RunPhase): string {
  const { actions, supposes_since } = begun_by.at(-1)!;
  return [...new Set(actions), ...(supposes_since ? ['what if'] : [])].sort().join(' ');
}
