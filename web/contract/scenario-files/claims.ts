// Defines a scenario's claims.json: sentences about the bug that a test checks by running it.
import * as z from 'zod/mini';

import { partOfARunSpec } from '../run-spec-fields.ts';
import {
  aNumber,
  documentOf,
  identifier,
  IDENTIFIER_IN_WORDS,
  integerFrom,
  listOf,
  numberAbove,
  recordOf,
  strictObject,
  text,
} from '../schema-parts.ts';

const SECONDS_MAX = 5;
const name = text({ min: 1, max: 200 });
const sentence = text({ min: 10, max: 160 }).check(z.describe('the sentence'));

const figure = strictObject({
  run: identifier().check(z.describe('one of `runs`')),
  counter: z.exactOptional(identifier()),
  acquisitions_of: z.exactOptional(name.check(z.describe('latch: number of acquisitions'))),
  waits_for: z.exactOptional(name.check(z.describe('latch: number of times a thread slept for it'))),
  at: z.exactOptional(
    listOf(name, 'functions', { min: 1 }).check(
      z.describe('functions: only the latch’s sites in these; all sites, if left out'),
    ),
  ),
  per: z.exactOptional(identifier().check(z.describe('counter that the figure is divided by'))),
}).check(z.describe('a count of one run: exactly one of counter, acquisitions_of and waits_for'));
export type Figure = z.infer<typeof figure>;

const value = z.exactOptional(z.union([aNumber(), figure], { error: 'a number, or another figure' }));

const claim = strictObject({
  claim: sentence,
  figure,
  equals: value,
  at_least: value,
  at_most: value,
  times: z.exactOptional(
    numberAbove(0).check(z.describe('the value is multiplied by this before it is compared')),
  ),
});

const measured = strictObject({
  run: identifier(),
  measure: z.looseObject({ kind: name }, { error: 'an object with kind' }),
}).check(z.describe('a measure of one run: see research/reproduce/measures.mjs'));
export type Measured = z.infer<typeof measured>;

const virtual_claim = strictObject({
  claim: sentence,
  figure: measured,
  over: z.exactOptional(measured.check(z.describe('what the figure is divided by'))),
  at_least: z.exactOptional(aNumber()),
  at_most: z.exactOptional(aNumber()),
});

const someRuns = <Run extends z.ZodMiniType>(run: Run) =>
  recordOf(identifier(), run, 'runs', IDENTIFIER_IN_WORDS).check(
    z.refine((runs) => Object.keys(runs).length > 0, { error: 'at least one run' }),
  );

const short_run = partOfARunSpec('threads', 'duration_s').check(
  z.refine(({ duration_s }) => duration_s <= SECONDS_MAX, {
    path: ['duration_s'],
    error: `${SECONDS_MAX} or less`,
  }),
  z.describe('a run spec without version and scenario; the engine checks each field'),
);

export const claims_schema = documentOf(1, {
  runs: someRuns(short_run),
  claims: listOf(claim, 'claims', { min: 1 }),
  virtual: z.exactOptional(
    strictObject({
      seeds: listOf(integerFrom(0), 'seeds', { min: 1 }),
      runs: someRuns(
        partOfARunSpec('duration_s').check(
          z.describe('a run spec without version, scenario, platform and seed'),
        ),
      ),
      claims: listOf(virtual_claim, 'claims', { min: 1 }),
    }).check(z.describe('claims about runs on the virtual server; each holds for every seed')),
  ),
}).check(
  z.describe(
    'Sentences about one bug that a test checks by running it (npm test -- --only claims). Claims on real threads must hold on every machine: exact counts, or inequalities of counts with a wide margin. Claims about throughput and time use the virtual server, whose runs are the same everywhere.',
  ),
);

export type Claims = z.infer<typeof claims_schema>;
export type VirtualClaims = NonNullable<Claims['virtual']>;
