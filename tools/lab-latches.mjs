// @ts-check
// Reads and checks the declarations of the latches of lab/latches (latches.json) and the published
// claims about them (lab/literature.json). docs/explanation/latch-literature.md describes both.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { duplicates, fault, oneOf } from './field-faults.mjs';
import { contract } from './page-contract.mjs';
import { repository, UsageError } from './processes.mjs';
import { faultsOfSchema, readJson } from './scenario-files.mjs';
import { readServers } from './scenario-manifests.mjs';

/** @typedef {import('../web/contract/lab-latches').LabLatch} LabLatch */
/** @typedef {import('../web/contract/lab-latches').LiteratureClaim} LiteratureClaim */
/** @typedef {import('../web/contract/lab-latches').LiteratureSource} LiteratureSource */
/** @typedef {{ sources: LiteratureSource[], claims: LiteratureClaim[] }} Literature */

const LAB = join(repository, 'lab');
const LATCHES_FILE = 'lab/latches/latches.json';
const LITERATURE_FILE = 'lab/literature.json';

/**
 * Returns the source of a latch of lab/latches.
 * @param {string} latch such as mcs or wrong/abba
 */
export const sourceOfLatch = (latch) => readFileSync(join(LAB, 'latches', `${latch}.latch`), 'utf8');

/**
 * Reads the declared latches, in their order. Throws a UsageError that lists every error.
 * @param {string} [lab] the folder lab
 * @returns {Promise<LabLatch[]>}
 */
export async function readLatches(lab = LAB) {
  const { lab_latches_schema } = await contract();
  const { latches } = await readDocument(lab, LATCHES_FILE, lab_latches_schema);
  refuse(LATCHES_FILE, faultsOfLatches(latches, lab));
  return latches;
}

/** @param {string} [lab] @returns {Promise<Literature>} */
export async function readLiterature(lab = LAB) {
  const latches = await readLatches(lab);
  const { literature_schema } = await contract();
  const literature = await readDocument(lab, LITERATURE_FILE, literature_schema);
  refuse(LATCHES_FILE, faultsOfSources('latches', latches, literature));
  refuse(LITERATURE_FILE, [
    ...faultsOfSources('claims', literature.claims, literature),
    ...(await faultsOfClaims(literature, latches)),
  ]);
  return literature;
}

/**
 * @param {string} lab
 * @param {string} file
 * @param {any} schema
 */
async function readDocument(lab, file, schema) {
  const document = readJson(join(dirname(lab), file), file);
  refuse(file, await faultsOfSchema(schema, document));
  return document;
}

/** @param {string} file @param {string[]} faults */
function refuse(file, faults) {
  if (faults.length > 0) throw new UsageError(faults.map((line) => `${file}: ${line}`).join('\n'));
}

/**
 * Finds the faults that a schema cannot find: files that do not exist, and verdicts that contradict
 * the folder.
 * @param {LabLatch[]} latches
 * @param {string} lab
 */
function faultsOfLatches(latches, lab) {
  const names = latches.map(({ latch }) => latch);
  const files = readdirSync(join(lab, 'latches'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.latch'))
    .map((file) => file.slice(0, -'.latch'.length).replaceAll('\\', '/'));
  const undeclared = files.filter((file) => !names.includes(file));
  return [
    ...duplicates(names).map((name) => fault('latches', name, 'each latch once')),
    ...undeclared.map((file) => fault('latches', undefined, `an entry for ${file}`)),
    ...latches.flatMap((latch, i) => faultsOfLatch(latch, `latches[${i}]`, files)),
  ];
}

/** @param {LabLatch} latch @param {string} at @param {string[]} files */
function faultsOfLatch({ latch, verdict, fault: kind, sources, is_reference }, at, files) {
  const folder = latch.includes('/') ? latch.split('/')[0] : 'right';
  const faults = [];
  if (!files.includes(latch)) faults.push(fault(`${at}.latch`, latch, oneOf(files)));
  if (verdict !== folder) faults.push(fault(`${at}.verdict`, verdict, `${folder}, because of its folder`));
  if ((verdict === 'right') !== (kind === undefined))
    faults.push(
      fault(`${at}.fault`, kind, verdict === 'right' ? 'none for a right latch' : 'the kind of its fault'),
    );
  if ((verdict === 'wrong') !== (sources === undefined))
    faults.push(
      fault(
        `${at}.sources`,
        sources,
        verdict === 'wrong' ? 'none for a wrong latch' : 'the sources of the latch',
      ),
    );
  if (is_reference && verdict !== 'right')
    faults.push(fault(`${at}.is_reference`, is_reference, 'true only for right latches'));
  return faults;
}

/** @param {string} list @param {{ sources?: string[] }[]} entries @param {Literature} literature */
function faultsOfSources(list, entries, { sources }) {
  const known = sources.map(({ id }) => id);
  return entries.flatMap((entry, i) =>
    (entry.sources ?? [])
      .filter((id) => !known.includes(id))
      .map((id) => fault(`${list}[${i}].sources`, id, oneOf(known))),
  );
}

/** @param {Literature} literature @param {LabLatch[]} latches */
async function faultsOfClaims({ claims }, latches) {
  const { servers } = await readServers();
  const knownServers = servers.map(({ id }) => id);
  const knownLatches = latches.filter(({ verdict }) => verdict !== 'wrong').map(({ latch }) => latch);
  return [
    ...duplicates(claims.map(({ id }) => id)).map((id) => fault('claims', id, 'each id once')),
    ...claims.flatMap((claim, i) => faultsOfClaim(claim, `claims[${i}]`, knownServers, knownLatches)),
  ];
}

/**
 * How many latches a claim of this shape compares. Other shapes describe one latch.
 * @type {Record<string, number>}
 */
const LATCHES_COMPARED = { ordered: 2, crosses: 2, level: 2, steeper: 2 };

/**
 * @param {LiteratureClaim} claim @param {string} at @param {string[]} servers @param {string[]}
 * latches
 */
function faultsOfClaim({ contest, latches: compared, shape }, at, servers, latches) {
  const { server, threads } = contest;
  const faults = [];
  if (!servers.includes(server)) faults.push(fault(`${at}.contest.server`, server, oneOf(servers)));
  for (const latch of compared)
    if (!latches.includes(latch)) faults.push(fault(`${at}.latches`, latch, oneOf(latches)));
  const count = LATCHES_COMPARED[shape.kind] ?? 1;
  if (compared.length !== count) faults.push(fault(`${at}.latches`, compared, `${count} for ${shape.kind}`));
  for (const number of countsOf(shape))
    if (!threads.includes(number)) faults.push(fault(`${at}.shape`, number, oneOf(threads.map(String))));
  return faults;
}

/**
 * Returns the thread counts that a shape names.
 * @param {LiteratureClaim['shape']} shape
 */
function countsOf(shape) {
  if (shape.kind === 'crosses') return shape.between;
  return 'to' in shape ? [shape.from, shape.to] : [shape.from];
}
