// Plans the runs of a file of checks (contract/checks.ts).
import { all_scenarios } from '../../contract/all-scenarios';
import {
  checks_schema,
  type Check,
  type Checks,
  type ComparisonCheck,
  type RunCheck,
} from '../../contract/checks';
import type { Plan } from '../../contract/experiment-plan';
import type { Fault } from '../../contract/fault';
import { parseRunSpec, type Parsed, type RunSpec } from '../../contract/run-spec';
import { faultsInWords } from '../../contract/schema-faults';
import { refuse, seedFaults } from '../../session/series-settings';
import { anyMachine, parseExperiment } from './experiment-input';

/** A check and its runs: one per seed, or those of a comparison's plan. */
export type PlannedCheck =
  { check: RunCheck; specs: RunSpec[] } | { check: ComparisonCheck; specs: RunSpec[]; plan: Plan };

/**
 * Returns the runs of all checks, or all faults of the file. `counters`: the names of the engine's
 * counters. A workload has more of its own.
 */
export function planChecks(document: unknown, counters: readonly string[]): Parsed<PlannedCheck[]> {
  const parsed = checks_schema.safeParse(document);
  if (!parsed.success) return { ok: false, errors: faultsInWords(parsed.error.issues, document) };
  const { checks }: Checks = parsed.data;
  const planned = checks.map((check, place) => planCheck(check, `checks[${String(place)}]`, counters));
  const errors = planned.flatMap((one) => (one.ok ? [] : one.errors));
  if (errors.length > 0) return { ok: false, errors };
  return { ok: true, value: planned.flatMap((one) => (one.ok ? [one.value] : [])) };
}

function planCheck(check: Check, field: string, counters: readonly string[]): Parsed<PlannedCheck> {
  return 'run' in check ? planRuns(check, field, counters) : planPairs(check, field);
}

function planRuns(check: RunCheck, field: string, counters: readonly string[]): Parsed<PlannedCheck> {
  const { run, seeds = 1, expect } = check;
  const parsed = parseRunSpec({ version: 1, ...run }, all_scenarios, anyMachine);
  if (!parsed.ok) return { ok: false, errors: below(`${field}.run`, parsed.errors) };
  const spec = parsed.value;
  const errors = [
    ...below(`${field}.run`, [...endlessFaults(spec), ...seedFaults(spec, seeds, 'seeds')]),
    ...digestFaults(check, field),
    ...emptyFaults(expect, field),
    ...unknownCounters(check, field, [...counters, ...(spec.workload?.program.counters ?? [])]),
  ];
  if (errors.length > 0) return { ok: false, errors };
  const specs = Array.from({ length: seeds }, (_, place) => ({ ...spec, seed: spec.seed + place }));
  return { ok: true, value: { check, specs } };
}

function planPairs(check: ComparisonCheck, field: string): Parsed<PlannedCheck> {
  const { compare, seeds, expect } = check;
  const place = `${field}.compare`;
  if (compare.repeats !== undefined) {
    const allowed = `nothing: ${field}.seeds is the number of pairs`;
    return refuse(`${place}.repeats`, compare.repeats, allowed);
  }
  const input = { version: 1, ...compare, ...(seeds === undefined ? {} : { repeats: seeds }) };
  const parsed = parseExperiment('comparison', input, all_scenarios, anyMachine);
  const errors = [...(parsed.ok ? [] : below(place, parsed.errors)), ...emptyFaults(expect, field)];
  if (errors.length > 0 || !parsed.ok) return { ok: false, errors };
  const { plan } = parsed.value;
  return { ok: true, value: { check, plan, specs: plan.runs.map(({ spec }) => spec) } };
}

const below = (place: string, faults: readonly Fault[]): Fault[] =>
  faults.map((fault) => ({ ...fault, field: `${place}.${fault.field}` }));

const endlessFaults = ({ duration_s }: RunSpec): Fault[] =>
  duration_s === null
    ? [{ field: 'duration_s', value: 'missing', allowed: 'a number, because the run of a check must end' }]
    : [];

const digestFaults = ({ expect, seeds = 1 }: RunCheck, field: string): Fault[] =>
  expect.sha256 !== undefined && seeds > 1
    ? [{ field: `${field}.seeds`, value: String(seeds), allowed: '1, because of expect.sha256' }]
    : [];

/** A check without an expectation could never fail. */
function emptyFaults(expect: Check['expect'], field: string): Fault[] {
  const { counters, ...figures }: RunCheck['expect'] = expect as RunCheck['expect'];
  if (Object.keys({ ...counters, ...figures }).length > 0) return [];
  return [{ field: `${field}.expect`, value: 'nothing', allowed: 'at least one figure with a bound' }];
}

function unknownCounters({ expect }: RunCheck, field: string, counters: readonly string[]): Fault[] {
  const unknown = Object.keys(expect.counters ?? {}).filter((name) => !counters.includes(name));
  const allowed =
    'a counter of a run result, such as transactions, or of the workload; docs/reference/telemetry.md lists them';
  return unknown.map((name) => ({ field: `${field}.expect.counters`, value: name, allowed }));
}
