import { isSameDesign, presetOf, type Design } from '../contract/design';
import type { Manifest } from '../contract/manifest';
import type { RunPhase } from './measured-phases';

/**
 * Throughput of each variant and preset relative to the original design, as a run measured it. Keys
 * are `knob.variant` or the preset's id.
 */
export type DesignRatios = Readonly<Record<string, number>>;

export const ratioKey = (knob: string, variant: string) => `${knob}.${variant}`;

/**
 * Compares each phase with the latest phase of the original design that had the same actions and
 * the same what-if. The ratio belongs to the knobs changed last before the phase; the last such
 * phase counts. A variant without a phase or without a phase to compare with has no ratio. Nor has
 * the reader's latch once the engine's own latch has replaced it.
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

const designOf = ({ begunBy }: RunPhase): Design => begunBy.at(-1)!.design;

/** The design still names the reader's latch, which was stopped. */
function isOfEnginesLatch({ begunBy }: RunPhase, { knobs }: Manifest): boolean {
  const { design, stopped = [] } = begunBy.at(-1)!;
  return knobs.some(
    ({ id, variants }) =>
      stopped.includes(id) && variants.some((variant) => variant.id === design[id] && variant.needs),
  );
}

/** Returns the phase of the original design to compare a phase with. */
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

function doneIn({ begunBy }: RunPhase): string {
  const { actions, supposesSince } = begunBy.at(-1)!;
  return [...new Set(actions), ...(supposesSince ? ['what if'] : [])].sort().join(' ');
}
