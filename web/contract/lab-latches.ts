// Defines the latches of lab/latches/ (latches.json), and published claims about them
// (lab/literature.json): docs/explanation/latch-literature.md.
import * as z from 'zod/mini';

import { lab_faults } from './lab-program.ts';
import {
  choice,
  documentOf,
  exactly,
  hyphenated,
  integerFrom,
  listOf,
  numberAbove,
  strictObject,
  text,
  textLike,
  truth,
} from './schema-parts.ts';

/** The checker's verdicts. Latches that are not `right` are in a folder of that name. */
const latch_verdicts = ['right', 'starving', 'wrong'] as const;
export type LatchVerdict = (typeof latch_verdicts)[number];

const latch_name = () =>
  textLike(
    /^((starving|wrong)\/)?[a-z][a-z0-9]*(-[a-z0-9]+)*$/,
    'the name of a file of lab/latches, such as mcs or wrong/abba',
    60,
  );

const source_ids = () => listOf(hyphenated(), 'sources of lab/literature.json', { min: 1 });

const lab_latch = strictObject({
  latch: latch_name().check(z.describe('its file in lab/latches, without .latch')),
  title: text({ min: 3, max: 80 }),
  kind: choice(['mutex', 'rw-latch'] as const),
  verdict: choice(latch_verdicts).check(z.describe('the checker’s verdict')),
  fault: z.exactOptional(choice(lab_faults).check(z.describe('the fault of a latch that is not right'))),
  needs_store_buffers: z.exactOptional(truth().check(z.describe('true: the fault needs store buffers'))),
  sources: z.exactOptional(
    source_ids().check(z.describe('sources that describe it; only for a latch that is not wrong')),
  ),
  is_reference: z.exactOptional(
    truth().check(z.describe('true: the page and --beside measure other latches beside it')),
  ),
});
export type LabLatch = z.infer<typeof lab_latch>;

export const lab_latches_schema = documentOf(1, {
  latches: listOf(lab_latch, 'latches', { min: 1 }),
}).check(z.describe('The latches of lab/latches: docs/reference/latches.md.'));

/** How much of a source was read. */
export const readings = {
  whole: 'the source itself',
  figures: 'its figures, and its text as described by others',
  parts: 'its text; its measurements only as quoted by others',
  excerpt: 'parts of it, as quoted by others',
  abstract: 'its abstract; the rest only as quoted by others',
  title: 'only its title and place of publication',
} as const;
const reading_names = Object.keys(readings) as [keyof typeof readings, ...(keyof typeof readings)[]];

const source = strictObject({
  id: hyphenated(),
  cited: text({ min: 4, max: 80 }).check(z.describe('authors and year, as the latches cite it')),
  title: text({ min: 4, max: 160 }),
  published: text({ min: 4, max: 160 }),
  read: choice(reading_names),
});
export type LiteratureSource = z.infer<typeof source>;

/**
 * Subjects of a claim, as `lab bench` measures them; ns_per_acquisition is 10^9 /
 * acquisitions_per_s.
 */
const claim_measures = [
  'acquisitions_per_s',
  'ns_per_acquisition',
  'hand_over_ns',
  'line_transfers_per_acquisition',
  'overtaken_max',
] as const;

const times = () => numberAbove(0);
export const claim_shape_schema = z.discriminatedUnion(
  'kind',
  [
    strictObject({ kind: exactly('flat'), from: integerFrom(1), within: times() }).check(
      z.describe('from `from` threads on, the largest figure is at most `within` times the smallest'),
    ),
    strictObject({ kind: exactly('grows'), from: integerFrom(1), at_least: times() }).check(
      z.describe(
        'from `from` threads on, each figure is above the one before, and the last is at least `at_least` times the first',
      ),
    ),
    strictObject({ kind: exactly('falls'), from: integerFrom(1), to_at_most: times() }).check(
      z.describe('the last figure is at most `to_at_most` times the one with `from` threads'),
    ),
    strictObject({ kind: exactly('steps'), from: integerFrom(1), to: integerFrom(1), by: times() }).check(
      z.describe('from `from` to `to` threads, the figure grows at least `by` times'),
    ),
    strictObject({ kind: exactly('linear'), from: integerFrom(1), within: times() }).check(
      z.describe(
        'from `from` threads on, the slopes between numbers of threads differ by at most a factor of `within`',
      ),
    ),
    strictObject({
      kind: exactly('peaks'),
      from: integerFrom(1),
      to: integerFrom(1),
      last_at_most: times(),
    }).check(
      z.describe(
        'the largest figure is between `from` and `to` threads, and the last one is at most `last_at_most` times as large',
      ),
    ),
    strictObject({ kind: exactly('ordered'), from: integerFrom(1), by: times() }).check(
      z.describe('from `from` threads on, each latch is at least `by` times above the next one'),
    ),
    strictObject({
      kind: exactly('crosses'),
      between: listOf(integerFrom(1), 'numbers of threads', { min: 2, max: 2 }),
    }).check(
      z.describe(
        'the first latch is above the second up to the first number of threads in `between`, and below it from the second on',
      ),
    ),
    strictObject({ kind: exactly('level'), from: integerFrom(1), within: times() }).check(
      z.describe('from `from` threads on, neither latch is more than `within` times the other'),
    ),
    strictObject({ kind: exactly('steeper'), from: integerFrom(1), by: times() }).check(
      z.describe(
        'from `from` to the last number of threads, the first latch grows at least `by` times as much as the second',
      ),
    ),
  ],
  { error: 'one of flat, grows, falls, steps, linear, peaks, ordered, crosses, level, steeper' },
);

const claim = strictObject({
  id: hyphenated(),
  sources: source_ids(),
  where: text({ min: 3, max: 160 }).check(z.describe('figure, table or page')),
  says: text({ min: 20, max: 400 }).check(z.describe('what the source says or shows, in our own words')),
  latches: listOf(latch_name(), 'latches', { min: 1, max: 4 }),
  contest: strictObject({
    server: hyphenated(),
    threads: listOf(integerFrom(1), 'numbers of threads, ascending', { min: 1, max: 14 }),
    hold_ns: integerFrom(0),
    think_ns: integerFrom(0),
    shared_percent: z.exactOptional(integerFrom(0)),
    duration_us: z.exactOptional(integerFrom(1)),
  }),
  measure: choice(claim_measures),
  shape: claim_shape_schema,
  holds: truth().check(z.describe('whether it holds on the modeled server')),
  remark: z.exactOptional(text({ min: 5, max: 500 }).check(z.describe('how the result here differs'))),
});
export type LiteratureClaim = z.infer<typeof claim>;

export const literature_schema = documentOf(1, {
  sources: listOf(source, 'sources', { min: 1 }),
  claims: listOf(claim, 'claims', { min: 1 }),
}).check(
  z.describe('Published results about the latches of lab/latches: docs/explanation/latch-literature.md.'),
);

/** A published claim about one latch, as the page receives it. */
export interface LatchLiterature {
  claim: string;
  says: string;
  cited: string;
  where: string;
  holds: boolean;
}
