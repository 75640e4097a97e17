// Defines the result of a run as the engine writes it (version 1): its schema, and the types
// derived from it.
import * as z from 'zod/mini';

import { engine_limits } from './engine-limits.ts';
import { all_platforms } from './platforms.ts';
import { result_limits } from './run-result-limits.ts';
import type { RunSpec } from './run-spec-rules.ts';
import {
  choice,
  exactly,
  listOf,
  number,
  numberFrom,
  openObject,
  recordOf,
  text as textOf,
  textInWords,
  truth,
} from './schema-parts.ts';

export const RUN_RESULT_VERSION = 1;
/**
 * Above 2^53, a parsed number differs from the file's in its last digits, which the page never
 * shows.
 */
const COUNT_MAX = 2 ** 64;

export const count_error = 'an integer from 0 to 2^64';
const said = (words: string) => z.describe(words);

const count = number({ min: 0, max: COUNT_MAX }, count_error).check(
  z.refine(Number.isInteger, { error: count_error }),
);
const amount = numberFrom(0);
const share = number({ min: 0, max: 1 });
const text = textOf({ max: result_limits.text_characters });
const A_NAME = 'a name';
const name = textOf({ max: result_limits.name_characters }, A_NAME);

const latency_ms = { mean: amount, p50: amount, p95: amount, p99: amount, max: amount };
const only_modeled = said('virtual server only');
const time_shares = {
  running: share,
  stalled: z.optional(share.check(only_modeled)),
  spinning: share,
  waiting: share.check(said('asleep on a latch')),
  following: z.optional(share.check(said('asleep in a commit group; note 1'))),
  ready: z.optional(share.check(only_modeled)),
  sleeping: share,
  io: share,
};

const spread = openObject({ avg: amount, stddev: amount });
const fewLines = () => listOf(text, 'lines', { max: result_limits.sysbench_lines });

/** Does not check the parts against each other; run-result-file.ts does. */
export const run_result_schema = openObject({
  version: exactly(RUN_RESULT_VERSION).check(said('version of this format')),
  spec: z
    .record(z.string(), z.unknown(), { error: 'a run spec' })
    .check(said('the run spec, every field present')),
  engine: openObject({
    version: text,
    platform: choice(all_platforms),
    build: z.optional(text.check(said('real threads only: any build gives the same virtual result'))),
  }),
  intervals: listOf(
    openObject({
      t_s: amount.check(said('run time at its end')),
      seconds: z.optional(amount.check(said('its length; note 1'))),
      tps: amount.check(said('transactions per second')),
      qps: amount.check(said('queries per second')),
      queries_per_s: z.optional(
        openObject({ read: amount, write: amount, other: amount }).check(said('sysbench’s r/w/o; note 1')),
      ),
      latency_ms: openObject(latency_ms),
      errors_per_s: amount,
      sysbench_line: z.optional(text.check(said('the line that the command line prints; note 2'))),
    }),
    'intervals',
  ),
  totals: openObject({
    seconds: amount.check(said('run time')),
    transactions: count,
    tps: amount,
    latency_ms: openObject({ min: amount, ...latency_ms }),
    threads_fairness: z.optional(
      openObject({ events: spread, execution_s: spread }).check(
        said('over the clients; execution times are estimated from timed transactions'),
      ),
    ),
  }),
  drain: z.optional(
    openObject({ seconds: amount, transactions: count }).check(
      said('work that clients finished after the end of the run; note 3'),
    ),
  ),
  counters: recordOf(
    name,
    count,
    'counters',
    textInWords({ max: result_limits.name_characters }, A_NAME),
  ).check(said('by name ([Telemetry](telemetry.md#counters))')),
  cpu: openObject(time_shares).check(said('shares of the clients’ time; sampled on real threads')),
  engine_cpu: openObject(time_shares).check(said('the same for the server’s own threads')),
  latches: listOf(
    openObject({
      latch: name.check(said('its name in the server’s source')),
      site: name.check(said('the function that takes it')),
      acquisitions: count,
      contended: count,
      spin_rounds: count,
      waits: count.check(said('how often a thread went to sleep for it')),
      wait_ns: count,
      hold_ns: count,
      line_stall_ns: z.optional(count.check(said('virtual server only: stalls on its cache line; note 4'))),
      queue_ns: z.optional(
        count.check(said('virtual server only: time threads polled or slept for it; note 5')),
      ),
      cost_ns: z.optional(count.check(said('virtual server only: total cost of the latch; note 6'))),
      samples_waiting: count.check(said('samples that found a thread asleep here')),
      samples_spinning: count.check(said('samples that found a thread polling here')),
    }),
    'latches',
  ),
  stacks: listOf(
    openObject({ frames: listOf(name, 'functions').check(said('outermost first')), samples: count }),
    'stacks',
  ).check(said('the most frequent, of clients and of the server’s own threads')),
  stack_samples: z.optional(
    listOf(
      openObject({
        t_s: amount,
        stacks: listOf(openObject({ frames: listOf(name, 'functions'), threads: count }), 'stacks'),
      }),
      'samples',
      { max: engine_limits.stack_samples_max },
    ).check(said('only if the run spec asks: threads by stack')),
  ),
  log: listOf(text, 'lines').check(said('the server’s error log and slow query log')),
  model: z.optional(
    openObject({
      time_ps: count,
      events: count,
      event_hash: name.check(said('of each event’s time and thread: equal for equal runs')),
      context_switches: count,
      busy_ps: count,
      bucket_spin_ps: count,
      futex_waits: count,
      futex_wakes: count,
    }).check(said('virtual server only: includes loading the data')),
  ),
  latches_stopped: z.optional(
    listOf(openObject({ knob: name, at_s: amount }), 'stops', { max: result_limits.latches_stopped }).check(
      said('knob and run time at which a latch of yours was stopped'),
    ),
  ),
  stopped_early: z.optional(text.check(said('why the run ended early: `events_max` or a signal’s name'))),
  invariants: listOf(openObject({ name: text, ok: truth(), detail: text }), 'invariants').check(
    said('must hold under every design; checked at the end'),
  ),
  sysbench: z.optional(
    openObject({ header: fewLines(), report: fewLines() }).check(
      said('what the command line prints before and after the interval lines'),
    ),
  ),
});

/** A result whose spec this page knows. */
export type RunResult = Omit<z.infer<typeof run_result_schema>, 'spec'> & { spec: RunSpec };

/** An interval, for which sysbench prints a line. */
export type RunInterval = RunResult['intervals'][number];
