// Plans the runs of comparisons and sweeps from the reader's settings.
import {
  repeats_range,
  type ComparisonSettings,
  type ExperimentKind,
  type Plan,
  type PlannedRun,
  type SweepSettings,
} from '../../contract/experiment-plan';
import type { Fault } from '../../contract/fault';
import type { Platform } from '../../contract/platforms';
import { defaultOther, designTitle, namedDesigns } from '../../session/designs';
import { isSameDesign, type Design } from '../../contract/design';
import type { Field } from '../../contract/draft';
import type { Manifest } from '../../contract/manifest';
import { latchMissing, threadsRange, type Machine, type Parsed, type RunSpec } from '../../contract/run-spec';
import { oneOf } from '../../contract/schema-parts';
import { measuredRunOf, type MeasuredRun } from '../../session/measured-run';
import { integerFaults, parseIntegers, refuse, seedFaults } from '../../session/series-settings';

export const defaultComparison: ComparisonSettings = { with: null, repeats: null, from_s: null };
export const defaultSweep: SweepSettings = { designs: null, counts: null, repeats: null, from_s: null };

export const SWEEP_REPEATS = 2;
export const SWEPT_DESIGNS_MAX = 4;
const COUNTS_MAX = 24;
const RUNS_MAX = 500;

/** Returns powers of two up to the report's thread count, or up to twice this machine's cores. */
export function defaultCounts(manifest: Manifest, platform: Platform, machine: Machine): number[] {
  const { min, max } = threadsRange(manifest, platform);
  const usual = platform === 'virtual' ? manifest.threads.virtual_default : 2 * machine.cores;
  const most = Math.min(max, Math.max(usual, platform === 'virtual' ? min : manifest.threads.default));
  const powers = Array.from({ length: 11 }, (_, i) => 2 ** i).filter((count) => count >= min && count < most);
  return [...powers, most];
}

export const defaultSweptDesigns = ({ designs }: Manifest) =>
  Object.keys(designs).filter((name) => name === 'original' || name === 'fixed');

interface RunConditions {
  manifest: Manifest;
  machine: Machine;
}

/**
 * Checks the settings and plans the runs in the order A B, then B A, and so on, so that drift
 * affects both designs equally.
 */
export function planComparison(
  spec: RunSpec,
  settings: ComparisonSettings,
  { manifest, machine }: RunConditions,
): Parsed<Plan> {
  const run = measuredRunOf(spec, manifest, machine);
  const errors = [
    ...designErrors(settings.with, manifest, spec.latch),
    ...sameDesignErrors(spec, settings, manifest),
    ...repeatsErrors(settings.repeats),
    ...seedFaults(spec, settings.repeats ?? run.repeats, 'repeats'),
    ...fromErrors(settings.from_s, run.spec.duration_s),
  ];
  if (errors.length > 0) return { ok: false, errors };
  const repeats = (settings.repeats ?? run.repeats) as number;
  const designs = [spec.design, secondDesign(spec.design, settings, manifest)];
  const runs = Array.from({ length: repeats }, (_, repeat) =>
    (repeat % 2 === 0 ? [0, 1] : [1, 0]).map((design) => ({
      design,
      repeat,
      spec: { ...run.spec, design: designs[design]!, seed: spec.seed + repeat },
    })),
  ).flat();
  const { threads } = spec;
  return {
    ok: true,
    value: planOf('comparison', {
      designs,
      counts: [threads],
      repeats,
      runs,
      run,
      fromS: settings.from_s,
      manifest,
    }),
  };
}

/**
 * Plans a sweep: all thread counts of the first repeat, then of the next, so that a cancelled sweep
 * has complete curves.
 */
export function planSweep(
  spec: RunSpec,
  settings: SweepSettings,
  { manifest, machine }: RunConditions,
): Parsed<Plan> {
  const run = measuredRunOf(spec, manifest, machine);
  const counts = parseCounts(settings, spec.platform, { manifest, machine });
  const designs = parseSweptDesigns(settings.designs, manifest, spec.latch);
  const errors = [
    ...(designs.ok ? [] : designs.errors),
    ...(counts.ok ? [] : counts.errors),
    ...repeatsErrors(settings.repeats),
    ...seedFaults(spec, settings.repeats ?? SWEEP_REPEATS, 'repeats'),
    ...fromErrors(settings.from_s, run.spec.duration_s),
  ];
  if (errors.length > 0 || !counts.ok || !designs.ok) return { ok: false, errors };
  const repeats = (settings.repeats ?? SWEEP_REPEATS) as number;
  const places = designs.value.map((_, design) => design);
  const runs = Array.from({ length: repeats }, (_, repeat) =>
    counts.value.flatMap((threads) =>
      (repeat % 2 === 0 ? places : [...places].reverse()).map((design) => ({
        design,
        repeat,
        spec: { ...run.spec, threads, design: designs.value[design]!, seed: spec.seed + repeat },
      })),
    ),
  ).flat();
  if (runs.length > RUNS_MAX) {
    const allowed = `at most ${RUNS_MAX}: designs times thread counts times repeats`;
    return refuse('runs', runs.length, allowed);
  }
  return {
    ok: true,
    value: planOf('sweep', {
      designs: designs.value,
      counts: counts.value,
      repeats,
      runs,
      run,
      fromS: settings.from_s,
      manifest,
    }),
  };
}

interface PlanParts {
  designs: Design[];
  counts: number[];
  repeats: number;
  runs: PlannedRun[];
  run: MeasuredRun;
  fromS: Field | null;
  manifest: Manifest;
}

function planOf(kind: ExperimentKind, { designs, run, fromS, manifest, ...rest }: PlanParts): Plan {
  return {
    kind,
    scenario: run.spec.scenario,
    platform: run.spec.platform,
    designs: designs.map((design) => ({ title: designTitle(manifest, design), design })),
    from_s: (fromS ?? run.fromS) as number | null,
    duration_s: run.spec.duration_s,
    interval_s: run.spec.interval_s!,
    intervals_of_a_step: intervalsOfAStep(run.spec, manifest),
    ...rest,
  };
}

/**
 * Measuring needs shorter intervals than drawing. Clients that begin together also end together, in
 * bursts.
 */
function intervalsOfAStep(
  { platform, duration_s, interval_s }: MeasuredRun['spec'],
  { virtual_sample_s = 0 }: Manifest,
): number {
  if (platform !== 'virtual' || virtual_sample_s <= interval_s!) return 1;
  // All steps have equal lengths. A run shorter than two steps is drawn by intervals.
  const steps = Math.floor(duration_s / virtual_sample_s);
  return steps < 2 ? 1 : Math.round(duration_s / interval_s! / steps);
}

function designErrors(design: Design | null, { knobs }: Manifest, latch: RunSpec['latch']): Fault[] {
  return Object.entries(design ?? {}).flatMap(([knob, variant]) => {
    const known = knobs.find(({ id }) => id === knob);
    const chosen = known?.variants.find(({ id }) => id === variant);
    const allowed =
      chosen === undefined
        ? oneOf((known?.variants ?? knobs).map(({ id }) => id))
        : latchMissing(chosen, known!.variants, latch);
    return allowed === null ? [] : refuse(`with.${knob}`, variant, allowed).errors;
  });
}

/** Returns the design to compare the first one with. */
export const secondDesign = (
  first: Design,
  { with: other }: ComparisonSettings,
  manifest: Manifest,
): Design => ({
  ...first,
  ...(other ?? defaultOther(manifest, first)),
});

/** Refuses to compare a design with itself, because any difference would be random. */
function sameDesignErrors(
  { design: first, latch }: RunSpec,
  settings: ComparisonSettings,
  manifest: Manifest,
): Fault[] {
  if (designErrors(settings.with, manifest, latch).length > 0) return [];
  if (!isSameDesign(manifest, first, secondDesign(first, settings, manifest))) return [];
  return refuse('with', designTitle(manifest, first), 'a design that differs from A').errors;
}

const repeatsErrors = (repeats: Field | null): Fault[] =>
  repeats === null ? [] : integerFaults('repeats', repeats, repeats_range);

function fromErrors(fromS: Field | null, durationS: number): Fault[] {
  if (fromS === null || (typeof fromS === 'number' && fromS >= 0 && fromS < durationS)) return [];
  const allowed = `a number from 0 to below ${durationS}, the duration of a run in seconds`;
  return refuse('from_s', fromS, allowed).errors;
}

function parseSweptDesigns(
  ids: string[] | null,
  manifest: Manifest,
  latch: RunSpec['latch'],
): Parsed<Design[]> {
  const chosen = ids ?? defaultSweptDesigns(manifest);
  const named = namedDesigns(manifest, latch);
  const known = named.map(({ id }) => id);
  if (chosen.length === 0 || chosen.length > SWEPT_DESIGNS_MAX) {
    const value = chosen.length === 0 ? 'none' : `${chosen.length} designs`;
    return refuse('designs', value, `1 to ${SWEPT_DESIGNS_MAX} of ${known.join(', ')}`);
  }
  const unknown = chosen.find((id) => !known.includes(id));
  if (unknown !== undefined) return refuse('designs', unknown, oneOf(known));
  const twice = chosen.find((id, i) => chosen.indexOf(id) !== i);
  if (twice !== undefined) return refuse('designs', twice, 'each design once');
  return { ok: true, value: chosen.map((id) => named.find((design) => design.id === id)!.design) };
}

/** Returns the counts in ascending order. */
function parseCounts(
  { counts }: SweepSettings,
  platform: Platform,
  { manifest, machine }: RunConditions,
): Parsed<number[]> {
  if (counts === null) return { ok: true, value: defaultCounts(manifest, platform, machine) };
  const parsed = parseIntegers(counts, 'counts', threadsRange(manifest, platform), 'thread count');
  if (!parsed.ok) return parsed;
  const numbers = parsed.value;
  if (numbers.length > COUNTS_MAX) {
    return refuse('counts', `${numbers.length} thread counts`, `at most ${COUNTS_MAX} of them`);
  }
  return { ok: true, value: numbers.sort((a, b) => a - b) };
}
