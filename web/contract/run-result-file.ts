// Reads a run result that this page or the command line saved. The page shows nothing of a file
// that has any fault.
import { FAULTS_TOLD_MAX, versionFaults, type Fault } from './fault.ts';
import { all_platforms } from './platforms.ts';
import type { Scenario } from './manifest.ts';
import { count_error, run_result_schema, RUN_RESULT_VERSION, type RunResult } from './run-result.ts';
import { fileSizeFaults, shapeFaults, sizeFaults } from './run-result-limits.ts';
import { A_RUN_RESULT, parseJsonObject, refuse } from './run-result-text.ts';
import { parseRunSpec, type Parsed } from './run-spec.ts';
import { faultsInWords } from './schema-faults.ts';
import { scenarioOfSpec } from './workload-manifest.ts';

/** Counters that the page shows for every run. */
const COUNTERS_NEEDED = [
  'transactions',
  'queries_read',
  'queries_write',
  'queries_other',
  'errors',
  'latency_samples',
];

/** Checks the content of a file and reports its faults, the first of each kind. */
export function parseRunResult(text: string, scenarios: readonly Scenario[]): Parsed<RunResult> {
  const too_large = fileSizeFaults(text.length);
  if (too_large.length > 0) return refuse(too_large);
  const too_much = shapeFaults(text);
  if (too_much.length > 0) return refuse(too_much);
  const json = parseJsonObject(text, A_RUN_RESULT);
  if (!json.ok) return json;
  const content = json.value;
  const of_other_version = versionFaults(content.version, RUN_RESULT_VERSION);
  if (of_other_version.length > 0) return refuse(of_other_version);
  const too_many = sizeFaults(content);
  if (too_many.length > 0) return refuse(too_many);
  const parsed = run_result_schema.safeParse(content);
  if (!parsed.success) {
    const issues = parsed.error.issues.slice(0, FAULTS_TOLD_MAX);
    return refuse(faultsInWords(issues, content));
  }
  // Uses the spec of the file: the schema skips fields with a reserved name.
  const { spec: given } = content as { spec: Record<string, unknown> };
  const spec = parseRunSpec(given, scenarios, any_machine);
  if (!spec.ok) return refuse(spec.errors.map((error) => ({ ...error, field: `spec.${error.field}` })));
  const result: RunResult = { ...parsed.data, spec: spec.value };
  const errors = [...contradictions(result), ...unknownKnobs(result, scenarios)];
  return errors.length > 0 ? refuse(errors) : { ok: true, value: result };
}

/** The page can show a result even if its platform cannot run here. */
const any_machine = { cores: 1, platforms: all_platforms };

/** Returns missing counters, and contradictions between parts that are valid on their own. */
function contradictions({ spec, engine, intervals, counters }: RunResult): Fault[] {
  const missing = COUNTERS_NEEDED.filter((name) => counters[name] === undefined).map((name) => ({
    field: `counters.${name}`,
    value: 'missing',
    allowed: count_error,
  }));
  const backwards = intervals.findIndex(({ t_s }, i) => i > 0 && t_s <= intervals[i - 1]!.t_s);
  return [
    ...missing,
    ...(engine.platform === spec.platform
      ? []
      : [
          {
            field: 'engine.platform',
            value: engine.platform,
            allowed: `that of the run spec: ${spec.platform}`,
          },
        ]),
    ...(backwards < 0
      ? []
      : [
          {
            field: `intervals[${backwards}].t_s`,
            value: String(intervals[backwards]!.t_s),
            allowed: `more than ${intervals[backwards - 1]!.t_s}: the end of the interval before`,
          },
        ]),
  ];
}

/** Reports stopped latches at knobs that the bug does not have. */
function unknownKnobs({ spec, latches_stopped = [] }: RunResult, scenarios: readonly Scenario[]): Fault[] {
  const knobs = scenarioOfSpec(spec, scenarios)!.manifest.knobs.map(({ id }) => id);
  return latches_stopped.flatMap(({ knob }, i) =>
    knobs.includes(knob)
      ? []
      : [{ field: `latches_stopped[${i}].knob`, value: knob, allowed: knobs.join(', ') }],
  );
}
