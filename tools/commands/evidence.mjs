// npm run evidence: checks the project's statements. All runs share one pool, and equal runs
// execute once. Exits with 1 if a statement does not hold.
//
// Kinds of evidence:
//    determinism   the engine gives the same bytes everywhere
//    claims        the claims of the scenarios
//    reproduction  the figures of the bug reports
//    census        counts of real servers
//    front-page    the cards of the start page
//    stage         the recorded courses of the stages
//    lesson        the recorded runs of the lessons
//    reports       the bands of the reports in scenarios/more-reports/
//
//   npm run evidence -- [kind ...] [--check | --update] [--only scenario[,...]]
//   --check    also exits with 1 if stored files differ from the engine's results (the default)
//   --update   writes the stored files
//   --if-changed   runs only `determinism` if no input has changed since the last --update
//   --only     limits the check to these scenarios, or with `reports` to these reports
// Only with reproduction:
//   --json FILE|-   writes the table as JSON
//   --stored        runs nothing: combines stored figures with the current texts of reproduction.json.
//                   Use it with --update after a change of texts: it writes the documents
//   --servers       instead tries each server of scenarios/plausible-servers.json, and prints which of
//                   them give the figures
// Only with census:
//   --all      also prints the counts that agree
import { namesOf, readArguments, requireNames, usageError } from '../command-line.mjs';
import { requireWritable } from '../files.mjs';
import { reportIds, scenarioIds } from '../scenario-manifests.mjs';
import { ensureNodeModules } from '../setup/index.mjs';

const switches = (...names) =>
  Object.fromEntries(names.map((name) => [name, { type: 'boolean', default: false }]));

/**
 * The kinds with their own options. The order matters: the digests of `determinism` identify the
 * engine of the other kinds.
 */
const KINDS = {
  determinism: {},
  claims: {},
  reproduction: { json: { type: 'string' }, ...switches('servers', 'stored') },
  census: switches('all'),
  'front-page': {},
  stage: {},
  lesson: {},
  reports: {},
};

function wishesFrom(args) {
  const common = { only: { type: 'string' }, ...switches('check', 'update', 'if-changed') };
  const options = Object.assign(common, ...Object.values(KINDS));
  const { values, positionals } = readArguments(args, options, { withPositionals: true });
  const names = Object.keys(KINDS);
  const kinds = requireNames('kind', positionals.length === 0 ? names : positionals, names);
  for (const [kind, own] of Object.entries(KINDS))
    for (const option of Object.keys(own))
      if (values[option] && String(kinds) !== kind)
        throw usageError(`--${option}`, `with ${kinds.join(', ')}`, `with ${kind} alone`);
  if (
    values['if-changed'] &&
    (values.update || values.servers || values.only !== undefined || positionals.length > 0)
  )
    throw usageError('--if-changed', args.join(' '), 'alone, or with --check: it is about all evidence');
  if (values.check && values.update) throw usageError('--update', 'with --check', 'either of them');
  if (values.stored && (values.servers || values.only !== undefined || values.json !== undefined))
    throw usageError('--stored', 'with another option', 'alone, or with --update');
  if (values.servers && (values.check || values.update))
    throw usageError('--servers', 'with --check or --update', 'without: it holds nothing against the table');
  if (values.json !== undefined && values.json !== '-') requireWritable('--json', values.json);
  return { ...values, kinds, scenarios: namesOf('--only', values.only, [...scenarioIds(), ...reportIds()]) };
}

export async function main(args) {
  const wishes = wishesFrom(args);
  await ensureNodeModules();
  if (wishes.servers) {
    const { searchServers } = await import('../../research/reproduce/server-search.mjs');
    await searchServers(wishes);
  } else if (wishes.stored) {
    const { gatherStored } = await import('../../research/evidence/stored-texts.mjs');
    process.exitCode = (await gatherStored(wishes)) ? 0 : 1;
  } else {
    process.exitCode = (await gather(wishes)) ? 0 : 1;
  }
}

async function gather(wishes) {
  const { gatherEvidence } = await import('../../research/evidence/gather.mjs');
  const { foundWithTheseInputs, storeInputs } = await import('../../research/evidence/inputs.mjs');
  const known = wishes['if-changed'] ? foundWithTheseInputs() : null;
  const { holds, closings } = await gatherEvidence(known ? { ...wishes, kinds: ['determinism'] } : wishes);
  if (known)
    console.log(
      ['Nothing has changed that these rest on, so they were not run again:', ...known].join('\n  '),
    );
  if (holds && wishes.update && isWhole(wishes)) await storeInputs(closings);
  return holds;
}

const isWhole = ({ kinds, only }) => kinds.length === Object.keys(KINDS).length && only === undefined;
