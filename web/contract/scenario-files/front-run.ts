// Defines a scenario's front-run.json: the data of its card on the start page.
import * as z from 'zod/mini';

import { partOfARunSpec } from '../run-spec-fields.ts';
import { documentOf, listOf, strictObject, text } from '../schema-parts.ts';

const curve = strictObject({
  title: text({ min: 2, max: 30 }),
  spec: partOfARunSpec('design', 'duration_s', 'interval_s').check(
    z.describe('a run spec without version, scenario and platform'),
  ),
});

export const front_run_schema = documentOf(1, {
  caption: text({ min: 3, max: 200 }).check(z.describe('description of the drawing')),
  runs: listOf(curve, 'runs', { min: 1, max: 2 }).check(
    z.describe('the first one is the original; the other one is drawn beside it'),
  ),
  figures: strictObject({
    unit: text({ min: 1, max: 40 }),
    reported: listOf(text({ min: 1, max: 48 }), 'figures', { min: 1, max: 2 }).check(
      z.describe('ids of reported figures of the manifest'),
    ),
    remark: text({ max: 60 }).check(
      z.describe('what else the reader must know about the reported figures; may be empty'),
    ),
    here: listOf(text({ min: 3, max: 120 }), 'labels', { min: 1, max: 2 }).check(
      z.describe('labels of rows of reproduction.json; their runs have the parameters of the drawn runs'),
    ),
  }).check(z.describe('the report’s figures beside those of the runs: before and after, or one')),
}).check(z.describe('Runs on the virtual server. Their curves are stored in front-page-results.json.'));
