// The run that a series repeats: the reader's next run, as the scenario's manifest says that it is measured.
import type { ComparisonRun, Manifest } from '../contract/manifest';
import {
  defaultRunSpec,
  INTERVAL_S,
  type Machine,
  type RunSpec,
  type TimedRunSpec,
} from '../contract/run-spec';
import type { Platform } from '../contract/platforms';

const COMPARISON_REPEATS = 5;
/** Of a run that is measured: twelve of the batches by which a warm-up is recognised. What is drawn may be longer. */
const INTERVALS_OF_A_RUN = 60;

/** How long a run is that is measured, where the manifest does not say. */
const SAMPLES_OF_A_RUN = 5;
const real_run: ComparisonRun = { duration_s: 3 };

function comparisonRunOf(manifest: Manifest, platform: Platform, machine: Machine): ComparisonRun {
  const own = manifest.comparison?.[platform];
  if (own !== undefined) return own;
  if (platform === 'threads') return real_run;
  const { interval_s = 1 } = defaultRunSpec(manifest, machine, platform);
  return { duration_s: interval_s * SAMPLES_OF_A_RUN };
}

/** What all runs of an experiment have in common. */
export interface MeasuredRun {
  /** Its duration is never null. */
  spec: TimedRunSpec;
  /** Null: from where it has settled. */
  from_s: number | null;
  /** How often a comparison runs each design. */
  repeats: number;
  /** Parameters that differ from those of the next run in the explorer, so that a run takes seconds. */
  reduced: Record<string, number>;
}

/**
 * The reader's next run, with what the scenario's manifest says about comparing: how long, which action shows the bug, and
 * smaller parameters. What the reader has set otherwise than by default stays as it is.
 */
export function measuredRunOf(spec: RunSpec, manifest: Manifest, machine: Machine): MeasuredRun {
  const usual = comparisonRunOf(manifest, spec.platform, machine);
  const defaults = defaultRunSpec(manifest, machine, spec.platform).parameters;
  const reduced = Object.fromEntries(
    Object.entries(usual.parameters ?? {}).filter(([id]) => spec.parameters[id] === defaults[id]),
  );
  const duration_s = spec.duration_s ?? usual.duration_s;
  const actions = spec.actions.length > 0 ? spec.actions : (usual.actions ?? []);
  const interval_s = Math.min(Math.max(duration_s / INTERVALS_OF_A_RUN, INTERVAL_S.min), INTERVAL_S.max);
  return {
    spec: {
      ...spec,
      duration_s,
      interval_s: Number(interval_s.toPrecision(6)),
      parameters: { ...spec.parameters, ...reduced },
      actions: actions.filter(({ at_s }) => at_s < duration_s),
    },
    from_s: usual.from_s !== undefined && usual.from_s < duration_s ? usual.from_s : null,
    repeats: usual.repeats ?? COMPARISON_REPEATS,
    reduced,
  };
}
