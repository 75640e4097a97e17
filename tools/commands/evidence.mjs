// Runs what the project rests on, and holds it against what is stored: the engine gives the same bytes everywhere (determinism), what
// scenarios claim (claims), the reports' figures (reproduction), counts of real servers (census), the cards of the start page
// (front-page). All runs go into one pool, and the same run is carried out once. Ends with 1 if something does not hold.
//   npm run evidence -- [kind ...] [--check | --update] [--only scenario[,...]]
//   --check    also ends with 1 if stored files say something else than the engine gives; this goes without saying
//   --update   writes them
//   --only     some scenarios
// Only with reproduction:
//   --json FILE|-   its table as JSON
//   --servers       nothing of that: tries each server of scenarios/plausible-servers.json, and prints which give the figures
// Only with census:
//   --all      prints the counts that agree, too
import { namesOf, readArguments, requireNames, usageError } from '../command-line.mjs';
import { requireWritable } from '../files.mjs';
import { scenarioIds, SCENARIOS } from '../scenario-manifests.mjs';
import { ensureNodeModules } from '../setup/index.mjs';

const switches = (...names) =>
  Object.fromEntries(names.map((name) => [name, { type: 'boolean', default: false }]));

/** The options that only one kind has. In this order: the digests of `determinism` say which engine the others are of. */
const KINDS = {
  determinism: {},
  claims: {},
  reproduction: { json: { type: 'string' }, ...switches('servers') },
  census: switches('all'),
  'front-page': {},
};

function wishesFrom(args) {
  const common = { only: { type: 'string' }, ...switches('check', 'update') };
  const options = Object.assign(common, ...Object.values(KINDS));
  const { values, positionals } = readArguments(args, options, { withPositionals: true });
  const names = Object.keys(KINDS);
  const kinds = requireNames('kind', positionals.length === 0 ? names : positionals, names);
  for (const [kind, own] of Object.entries(KINDS))
    for (const option of Object.keys(own))
      if (values[option] && String(kinds) !== kind)
        throw usageError(`--${option}`, `with ${kinds.join(', ')}`, `with ${kind} alone`);
  if (values.check && values.update) throw usageError('--update', 'with --check', 'either of them');
  if (values.servers && (values.check || values.update))
    throw usageError('--servers', 'with --check or --update', 'without: it holds nothing against the table');
  if (values.json !== undefined && values.json !== '-') requireWritable('--json', values.json);
  return { ...values, kinds, scenarios: namesOf('--only', values.only, scenarioIds(SCENARIOS)) };
}

export async function main(args) {
  const wishes = wishesFrom(args);
  await ensureNodeModules();
  if (wishes.servers) {
    const { searchServers } = await import('../reproduce/server-search.mjs');
    await searchServers(wishes);
  } else {
    const { gatherEvidence } = await import('../evidence/gather.mjs');
    process.exitCode = (await gatherEvidence(wishes)) ? 0 : 1;
  }
}
