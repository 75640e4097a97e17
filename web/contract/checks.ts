// Defines a file of checks (docs/guide/checks.md): expectations of runs and comparisons on the
// virtual server.
import * as z from 'zod/mini';

import { repeats_range } from './experiment-plan.ts';
import {
  $schema,
  exactly,
  integer,
  listOf,
  number,
  numberFrom,
  recordOf,
  strictObject,
  text,
  textLike,
} from './schema-parts.ts';

const bound = strictObject({
  at_least: z.exactOptional(numberFrom(0)),
  at_most: z.exactOptional(numberFrom(0)),
}).check(
  z.refine(({ at_least, at_most }) => at_least !== undefined || at_most !== undefined, {
    error: 'an object with at_least, at_most or both',
  }),
);
export type Bound = z.infer<typeof bound>;

const figure = (words: string) => z.exactOptional(bound).check(z.describe(words));

/** The figures of a run, as its result has them under `totals`. */
const run_figures = {
  tps: figure('transactions per second of the whole run'),
  transactions: figure('transactions of the whole run'),
  latency_mean_ms: figure('mean latency'),
  latency_p50_ms: figure('median latency'),
  latency_p95_ms: figure('95th percentile of latency'),
  latency_p99_ms: figure('99th percentile of latency'),
  latency_max_ms: figure('largest latency'),
};
/** The figures of a comparison: the second design’s, divided by the first design’s. */
const comparison_figures = {
  tps_ratio: figure('ratio of throughputs after the warm-up'),
  latency_p99_ratio: figure('ratio of 99th percentiles of latency after the warm-up'),
};
export type RunFigure = keyof typeof run_figures;
export type ComparisonFigure = keyof typeof comparison_figures;

const SHA256 = /^[0-9a-f]{64}$/;

export const run_expectations = strictObject({
  ...run_figures,
  counters: z
    .exactOptional(recordOf(text({ min: 1, max: 100 }), bound, 'counters with a bound'))
    .check(z.describe('counters of the run, by name')),
  sha256: z
    .exactOptional(textLike(SHA256, '64 digits and letters a to f'))
    .check(z.describe('digest of the run result, with one seed only')),
});
export const comparison_expectations = strictObject(comparison_figures);

const an_object = (in_words: string) => recordOf(text({ max: 200 }), z.unknown(), in_words);

const common = {
  name: text({ min: 1, max: 200 }).check(z.describe('title of the check in reports')),
  seeds: z
    .exactOptional(integer(repeats_range))
    .check(z.describe('runs with this many seeds, or pairs of runs; default 1, or 5 pairs')),
  confidence: z
    .exactOptional(number({ min: 0.5, max: 0.999 }))
    .check(z.describe('confidence of the intervals over the seeds; default 0.95')),
};
const run_check = strictObject({
  ...common,
  run: an_object('fields of a run spec').check(z.describe('a run spec')),
  expect: run_expectations,
});
const comparison_check = strictObject({
  ...common,
  compare: an_object('fields of a run spec').check(
    z.describe('a run spec with the first design, and `with`, the second one'),
  ),
  expect: comparison_expectations,
});

export const checks_schema = strictObject({
  $schema,
  version: exactly(1),
  checks: listOf(
    z.union([run_check, comparison_check], { error: 'an object with name, run or compare, expect' }),
    'checks',
    {
      min: 1,
      max: 200,
    },
  ),
}).check(z.describe('Expectations of runs and comparisons: docs/guide/checks.md.'));

export type Checks = z.infer<typeof checks_schema>;
export type Check = Checks['checks'][number];
export type RunCheck = z.infer<typeof run_check>;
export type ComparisonCheck = z.infer<typeof comparison_check>;
