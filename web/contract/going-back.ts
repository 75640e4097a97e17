// Defines the command line's output for a rewound run, and for the comparison of two runs (version
// 1).
import * as z from 'zod/mini';

import { run_result_schema } from './run-result.ts';
import {
  aNumber,
  choice,
  exactly,
  integerFrom,
  listOf,
  numberFrom,
  openObject,
  recordOf,
  text as textOf,
  truth,
} from './schema-parts.ts';

const said = (words: string) => z.describe(words);
const name = textOf({ max: 200 }, 'a name');
const run_spec = z.record(z.string(), z.unknown(), { error: 'a run spec' });

/** Output of `latchscope run --rewind-to` and `--fork-at`, with `--json`. */
export const run_taken_back_schema = openObject({
  version: exactly(1).check(said('of this form')),
  rewind_to_s: numberFrom(0).check(said('time it went back to; note 1')),
  step: z.optional(
    z
      .record(z.string(), z.unknown(), { error: 'an entry of actions, or at_s and what_if' })
      .check(said('`--fork-at` only: an entry of `actions`, or `at_s` and `what_if`')),
  ),
  same: truth().check(said('both results are equal, byte for byte')),
  first: run_result_schema.check(said('run result of the uninterrupted run')),
  again: run_result_schema.check(said('run result after going back')),
});

const estimate = openObject({
  mean: aNumber(),
  low: z.optional(aNumber()),
  high: z.optional(aNumber()),
});
const compared = openObject({ a: estimate, b: estimate, ratio: z.optional(estimate) });
const comparedAs = (words: string) => openObject({ ...compared.shape }).check(said(words));

const noted_event_schema = openObject({
  event: integerFrom(1).check(said('its number since the server was built')),
  run_ns: aNumber().check(said('run time; below 0 while the server is built')),
  thread: name.check(said('`client 0`, an engine thread’s name, or `coordinator`; empty: unknown')),
  kind: choice(['goes_on', 'access', 'store', 'wakes', 'timer', 'polls']).check(
    said('kind of event; note 2'),
  ),
  latch: z.optional(name.check(said('its name, or its class if the name is not known yet'))),
  access: z.optional(
    choice(['load', 'poll', 'store', 'read_modify_write', 'failed_compare_exchange']).check(
      said('kind of access to a word of the latch'),
    ),
  ),
  word: z.optional(name.check(said('word of the latch'))),
  state: z.optional(name.check(said('state of the thread'))),
  stack: z.optional(listOf(name, 'functions').check(said('outermost first'))),
});
export type NotedEvent = z.infer<typeof noted_event_schema>;

/** The field that contains the object describes the meaning of null. */
const orNull = <Schema extends z.core.$ZodType>(schema: Schema) =>
  z.union([schema, z.null()], { error: 'an object, or null' });

const noted_event_or_null = orNull(noted_event_schema);
const both_events = openObject({ a: noted_event_schema, b: noted_event_schema });

const latch_figures = openObject({
  acquisitions: compared,
  contended: compared,
  waits: compared,
  wait_ns: compared,
  cost_ns: compared,
});

/** Output of `latchscope diff --json`, and the page's data about two branches. */
export const course_diff_schema = openObject({
  version: exactly(1).check(said('of this form')),
  a: run_spec.check(said('run spec of the first run, every field present')),
  b: run_spec.check(said('run spec of the second run')),
  seeds: integerFrom(1).check(said('number of seeds: those of `a` and `b`, then the next ones')),
  parts: listOf(
    orNull(
      openObject({
        event: integerFrom(1).check(said('the first event that differs')),
        a: noted_event_or_null.check(said('event of the first run; null: it was over')),
        b: noted_event_or_null.check(said('event of the second run; null: it was over')),
        on_server: orNull(both_events).check(said('first differing event of a server thread; note 3')),
        noted_until: integerFrom(1).check(said('the last recorded event')),
        from_s: numberFrom(0).check(said('`since` counts from here; note 4')),
      }),
    ),
    'objects, or null',
  ).check(said('one per seed; null: the runs are equal to the last event')),
  since: openObject({
    tps: comparedAs('transactions per second; note 5'),
    mean_ms: comparedAs('latency'),
    p99_ms: comparedAs('latency'),
    latches: recordOf(name, latch_figures, 'latches').check(said('by name; note 6')),
  }),
});
export type BranchDiff = z.infer<typeof course_diff_schema>;

/** The known facts about where two branches diverge. */
export interface Parting {
  /**
   * Events to record in both branches for more precision; absent if there is nothing more to learn.
   */
  next: { after: number; count: number };
  /** The first event that differs; 0: none. */
  event: number;
  noted_until: number;
  /** The first differing event of a server thread in each branch. */
  on_server: [number, number] | null;
}
