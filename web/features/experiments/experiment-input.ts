// Parses a comparison or a sweep of a script: a run spec with additional fields.
//    { version: 1, scenario: 'undo-read-117533', design: 'original', with: 'fixed', repeats: 5 }
//    { version: 1, scenario: 'undo-read-117533', designs: ['original', 'fixed'], counts: [1, 8] }
import type { ComparisonSettings, ExperimentKind, SweepSettings } from '../../contract/experiment-plan';
import { defaultSettings } from './experiment-link';
import { planComparison, planSweep } from './experiment-plan';
import type { Design } from '../../contract/design';
import type { LinkTarget } from '../../session/link';
import type { Scenario } from '../../contract/manifest';
import { parseRunSpec, type Machine, type Parsed } from '../../contract/run-spec';
import { describeValue } from '../../contract/versions';

export function parseExperimentInput(
  kind: ExperimentKind,
  input: unknown,
  scenarios: readonly Scenario[],
  machine: Machine,
): Parsed<LinkTarget> {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    return { ok: false, errors: [{ field: kind, value: describeValue(input), allowed: 'an object' }] };
  }
  const { with: other, designs, counts, repeats, from_s, ...rest } = input as Record<string, unknown>;
  const misplaced = Object.entries(kind === 'sweep' ? { with: other } : { designs, counts });
  for (const [field, value] of misplaced) {
    if (value === undefined) continue;
    const allowed = `nothing: this is a ${kind}`;
    return { ok: false, errors: [{ field, value: describeValue(value), allowed }] };
  }
  const parsed = parseRunSpec(rest, scenarios, machine);
  if (!parsed.ok) return parsed;
  const spec = parsed.value;
  const { manifest } = scenarios.find((known) => known.manifest.id === spec.scenario)!;
  const common = { repeats: fieldOrNull(repeats), from_s: fieldOrNull(from_s) };
  const comparisonSettings: ComparisonSettings = { with: designOf(other, manifest.designs), ...common };
  const sweepSettings: SweepSettings = {
    designs: designs === undefined ? null : [designs].flat().map(describeValue),
    counts: counts === undefined ? null : [counts].flat().map(describeValue).join(','),
    ...common,
  };
  const plan =
    kind === 'sweep'
      ? planSweep(spec, sweepSettings, { manifest, machine })
      : planComparison(spec, comparisonSettings, { manifest, machine });
  if (!plan.ok) return plan;
  const settings =
    kind === 'sweep' ? { ...defaultSettings, sweepSettings } : { ...defaultSettings, comparisonSettings };
  const view = kind === 'sweep' ? 'sweep' : 'compare';
  return { ok: true, value: { view, spec, ofFeatures: settings } };
}

const fieldOrNull = (value: unknown) =>
  value === undefined ? null : typeof value === 'number' ? value : describeValue(value);

/** Accepts a preset's name, or a variant per knob. The check of the plan reports anything else. */
function designOf(other: unknown, designs: Record<string, Design>): Design | null {
  if (other === undefined) return null;
  if (typeof other === 'string') return Object.hasOwn(designs, other) ? designs[other]! : { design: other };
  if (typeof other !== 'object' || other === null) return { design: describeValue(other) };
  return Object.fromEntries(Object.entries(other).map(([knob, variant]) => [knob, describeValue(variant)]));
}
