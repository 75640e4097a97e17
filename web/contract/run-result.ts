// What came out of a run, as the engine writes it (version 1): its schema, and the types that follow from it.
import * as z from 'zod/mini';

import { all_platforms } from './platforms.ts';
import { isVisible } from './printable.ts';
import { result_limits } from './run-result-limits.ts';
import type { RunSpec } from './run-spec.ts';

export const RUN_RESULT_VERSION = 1;
/** Beyond 2^53 a number that is parsed differs from the one in the file in its last digits, which nothing shows. */
const COUNT_MAX = 2 ** 64;

// Every message of this schema is the `allowed` of an error.
const amount_error = 'a number from 0';
const amount = z.number({ error: amount_error }).check(z.gte(0, { error: amount_error }));
export const count_error = 'an integer from 0 to 2^64';
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

const spread = objectOf({ avg: amount, stddev: amount });

function fewLines() {
  const error = `up to ${result_limits.sysbench_lines} lines`;
  return listOf(text, 'lines').check(z.maxLength(result_limits.sysbench_lines, { error }));
}

const latency_ms = { mean: amount, p50: amount, p95: amount, p99: amount, max: amount };
const time_shares = { running: share, spinning: share, waiting: share, sleeping: share, io: share };

/** Nothing in it is checked against anything else: that is done where a file is read (run-result-file.ts). */
export const run_result_schema = objectOf({
  version: z.literal(RUN_RESULT_VERSION),
  spec: z.record(z.string(), z.unknown(), { error: 'a run spec' }),
  /** A modelled server gives the same result whoever computes it: it does not say by which build. */
  engine: objectOf({
    version: text,
    platform: z.enum(all_platforms, { error: `one of ${all_platforms.join(', ')}` }),
    build: z.optional(text),
  }),
  intervals: listOf(
    objectOf({
      t_s: amount,
      /** Its length, and sysbench's line of it: files of before 24 November 2026 do not have them. What is left at the end of a run has no line. */
      seconds: z.optional(amount),
      tps: amount,
      qps: amount,
      /** sysbench's r/w/o. Files of before November 2026 do not have it. */
      queries_per_s: z.optional(objectOf({ read: amount, write: amount, other: amount })),
      latency_ms: objectOf(latency_ms),
      errors_per_s: amount,
      sysbench_line: z.optional(text),
    }),
    'intervals',
  ),
  totals: objectOf({
    seconds: amount,
    transactions: count,
    tps: amount,
    latency_ms: objectOf({ min: amount, ...latency_ms }),
    /** Over the clients; execution times are estimated from those that were timed. */
    threads_fairness: z.optional(objectOf({ events: spread, execution_s: spread })),
  }),
  counters: z.record(name, count, {
    error: ({ code }) => (code === 'invalid_key' ? name_error : 'an object of counters'),
  }),
  /** Shares of the clients' time. */
  cpu: objectOf(time_shares),
  /** Shares of the time of the server's own threads. */
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
      /** On a modelled server: how long threads stalled on its cache line. */
      line_stall_ns: z.optional(count),
      /** Looks that found a thread asleep here, and polling here. */
      samples_waiting: count,
      samples_spinning: count,
    }),
    'latches',
  ),
  stacks: listOf(objectOf({ frames: listOf(name, 'functions'), samples: count }), 'stacks'),
  log: listOf(text, 'lines'),
  /** Of the virtual platform: what the modelled server did, loading the data included. */
  model: z.optional(
    objectOf({
      time_ps: count,
      events: count,
      /** Over the time and the thread of every event: equal for equal runs. */
      event_hash: name,
      context_switches: count,
      busy_ps: count,
      bucket_spin_ps: count,
      futex_waits: count,
      futex_wakes: count,
    }),
  ),
  /** Why the run ended before its time. */
  stopped_early: z.optional(text),
  invariants: listOf(objectOf({ name: text, ok: truth, detail: text }), 'invariants'),
  /** What sysbench prints before and after the lines of the intervals. */
  sysbench: z.optional(objectOf({ header: fewLines(), report: fewLines() })),
});

/** The spec of a result that was read is one that this page knows. */
export type RunResult = Omit<z.infer<typeof run_result_schema>, 'spec'> & { spec: RunSpec };

/** What sysbench prints a line for. */
export type RunInterval = RunResult['intervals'][number];

export type LatencyMs = Omit<RunResult['totals']['latency_ms'], 'min'>;
