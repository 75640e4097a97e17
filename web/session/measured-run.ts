// Derives the run that a series repeats from the reader's next run and the scenario's manifest.
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
/**
 * Intervals of a measured run: twelve of the batches that detect the end of a warm-up. A shown run
 * may be longer.
 */
const INTERVALS_OF_A_RUN = 60;

/** Length of a measured run, in samples, if the manifest has none. */
const SAMPLES_OF_A_RUN = 5;
const realRun: ComparisonRun = { duration_s: 3 };

function comparisonRunOf(manifest: Manifest, platform: Platform, machine: Machine): ComparisonRun {
  const own = manifest.comparison?.[platform];
  if (own !== undefined) return own;
  if (platform === 'threads') return realRun;
  const { interval_s = 1 } = defaultRunSpec(manifest, machine, platform);
  return { duration_s: interval_s * SAMPLES_OF_A_RUN };
}

/** The common settings of all runs of an experiment. */
export interface MeasuredRun {
  /** Its duration is never null. */
  spec: TimedRunSpec;
  /** Run time from which to measure, in seconds; null means after the warm-up. */
  fromS: number | null;
  /** Runs per design of a comparison. */
  repeats: number;
  /** Parameters changed from the explorer's next run, so that a run takes only seconds. */
  reduced: Record<string, number>;
}

/**
 * Combines the reader's next run with the manifest's settings for comparisons: the length, the
 * action that shows the bug, and smaller parameters. Values that the reader changed from their
 * defaults remain.
 */
export function measuredRunOf(spec: RunSpec, manifest: Manifest, machine: Machine): MeasuredRun {
  const usual = comparisonRunOf(manifest, spec.platform, machine);
  const defaults = defaultRunSpec(manifest, machine, spec.platform).parameters;
  const reduced = Object.fromEntries(
    Object.entries(usual.parameters ?? {}).filter(([id]) => spec.parameters[id] === defaults[id]),
  );
  const durationS = spec.duration_s ?? usual.duration_s;
  const actions = spec.actions.length > 0 ? spec.actions : (usual.actions ?? []);
  const intervalS = Math.min(Math.max(durationS / INTERVALS_OF_A_RUN, INTERVAL_S.min), INTERVAL_S.max);
  return {
    spec: {
      ...spec,
      duration_s: durationS,
      interval_s: Number(intervalS.toPrecision(6)),
      parameters: { ...spec.parameters, ...reduced },
      actions: actions.filter(({ at_s }) => at_s < durationS),
    },
    fromS: usual.from_s !== undefined && usual.from_s < durationS ? usual.from_s : null,
    repeats: usual.repeats ?? COMPARISON_REPEATS,
    reduced,
  };
}

/** Part of the time after the last action that does not count, if the manifest has no start. */
const SHARE_LEFT_OUT = 1 / 5;

/** Returns the studied run, and the time from which it counts by default, in seconds. */
export function studiedRun(
  given: RunSpec,
  manifest: Manifest,
  machine: Machine,
): { spec: TimedRunSpec; fromS: number } {
  const { spec: measured, fromS } = measuredRunOf(given, manifest, machine);
  // A study counts from a fixed time, so it uses the reader's interval, not the intervals for
  // warm-up detection.
  const { interval_s } = given;
  const spec = { ...measured, ...(interval_s !== undefined && { interval_s }) };
  if (interval_s === undefined) delete spec.interval_s;
  return { spec, fromS: fromS ?? fromAfterActions(spec) };
}

function fromAfterActions({ actions, duration_s }: TimedRunSpec): number {
  const lastS = Math.max(0, ...actions.map(({ at_s }) => at_s));
  if (actions.length === 0) return 0;
  const fromS = Number((lastS + SHARE_LEFT_OUT * (duration_s - lastS)).toFixed(3));
  return fromS >= INTERVAL_S.min && fromS < Math.min(duration_s, INTERVAL_S.max) ? fromS : 0;
}
