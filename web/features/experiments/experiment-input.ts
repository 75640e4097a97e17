// Parses a comparison or a sweep of a script: a run spec with additional fields.
//    { version: 1, scenario: 'undo-read-117533', design: 'original', with: 'fixed', repeats: 5 }
//    { version: 1, scenario: 'undo-read-117533', designs: ['original', 'fixed'], counts: [1, 8] }
import type { ComparisonSettings, ExperimentKind, Plan, SweepSettings } from '../../contract/experiment-plan';
import { defaultSettings, type ExperimentSettings } from './experiment-link';
import { planComparison, planSweep } from './experiment-plan';
import type { Design } from '../../contract/design';
import { describeValue, isObject } from '../../contract/fault';
import type { LinkTarget } from '../../session/link';
import { refuse } from '../../session/series-settings';
import type { Scenario } from '../../contract/manifest';
import { parseRunSpec, type Machine, type Parsed, type RunSpec } from '../../contract/run-spec';
import { scenarioOfSpec } from '../../contract/workload-manifest';

/** Returns the view that shows it, with its fields, or all faults. */
export function parseExperimentInput(
  kind: ExperimentKind,
  input: unknown,
  scenarios: readonly Scenario[],
  machine: Machine,
): Parsed<LinkTarget> {
  const parsed = parseExperiment(kind, input, scenarios, machine);
  if (!parsed.ok) return parsed;
  const { spec, settings } = parsed.value;
  const view = kind === 'sweep' ? 'sweep' : 'compare';
  return { ok: true, value: { view, spec, ofFeatures: { ...defaultSettings, ...settings } } };
}

/** For the virtual server, which does not depend on the machine. */
export const anyMachine: Machine = { cores: 1, platforms: ['virtual'] };

interface ParsedExperiment {
  spec: RunSpec;
  settings: Partial<ExperimentSettings>;
  plan: Plan;
}

export function parseExperiment(
  kind: ExperimentKind,
  input: unknown,
  scenarios: readonly Scenario[],
  machine: Machine,
): Parsed<ParsedExperiment> {
  if (!isObject(input)) return refuse(kind, input, 'an object');
  const { with: other, designs, counts, repeats, from_s, ...rest } = input;
  const misplaced = Object.entries(kind === 'sweep' ? { with: other } : { designs, counts });
  for (const [field, value] of misplaced) {
    if (value !== undefined) return refuse(field, value, `nothing: this is a ${kind}`);
  }
  const parsed = parseRunSpec(rest, scenarios, machine);
  if (!parsed.ok) return parsed;
  const spec = parsed.value;
  const { manifest } = scenarioOfSpec(spec, scenarios)!;
  const common = { repeats: fieldOrNull(repeats), from_s: fieldOrNull(from_s) };
  const comparisonSettings: ComparisonSettings = { with: designOf(other, manifest.designs), ...common };
  const sweepSettings: SweepSettings = {
    designs: designs === undefined ? null : [designs].flat().map(describeValue),
    counts: counts === undefined ? null : [counts].flat().map(describeValue).join(','),
    ...common,
  };
  const context = { manifest, machine };
  const plan =
    kind === 'sweep'
      ? planSweep(spec, sweepSettings, context)
      : planComparison(spec, comparisonSettings, context);
  if (!plan.ok) return plan;
  const settings = kind === 'sweep' ? { sweepSettings } : { comparisonSettings };
  return { ok: true, value: { spec, settings, plan: plan.value } };
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
