// @ts-check
// Files written from the declarations of web/contract: JSON schemas for editors, and tables in documents
// between markers such as <!-- run spec --> and <!-- end of run spec -->.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { formatted } from './files.mjs';
import { contract } from './page-contract.mjs';
import { repository } from './processes.mjs';
import { readManifests, readServers } from './scenario-manifests.mjs';

/** The document that each table belongs to. */
const PLACES = {
  'run spec': 'docs/contract.md',
  limits: 'docs/contract.md',
  'run result': 'docs/contract.md',
  'run taken back': 'docs/contract.md',
  'course diff': 'docs/contract.md',
  'limits of a result': 'docs/files.md',
};

/** @returns {Promise<Record<string, string>>} what each file should say, by its path in the repository */
export async function writtenContract() {
  const { documentTables, jsonSchemas } = await contract();
  /** @type {Record<string, string>} */
  const files = {};
  for (const [name, schema] of Object.entries(jsonSchemas()))
    files[`scenarios/${name}`] = JSON.stringify(schema, null, 2);
  const scenarios = join(repository, 'scenarios');
  const [example] = await readManifests(scenarios);
  const tables = documentTables(/** @type {any} */ (example), await readServers(scenarios));
  for (const [name, table] of Object.entries(tables)) {
    const file = PLACES[/** @type {keyof typeof PLACES} */ (name)];
    const text = files[file] ?? readFileSync(join(repository, file), 'utf8');
    files[file] = between(text, name, table, file);
  }
  for (const file of Object.keys(files))
    files[file] = await formatted(join(repository, file), files[file] ?? '');
  return files;
}

/** @returns {Promise<string[]>} the files that differ from the declarations */
export async function staleFiles() {
  const files = Object.entries(await writtenContract());
  return files
    .filter(([file, text]) => readFileSync(join(repository, file), 'utf8') !== text)
    .map(([file]) => file);
}

/**
 * @param {string} text
 * @param {string} name of the markers
 * @param {string} content
 * @param {string} file its name in messages
 */
export function between(text, name, content, file) {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
  const parts = text.split(begin);
  const [, below] = parts[1]?.split(end) ?? [];
  if (parts.length !== 2 || below === undefined)
    throw new Error(`${file}: allowed: one ${begin}, and ${end} below it`);
  return `${parts[0]}${begin}\n\n${content}\n\n${end}${below}`;
}
