// A run result that was saved to a file, by this page or by the command line, read again. Nothing of a file is shown
// unless all of it is sound.
import * as z from 'zod/mini';

import { FAULTS_TOLD_MAX, toldFaults, type FieldError } from './field-error';
import { all_platforms } from './platforms';
import { isVisible } from './printable';
import type { Scenario } from './manifest';
import type { RunResult } from './run-result';
import { fileSizeFaults, result_limits, shapeFaults, sizeFaults } from './run-result-limits';
import { A_RUN_RESULT } from './run-result-text';
import { fieldErrors, parseRunSpec, type Parsed } from './run-spec';
import { describeValue, upgrade, type Upgraders } from './versions';

export const RUN_RESULT_VERSION = 1;
/** Beyond 2^53 a number that is parsed differs from the one in the file in its last digits, which nothing shows. */
const COUNT_MAX = 2 ** 64;
/** What it takes to print sysbench's report. */
const COUNTERS_NEEDED = [
  'transactions',
  'queries_read',
  'queries_write',
  'queries_other',
  'errors',
  'latency_samples',
];

/** From version n to n + 1. Empty as long as 1 is the only version. */
const run_result_upgraders: Upgraders = {};

/** Checks the content of a file and names its faults, the first of each kind. */
export function parseRunResult(text: string, scenarios: readonly Scenario[]): Parsed<RunResult> {
  const too_large = fileSizeFaults(text.length);
  if (too_large.length > 0) return refuse(too_large);
  const too_much = shapeFaults(text);
  if (too_much.length > 0) return refuse(too_much);
  const content = parseJson(text);
  if (!content.ok) return content;
  const upgraded = upgrade(content.value, 'version', RUN_RESULT_VERSION, run_result_upgraders);
  if (!upgraded.ok) return refuse(upgraded.errors);
  const too_many = sizeFaults(upgraded.content);
  if (too_many.length > 0) return refuse(too_many);
  const parsed = run_result_schema.safeParse(upgraded.content);
  if (!parsed.success) {
    const fields = Object.keys(run_result_schema.shape);
    const issues = parsed.error.issues.slice(0, FAULTS_TOLD_MAX);
    return refuse(issues.flatMap((issue) => fieldErrors(issue, upgraded.content, fields)));
  }
  // As it stood in the file: the schema passes over fields with a reserved name.
  const { spec: given } = upgraded.content as { spec: Record<string, unknown> };
  const spec = parseRunSpec(ofThisPage(given), scenarios, any_machine);
  if (!spec.ok) return refuse(spec.errors.map((error) => ({ ...error, field: `spec.${error.field}` })));
  const result = { ...parsed.data, spec: spec.value } as RunResult;
  const errors = contradictions(result);
  return errors.length > 0 ? refuse(errors) : { ok: true, value: result };
}

/** A result can be looked at wherever it comes from, also where its platform cannot run. */
const any_machine = { cores: 1, platforms: all_platforms };

// Samples of all threads' stacks are asked for on the command line only; they change nothing else about a run.
function ofThisPage(spec: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(spec).filter(([field]) => field !== 'stack_samples'));
}

function parseJson(text: string): Parsed<Record<string, unknown>> {
  try {
    const content: unknown = JSON.parse(withoutByteOrderMark(text));
    if (typeof content === 'object' && content !== null && !Array.isArray(content)) {
      return { ok: true, value: content as Record<string, unknown> };
    }
    return refuse([{ field: 'file', value: describeValue(content), allowed: A_RUN_RESULT }]);
  } catch (error) {
    const value = text.trim() === '' ? '' : `no JSON (${error instanceof Error ? error.message : 'broken'})`;
    return refuse([{ field: 'file', value, allowed: A_RUN_RESULT }]);
  }
}

const withoutByteOrderMark = (text: string) => text.replace(/^\uFEFF/, '');

// Every message of this schema is the `allowed` of an error.
const amount_error = 'a number from 0';
const amount = z.number({ error: amount_error }).check(z.gte(0, { error: amount_error }));
const count_error = 'an integer from 0 to 2^64';
const count = z
  .number({ error: count_error })
  .check(z.gte(0, { error: count_error }), z.lte(COUNT_MAX, { error: count_error }))
  .check(z.refine(Number.isInteger, { error: count_error }));
const share_error = 'a number from 0 to 1';
const share = z
  .number({ error: share_error })
  .check(z.gte(0, { error: share_error }), z.lte(1, { error: share_error }));
const text = textOf('a text', result_limits.text_characters);
const name_error = inWords('a name', result_limits.name_characters);
const name = textOf('a name', result_limits.name_characters);
const truth = z.boolean({ error: 'true or false' });

function inWords(what: string, characters_max: number): string {
  return `${what} of up to ${characters_max.toLocaleString('en')} characters, all of them visible`;
}

function textOf(what: string, characters_max: number) {
  const error = inWords(what, characters_max);
  return z.string({ error }).check(z.maxLength(characters_max, { error }), z.refine(isVisible, { error }));
}

const listOf = <Item extends z.core.$ZodType>(item: Item, of: string) =>
  z.array(item, { error: `a list of ${of}` });

// What a later engine adds within version 1 is passed over.
const objectOf = <Shape extends z.core.$ZodShape>(shape: Shape) =>
  z.object(shape, { error: `an object with ${Object.keys(shape).join(', ')}` });

const latency_ms = { mean: amount, p50: amount, p95: amount, p99: amount, max: amount };
const time_shares = { running: share, spinning: share, waiting: share, sleeping: share, io: share };

const run_result_schema = objectOf({
  version: z.literal(RUN_RESULT_VERSION),
  spec: z.record(z.string(), z.unknown(), { error: 'a run spec' }),
  engine: objectOf({
    version: text,
    platform: z.enum(all_platforms, { error: `one of ${all_platforms.join(', ')}` }),
    build: z.optional(text),
  }),
  intervals: listOf(
    objectOf({
      t_s: amount,
      tps: amount,
      qps: amount,
      queries_per_s: z.optional(objectOf({ read: amount, write: amount, other: amount })),
      latency_ms: objectOf(latency_ms),
      errors_per_s: amount,
    }),
    'intervals',
  ),
  totals: objectOf({
    seconds: amount,
    transactions: count,
    tps: amount,
    latency_ms: objectOf({ min: amount, ...latency_ms }),
  }),
  counters: z.record(name, count, {
    error: ({ code }) => (code === 'invalid_key' ? name_error : 'an object of counters'),
  }),
  cpu: objectOf(time_shares),
  engine_cpu: objectOf(time_shares),
  latches: listOf(
    objectOf({
      latch: name,
      site: name,
      acquisitions: count,
      contended: count,
      spin_rounds: count,
      waits: count,
      wait_ns: count,
      hold_ns: count,
      line_stall_ns: z.optional(count),
      samples_waiting: count,
      samples_spinning: count,
    }),
    'latches',
  ),
  stacks: listOf(objectOf({ frames: listOf(name, 'functions'), samples: count }), 'stacks'),
  log: listOf(text, 'lines'),
  model: z.optional(
    objectOf({
      time_ps: count,
      events: count,
      event_hash: name,
      context_switches: count,
      busy_ps: count,
      bucket_spin_ps: count,
      futex_waits: count,
      futex_wakes: count,
    }),
  ),
  stopped_early: z.optional(text),
  invariants: listOf(objectOf({ name: text, ok: truth, detail: text }), 'invariants'),
});

/** What each part may say, but not both together. */
function contradictions({ spec, engine, intervals, counters }: RunResult): FieldError[] {
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

const refuse = (errors: FieldError[]): { ok: false; errors: FieldError[] } => ({
  ok: false,
  errors: toldFaults(errors),
});
