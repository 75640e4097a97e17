// Parses a study of a script: a run spec with additional fields.
//    { version: 1, scenario: 'undo-read-117533', platform: 'virtual', study: { kind: 'profile' } }
//    { version: 1, scenario: 'fil-mutex-69276', platform: 'virtual',
//      study: { kind: 'curve', latch: 'fil_system->mutex', scale: [0, 100] } }
import { describeValue, isObject } from '../../contract/fault';
import type { Scenario } from '../../contract/manifest';
import { parseRunSpec, type Machine, type Parsed } from '../../contract/run-spec';
import { scenarioOfSpec } from '../../contract/workload-manifest';
import type { LinkTarget } from '../../session/link';
import { refuse } from '../../session/series-settings';
import { isNumberField, isStudyField, settingsOf } from './study-link';
import { planStudy } from './study-plan';

export function parseStudyInput(
  input: unknown,
  scenarios: readonly Scenario[],
  machine: Machine,
): Parsed<LinkTarget> {
  if (!isObject(input)) return refuse('what-if', input, 'an object');
  const { study = {}, ...rest } = input;
  if (!isObject(study)) return refuse('study', study, 'an object');
  const unknown = Object.keys(study).find((field) => field !== 'kind' && !isStudyField(`study.${field}`));
  if (unknown !== undefined) return refuse(`study.${unknown}`, study[unknown], 'no such field');
  const parsed = parseRunSpec(rest, scenarios, machine);
  if (!parsed.ok) return parsed;
  const settings = settingsOf((field) => writtenOf(field, study[field]));
  if (!settings.ok) return settings;
  const scenario = scenarioOfSpec(parsed.value, scenarios)!;
  const plan = planStudy(parsed.value, settings.value, { scenario, scenarios, machine });
  if (!plan.ok) return plan;
  const ofFeatures = { studySettings: settings.value };
  return { ok: true, value: { view: 'what_if', spec: parsed.value, ofFeatures } };
}

/**
 * Converts a value to typed text, but keeps a number in a number field. The check of the plan
 * reports values that are not allowed.
 */
function writtenOf(field: string, value: unknown): unknown {
  if (value === undefined || (typeof value === 'number' && isNumberField(field))) return value;
  return Array.isArray(value) ? value.map(describeValue).join(',') : describeValue(value);
}
