// Lists the kinds of files in scenarios/: name for editors, and schema. Defines front-run.json: the
// data of a scenario's card on the start page.
import * as z from 'zod/mini';

import { manifest_schema } from '../manifest.ts';
import { servers_schema } from '../servers-file.ts';
import { census_schema } from './census.ts';
import { measured_schema } from './measured.ts';
import { claims_schema } from './claims.ts';
import { latch_catalogue_schema } from './latch-catalogue.ts';
import { more_reports_schema } from './more-reports.ts';
import { plausible_servers_schema } from './plausible-servers.ts';
import { reproduction_schema } from './reproduction.ts';
import { source_view_schema } from './source-view.ts';
import { stage_schema } from './stage.ts';
import { partOfARunSpec } from '../run-spec-fields.ts';
import { documentOf, listOf, strictObject, text } from '../schema-parts.ts';

const curve = strictObject({
  title: text({ min: 2, max: 30 }),
  spec: partOfARunSpec('design', 'duration_s', 'interval_s').check(
    z.describe('a run spec without version, scenario and platform'),
  ),
});

const front_run_schema = documentOf(1, {
  caption: text({ min: 3, max: 200 }).check(z.describe('description of the drawing')),
  runs: listOf(curve, 'runs', { min: 1, max: 3 }).check(
    z.describe('the first one is the original; the others are drawn beside it'),
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

export const scenario_files = {
  manifest: { title: 'Latchscope scenario manifest', schema: manifest_schema },
  servers: { title: 'Latchscope’s modeled servers', schema: servers_schema },
  census: { title: 'The engine’s design for each real server', schema: census_schema },
  claims: { title: 'Claims about a Latchscope scenario', schema: claims_schema },
  'front-run': { title: 'A bug’s card on the start page', schema: front_run_schema },
  'latch-catalogue': {
    title: 'Latches of MySQL, MariaDB and Percona Server',
    schema: latch_catalogue_schema,
  },
  measured: {
    title: 'Measurements of one bug on one real server and one machine',
    schema: measured_schema,
  },
  'more-reports': { title: 'Public reports that workload files model', schema: more_reports_schema },
  'plausible-servers': {
    title: 'Servers on which a report may have run',
    schema: plausible_servers_schema,
  },
  reproduction: { title: 'How a report’s figures are reproduced', schema: reproduction_schema },
  'source-view': {
    title: 'The engine’s source that the page shows for a scenario',
    schema: source_view_schema,
  },
  stage: { title: 'The stage of a bug', schema: stage_schema },
} as const;

export type ScenarioFileKind = keyof typeof scenario_files;
