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
  servers: { title: 'Latchscope’s modeled servers', schema: servers_schema },
  census: { title: 'The engine’s design for each real server', schema: census_schema },
  claims: { title: 'Claims about a Latchscope scenario', schema: claims_schema },
  'front-run': { title: 'A bug’s card on the start page', schema: front_run_schema },
  measured: {
    title: 'Measurements of one bug on one real server and one machine',
    schema: measured_schema,
  },
  'plausible-servers': {
    title: 'Servers on which a report may have run',
    schema: plausible_servers_schema,
  },
  reproduction: { title: 'How a report’s figures are reproduced', schema: reproduction_schema },
  'source-view': {
    title: 'The engine’s source that the page shows for a scenario',
    schema: source_view_schema,
  },
} as const;

export type ScenarioFileKind = keyof typeof scenario_files;
