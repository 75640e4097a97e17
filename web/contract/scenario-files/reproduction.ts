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
  .check(z.describe('tools/reproduce/measures.mjs has the kinds and what each needs'));

const run = strictObject({
  ...fieldsOfAPart(),
  seeds: z.exactOptional(listOf(integerFrom(0), 'seeds', { min: 1 })),
});
const runs = recordOf(
  name,
  run.check(
    z.describe(
      'a run spec without version, scenario and platform; `seeds` instead of `seed`: the mean over these runs counts',
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
  runs: runs.check(z.describe('shorter than the runs of the table, which stand below the same names')),
  figures: listOf(
    strictObject({
      figure: name.check(z.describe('with its run, names a row of the table, whose band counts')),
      run: name,
      measure,
    }),
    'figures',
    { min: 1 },
  ),
}).check(z.describe('how npm run reproduce -- --servers finds out which servers give the figures'));

const band = strictObject({
  share: z.exactOptional(
    choice(['a hundredth', 'a twentieth', 'a tenth', 'a fifth', 'three tenths']).check(
      z.describe(
        'to either side of what was reported; more than usual (a tenth for predicted and selected, a twentieth for fitted and follows, a hundredth for counted) needs a why',
      ),
    ),
  ),
  one_sample_of: z.exactOptional(
    integerFrom(1).check(
      z.describe(
        'the reported value is a count in one sample of this many threads: two standard deviations of such a count to either side',
      ),
    ),
  ),
  low: z.exactOptional(aNumber()),
  high: z.exactOptional(aNumber()),
  why: z.exactOptional(words.check(z.describe('where the band comes from'))),
}).check(
  z.describe(
    'within which the figure must come out, in its unit, both ends included; written by hand, before the figure is known, and by no command. One of: share; one_sample_of; low and high',
  ),
);

const misses = strictObject({
  why: words,
  ratio: pair.check(
    z.describe(
      'how far it is off, as the table’s ratio: beyond this it is another miss than the known one, and fails',
    ),
  ),
}).check(z.describe('only where the figure does not come out within its band'));

const figure = strictObject({
  figure: name.check(z.describe('id of a reported figure of the manifest')),
  label: z.exactOptional(words.check(z.describe('instead of the manifest’s words'))),
  run: name,
  reported: z.exactOptional(
    aNumber().check(z.describe('one of the reported values, where the manifest gives a range of several')),
  ),
  basis: choice(['predicted', 'selected', 'fitted', 'counted', 'follows']).check(
    z.describe(
      'predicted: nothing was chosen for it, so it is evidence; selected: it follows from a server, size, pause or window that was chosen where the report gives none; fitted: something was chosen so that it comes out; counted: the engine counts what its own code does; follows: from another row, by arithmetic',
    ),
  ),
  band: z.exactOptional(band),
  misses: z.exactOptional(misses),
  not_comparable: z.exactOptional(
    exactly(true).check(
      z.describe('shown beside the reported figure, not held against it: instead of a band'),
    ),
  ),
  unreported: z.exactOptional(
    exactly(true).check(z.describe('nobody has published such a figure: it stands beside none')),
  ),
  unit: z.exactOptional(name.check(z.describe('instead of the reported figure’s'))),
  note: text({ max: 4_000 }),
  measure,
});

const quoted = strictObject({
  in: name.check(z.describe('file, from the root of the repository')),
  before: words.check(
    z.describe(
      'what stands before the number; # stands for any other number, and runs of spaces or a new line for one space',
    ),
  ),
  after: text({ max: 4_000 }),
  label: words.check(z.describe('of the row')),
  value: z.exactOptional(
    choice(['here', 'least', 'most']).check(z.describe('of a row with several samples')),
  ),
  times: z.exactOptional(aNumber().check(z.describe('for another unit'))),
});

export const reproduction_schema = documentOf(3, {
  sample: words.check(z.describe('what part of the report’s run is run here')),
  runs,
  sweeps: z.exactOptional(
    listOf(sweep, 'sweeps').check(
      z.describe('rows of the table, with several numbers of threads; nothing is held against them'),
    ),
  ),
  search: z.exactOptional(search),
  figures: listOf(figure, 'figures'),
  not_held: z.exactOptional(
    listOf(strictObject({ figure: words, source: words, why: words }), 'figures').check(
      z.describe('published figures to which nothing here can be held, each with the reason'),
    ),
  ),
  quoted: z.exactOptional(
    listOf(quoted, 'quotations').check(
      z.describe(
        'where figures of the table are quoted: npm run reproduce -- --update writes them there, --check compares them',
      ),
    ),
  ),
}).check(
  z.describe(
    'Runs on the virtual server, and which of the manifest’s reported figures each of them reproduces.',
  ),
);

export type Reproduction = z.infer<typeof reproduction_schema>;
