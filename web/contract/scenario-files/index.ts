// Lists the kinds of files in scenarios/: name for editors, and schema.
import { manifest_schema } from '../manifest.ts';
import { servers_schema } from '../servers-file.ts';
import { census_schema } from './census.ts';
import { claims_schema } from './claims.ts';
import { front_run_schema } from './front-run.ts';
import { measured_schema } from './measured.ts';
import { plausible_servers_schema } from './plausible-servers.ts';
import { reproduction_schema } from './reproduction.ts';
import { source_view_schema } from './source-view.ts';

export const scenario_files = {
  manifest: { title: 'Latchscope scenario manifest', schema: manifest_schema },
  servers: { title: 'Latchscope’s modelled servers', schema: servers_schema },
  census: { title: 'Which design of the engine stands for which real server', schema: census_schema },
  claims: { title: 'Claims about a Latchscope scenario', schema: claims_schema },
  'front-run': { title: 'What the start page draws of a bug', schema: front_run_schema },
  measured: {
    title: 'What was measured of one bug on one real server and one machine',
    schema: measured_schema,
  },
  'plausible-servers': {
    title: 'Servers that a report may have run on',
    schema: plausible_servers_schema,
  },
  reproduction: { title: 'How a report’s figures are reproduced', schema: reproduction_schema },
  'source-view': {
    title: 'The engine’s source that the page shows for a scenario',
    schema: source_view_schema,
  },
} as const;

export type ScenarioFileKind = keyof typeof scenario_files;
