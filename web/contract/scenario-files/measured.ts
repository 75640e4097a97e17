// Defines a measured file: counts of one bug on one real server and one machine
// (docs/reference/real-servers.md).
import * as z from 'zod/mini';

import {
  $schema,
  aNumber,
  exactly,
  integerFrom,
  listOf,
  numberAbove,
  recordOf,
  strictObject,
  text,
  textLike,
} from '../schema-parts.ts';
import { server_name } from './census.ts';
import { MEASURED_VERSION } from './measured-version.mjs';

const name = text({ max: 200 });
const words = text({ max: 2_000 });
const INSTRUMENT = 'an instrument of performance_schema, wait/synch/...';

const phase_schema = strictObject({
  phase: name,
  seconds: numberAbove(0),
  operations: recordOf(name, integerFrom(0), 'operations'),
  latches: recordOf(
    textLike(/^wait\/synch\//, INSTRUMENT),
    strictObject({ acquisitions: integerFrom(0), waits: z.exactOptional(integerFrom(0)) }),
    'latches',
    INSTRUMENT,
  ),
});

const run_schema = strictObject({
  clients: integerFrom(1),
  phases: listOf(phase_schema, 'phases', { min: 1 }),
  counts: recordOf(name, aNumber(), 'numbers').check(z.describe('per operation, by figure')),
});

const experiment_schema = strictObject({
  experiment: name,
  options: listOf(words, 'texts'),
  settings: recordOf(name, words, 'texts'),
  runs: listOf(run_schema, 'runs', { min: 1 }),
});

export const measured_schema = strictObject({
  $schema,
  version: exactly(MEASURED_VERSION),
  scenario: name,
  measured_at: textLike(/^\d{4}-\d{2}-\d{2}$/, 'a day, such as 2026-11-23'),
  command: text({ min: 1, max: 2_000 }),
  server: strictObject({
    name: server_name,
    version: textLike(/^\d+\.\d+\.\d+/, 'a version that begins with three numbers, such as 9.7.4'),
    comment: name,
    packaged: z.nullable(name),
  }),
  machine: strictObject({
    cpu_model: name,
    cores: integerFrom(1),
    memory_mib: integerFrom(1),
    kernel: name,
  }),
  experiments: listOf(experiment_schema, 'experiments', { min: 1 }),
});

export type Measured = z.infer<typeof measured_schema>;
export type MeasuredExperiment = z.infer<typeof experiment_schema>;
export type MeasuredRun = z.infer<typeof run_schema>;
