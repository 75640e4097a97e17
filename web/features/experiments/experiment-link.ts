// Formats and parses the fields of a comparison or a sweep in a link, in addition to the run spec:
//    #v=1&view=compare&scenario=undo-read-117533&with.purge_latch=view_guard&repeats=5
//    #v=1&view=sweep&scenario=undo-read-117533&designs=original,fixed&counts=1,2,4,8&repeats=2
import type { ComparisonSettings, SweepSettings } from '../../contract/experiment-plan';
import type { Fault } from '../../contract/fault';
import { numberIfHeld } from '../../contract/run-spec-pairs';
import { defaultComparison, defaultSweep, planComparison, planSweep } from './experiment-plan';
import type { Manifest } from '../../contract/manifest';
import type { Machine, Parsed, RunSpec } from '../../contract/run-spec';
import type { View } from '../../session/store';

export interface ExperimentSettings {
  comparisonSettings: ComparisonSettings;
  sweepSettings: SweepSettings;
}

export const defaultSettings: ExperimentSettings = {
  comparisonSettings: defaultComparison,
  sweepSettings: defaultSweep,
};

const fieldsOfViews: Partial<Record<View, readonly string[]>> = {
  compare: ['repeats', 'from_s'],
  sweep: ['designs', 'counts', 'repeats', 'from_s'],
};
const WITH = 'with.';
export const experimentFields = ['with.…', 'designs', 'counts', 'repeats', 'from_s'];

export const isExperimentField = (key: string) =>
  key.startsWith(WITH) || Object.values(fieldsOfViews).flat().includes(key);

/** Thread counts and times depend on the platform. */
export const isExperimentFieldOfAnyPlatform = (key: string) =>
  key.startsWith(WITH) || key === 'designs' || key === 'repeats';

/** Returns only values that differ from the defaults. */
export function experimentPairs(
  view: View,
  { comparisonSettings, sweepSettings }: ExperimentSettings,
): [string, string][] {
  if (view === 'compare') {
    const { with: other, repeats, from_s } = comparisonSettings;
    const variants = Object.entries(other ?? {}).map(([knob, variant]) => [WITH + knob, variant] as const);
    return present([...variants, ['repeats', repeats], ['from_s', from_s]]);
  }
  if (view !== 'sweep') return [];
  const { designs, counts, repeats, from_s } = sweepSettings;
  return present([
    ['designs', designs?.join(',') ?? null],
    ['counts', counts?.replaceAll(/[,\s]+/g, ',') ?? null],
    ['repeats', repeats],
    ['from_s', from_s],
  ]);
}

const present = (pairs: (readonly [string, string | number | null])[]): [string, string][] =>
  pairs.flatMap(([key, value]) => (value === null ? [] : [[key, String(value)]]));

/** Returns faults of fields that mean nothing in the link's view. */
export function misplacedFields(view: View, pairs: readonly [string, string][]): Fault[] {
  return pairs.flatMap(([key, value]) => {
    if (!isExperimentField(key)) return [];
    const views = Object.entries(fieldsOfViews).flatMap(([of, fields]) =>
      fields.includes(key) || (of === 'compare' && key.startsWith(WITH)) ? [of] : [],
    );
    if (views.includes(view)) return [];
    return [{ field: key, value, allowed: `only with view=${views.join(' or view=')}` }];
  });
}

export function parseExperiments(
  view: View,
  pairs: readonly [string, string][],
  spec: RunSpec,
  context: { manifest: Manifest; machine: Machine },
): Parsed<ExperimentSettings> {
  const fields = new Map(pairs);
  const numberOf = (key: string) => (fields.has(key) ? numberIfHeld(fields.get(key)!) : null);
  const common = { repeats: numberOf('repeats'), from_s: numberOf('from_s') };
  if (view === 'compare') {
    const variants = pairs.flatMap(([key, value]) =>
      key.startsWith(WITH) ? [[key.slice(WITH.length), value] as const] : [],
    );
    const other = variants.length > 0 ? Object.fromEntries(variants) : null;
    const settings = { ...defaultComparison, with: other, ...common };
    const plan = planComparison(spec, settings, context);
    return plan.ok ? { ok: true, value: { ...defaultSettings, comparisonSettings: settings } } : plan;
  }
  if (view !== 'sweep') return { ok: true, value: defaultSettings };
  const designs = fields.get('designs')?.split(',') ?? null;
  const settings = { designs, counts: fields.get('counts') ?? null, ...common };
  const plan = planSweep(spec, settings, context);
  return plan.ok ? { ok: true, value: { ...defaultSettings, sweepSettings: settings } } : plan;
}
