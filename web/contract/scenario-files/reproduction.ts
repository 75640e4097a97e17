// Defines a scenario's reproduction.json: runs on the virtual server, and the manifest's reported
// figures that each reproduces.
import * as z from 'zod/mini';

import { fieldsOfAPart } from '../run-spec-fields.ts';
import {
  aNumber,
  choice,
  documentOf,
  exactly,
  identifier,
  integerFrom,
  listOf,
  recordOf,
  strictObject,
  text,
} from '../schema-parts.ts';

const name = text({ min: 1, max: 200 });
const words = text({ min: 1, max: 4_000 });
const pair = z.tuple([aNumber(), aNumber()], { error: 'a pair of numbers' });
const measure = z
  .looseObject({ kind: name }, { error: 'an object with kind' })
  .check(z.describe('research/reproduce/measures.mjs has the kinds and what each needs'));

const run = strictObject({
  ...fieldsOfAPart(),
  seeds: z.exactOptional(listOf(integerFrom(0), 'seeds', { min: 1 })),
});
const runs = recordOf(
  name,
  run.check(
    z.describe(
      'a run spec without version, scenario and platform; with `seeds` instead of `seed`, the mean over these runs counts',
    ),
  ),
  'runs',
);

const sweep = strictObject({
  id: identifier(),
  title: words,
  threads: listOf(integerFrom(1), 'numbers of threads', { min: 1 }),
  rows: listOf(strictObject({ figure: name, run: name }), 'rows', { min: 1 }),
  published: z.exactOptional(
    listOf(
      strictObject({
        run: name,
        threads: integerFrom(1),
        value: z.union([aNumber(), pair], { error: 'a number, or the range [low, high]' }),
        source: words,
      }),
      'points',
    ),
  ),
  note: words,
});

const search = strictObject({
  families: listOf(name, 'families', { min: 1 }).check(z.describe('ids of scenarios/plausible-servers.json')),
  runs: runs.check(z.describe('shorter than the table’s runs of the same names')),
  figures: listOf(
    strictObject({
      figure: name.check(z.describe('with its run, names a row of the table; the row’s band applies')),
      run: name,
      measure,
    }),
    'figures',
    { min: 1 },
  ),
}).check(z.describe('how npm run reproduce -- --servers finds the servers that give the figures'));

const band = strictObject({
  share: z.exactOptional(
    choice(['a hundredth', 'a twentieth', 'a tenth', 'a fifth', 'three tenths']).check(
      z.describe(
        'distance from the reported value, to either side. Usual: a tenth for predicted and selected, a twentieth for fitted and follows, a hundredth for counted. More needs a why',
      ),
    ),
  ),
  one_sample_of: z.exactOptional(
    integerFrom(1).check(
      z.describe(
        'the reported value is a count in one sample of this many threads; the band is two standard deviations to either side',
      ),
    ),
  ),
  low: z.exactOptional(aNumber()),
  high: z.exactOptional(aNumber()),
  why: z.exactOptional(words.check(z.describe('where the band comes from'))),
}).check(
  z.describe(
    'the range that the figure must be in, in its unit, both ends included. Written by hand before the figure is known, never by a command. One of: share; one_sample_of; low and high',
  ),
);

const misses = strictObject({
  why: words,
  ratio: pair.check(z.describe('the known miss, as a range of the table’s ratio; a ratio outside it fails')),
}).check(z.describe('only for a figure outside its band'));

const figure = strictObject({
  figure: name.check(z.describe('id of a reported figure of the manifest')),
  label: z.exactOptional(words.check(z.describe('instead of the manifest’s words'))),
  run: name,
  reported: z.exactOptional(
    aNumber().check(z.describe('one of the reported values, if the manifest gives a range of several')),
  ),
  basis: choice(['predicted', 'selected', 'fitted', 'counted', 'follows']).check(
    z.describe(
      'predicted: nothing was chosen for it, so it is evidence. selected: it depends on a server, size, pause or window that the report does not give and we chose. fitted: something was chosen to give this figure. counted: the engine counts the operations of its own code. follows: computed from another row',
    ),
  ),
  band: z.exactOptional(band),
  misses: z.exactOptional(misses),
  not_comparable: z.exactOptional(
    exactly(true).check(
      z.describe('shown beside the reported figure, not compared with it; replaces the band'),
    ),
  ),
  unreported: z.exactOptional(
    exactly(true).check(z.describe('no such figure has been published, so the row has no reported value')),
  ),
  unit: z.exactOptional(name.check(z.describe('instead of the reported figure’s'))),
  note: text({ max: 4_000 }),
  measure,
});

const quoted = strictObject({
  in: name.check(z.describe('file, from the root of the repository')),
  before: words.check(
    z.describe(
      'the text before the number; # matches any other number, and one space matches any spaces or a line break',
    ),
  ),
  after: text({ max: 4_000 }),
  label: words.check(z.describe('label of the row')),
  value: z.exactOptional(
    choice(['here', 'least', 'most']).check(z.describe('only for a row with several samples')),
  ),
  times: z.exactOptional(aNumber().check(z.describe('factor for another unit'))),
});

export const reproduction_schema = documentOf(3, {
  sample: words.check(z.describe('the part of the report’s run that is run here')),
  runs,
  sweeps: z.exactOptional(
    listOf(sweep, 'sweeps').check(
      z.describe('rows of the table, with several numbers of threads; nothing is compared with them'),
    ),
  ),
  search: z.exactOptional(search),
  figures: listOf(figure, 'figures'),
  not_held: z.exactOptional(
    listOf(strictObject({ figure: words, source: words, why: words }), 'figures').check(
      z.describe('published figures that cannot be compared with anything here, each with the reason'),
    ),
  ),
  quoted: z.exactOptional(
    listOf(quoted, 'quotations').check(
      z.describe(
        'places that quote figures of the table: npm run reproduce -- --update writes them, --check compares them',
      ),
    ),
  ),
}).check(
  z.describe('Runs on the virtual server, and the manifest’s reported figures that each of them reproduces.'),
);

export type Reproduction = z.infer<typeof reproduction_schema>;
