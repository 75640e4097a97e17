// What the command line writes of a run that was taken back, and of two runs that are compared (version 1).
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

/** `latchscope run --rewind-to` and `--fork-at`, with `--json`. */
export const run_taken_back_schema = openObject({
  version: exactly(1).check(said('of this form')),
  rewind_to_s: numberFrom(0).check(
    said('where the run was taken back to; with `--fork-at` a nanosecond before its step'),
  ),
  step: z.optional(
    z
      .record(z.string(), z.unknown(), { error: 'an entry of actions, or at_s and what_if' })
      .check(
        said(
          'what was done there, as an entry of `actions`, or what is supposed from there on, as `at_s` and `what_if`; only with `--fork-at`',
        ),
      ),
  ),
  same: truth().check(said('both results are the same, to the byte')),
  first: run_result_schema.check(said('the run result, to the end without interruption')),
  again: run_result_schema.check(said('the run result, from that moment on for the second time')),
});

const estimate = openObject({
  mean: aNumber(),
  low: z.optional(aNumber()),
  high: z.optional(aNumber()),
});
const compared = openObject({ a: estimate, b: estimate, ratio: z.optional(estimate) });
const comparedAs = (words: string) => openObject({ ...compared.shape }).check(said(words));

export const noted_event_schema = openObject({
  event: integerFrom(1).check(said('its number since the server was built')),
  run_ns: aNumber().check(said('run time; below 0 while the server is built')),
  thread: name.check(said('`client 0`, the name of an engine thread, `coordinator`; empty: not known yet')),
  kind: choice(['goes_on', 'access', 'store', 'wakes', 'timer', 'polls']).check(
    said(
      'a piece of work ends; an access or a store takes effect; a sleeper is woken, or wakes by its timer; a step of a spin',
    ),
  ),
  latch: z.optional(
    name.check(said('as the table of latches calls it; or its class, if no thread had said its name')),
  ),
  access: z.optional(
    choice(['load', 'poll', 'store', 'read_modify_write', 'failed_compare_exchange']).check(
      said('to a word of the latch'),
    ),
  ),
  word: z.optional(name.check(said('of the latch'))),
  state: z.optional(name.check(said('of the thread, when the event comes'))),
  stack: z.optional(listOf(name, 'functions').check(said('outermost first'))),
});
export type NotedEvent = z.infer<typeof noted_event_schema>;

/** Null in place of an object is said by the field that holds it. */
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

/** `latchscope diff --json`, and what the page shows of two courses. */
export const course_diff_schema = openObject({
  version: exactly(1).check(said('of this form')),
  a: run_spec.check(said('of the one run, every field present')),
  b: run_spec.check(said('of the other')),
  seeds: integerFrom(1).check(said('how many: those of `a` and `b`, and the ones after them')),
  parts: listOf(
    orNull(
      openObject({
        event: integerFrom(1).check(said('the first that differs')),
        a: noted_event_or_null.check(said('what the one run has there; null: it was over')),
        b: noted_event_or_null,
        on_server: orNull(both_events).check(
          said(
            'the first event of a thread of the server that differs, when the first of all is the coordinator’s; null: none among those that were noted',
          ),
        ),
        noted_until: integerFrom(1).check(said('the last event that was noted')),
        from_s: numberFrom(0).check(
          said('`since` counts from here: the last moment before at which both were compared'),
        ),
      }),
    ),
    'objects, or null',
  ).check(said('one for each seed; null: both are the same to the last event')),
  since: openObject({
    tps: comparedAs(
      'transactions per second: `{a, b, ratio}`, each `{mean}`, with several seeds `{mean, low, high}`',
    ),
    mean_ms: comparedAs('latency'),
    p99_ms: comparedAs('latency'),
    latches: recordOf(name, latch_figures, 'latches').check(
      said(
        'by name: `acquisitions`, `contended`, `waits`, `wait_ns` and `cost_ns`, each `{a, b, ratio}`; no `ratio` where `a` has nothing',
      ),
    ),
  }),
});
export type CourseDiff = z.infer<typeof course_diff_schema>;

/** What is known of where two courses part. */
export interface Parting {
  /** Events to note in both, to know more; none: there is no more to know. */
  next: { after: number; count: number };
  /** The first that differs; 0: none. */
  event: number;
  noted_until: number;
  /** The first of a thread of the server that differs, in each course. */
  on_server: [number, number] | null;
}
