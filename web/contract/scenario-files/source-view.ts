// Defines a scenario's source-view.json: the functions that implement each variant of each knob.
import * as z from 'zod/mini';

import {
  documentOf,
  identifier,
  IDENTIFIER_IN_WORDS,
  listOf,
  recordOf,
  strictObject,
  text,
  textLike,
} from '../schema-parts.ts';

const anchor = z.exactOptional(
  text({ min: 3, max: 160 }).check(z.describe('a part of one line that occurs exactly once in the function')),
);

const line_range = strictObject({ after: anchor, from: anchor, before: anchor, through: anchor }).check(
  z.refine((range) => Object.keys(range).length > 0, {
    error: 'at least one of after, from, before, through',
  }),
);

const shown_function = strictObject({
  file: textLike(
    /^wasm-engine\/(latch|lab|server|workload)\/[a-z0-9_/]+\.(cc|h)$/,
    'a source file of latch/, lab/, server/ or workload/ in wasm-engine/',
  ).check(z.describe('a source file of the engine, from the root of the project')),
  function: textLike(
    /^((class|struct) )?[A-Za-z_][A-Za-z0-9_]*(::~?[A-Za-z_][A-Za-z0-9_]*)*$/,
    'the name of a function, with its class if it has one; or class and a name',
  ).check(z.describe('a function defined in the file, with its class if it has one; or a whole class')),
  not_run: z.exactOptional(
    listOf(line_range, 'ranges of lines', { min: 1 }).check(
      z.describe(
        'lines that this variant does not reach. A range begins after or from a line, or with the function. It ends before or through a line, or with the function',
      ),
    ),
  ),
});

const variants = recordOf(
  identifier(),
  listOf(shown_function, 'functions', { min: 1 }),
  'variants',
  IDENTIFIER_IN_WORDS,
).check(z.describe('every variant of the knob, by id'));

export const source_view_schema = documentOf(1, {
  knobs: recordOf(identifier(), variants, 'knobs', IDENTIFIER_IN_WORDS).check(
    z.describe('every knob of the manifest, by id'),
  ),
}).check(
  z.describe(
    'Lists the functions that implement each variant of each knob, in reading order. The page finds latches and counters in the source: a line that mentions a LatchSite constant or a Counter shows its live count. In a switch, cases named after other variants of the knob are shown as not run.',
  ),
);

export type LineRange = z.infer<typeof line_range>;
export type ShownFunction = z.infer<typeof shown_function>;
/** By knob and variant. */
export type ShownKnobs = z.infer<typeof source_view_schema>['knobs'];
