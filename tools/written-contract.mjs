// @ts-check
// Generates files from the declarations of web/contract: JSON schemas for editors, the parser of
// the lab's language, and tables in documents. The tables are between markers such as <!-- run spec
// --> and <!-- end of run spec -->.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { formatted } from './files.mjs';
import { contract } from './page-contract.mjs';
import { readLatches, readLiterature } from './lab-latches.mjs';
import { repository } from './processes.mjs';
import { readManifests, readServers } from './scenario-manifests.mjs';

const LATCH_GRAMMAR = 'web/analysis/latch-language/latch.grammar';
const LATCH_PARSER = 'web/analysis/latch-language/latch-parser.ts';

/** The document that contains each table. */
const PLACES = {
  layers: 'docs/explanation/architecture.md',
  'run spec': 'docs/reference/contract.md',
  limits: 'docs/reference/contract.md',
  'run result': 'docs/reference/contract.md',
  'run taken back': 'docs/reference/contract.md',
  'course diff': 'docs/reference/contract.md',
  'limits of a result': 'docs/reference/files.md',
  'exercise checks': 'docs/guide/writing-exercises.md',
  'figures of checks': 'docs/guide/checks.md',
  'contest measures': 'docs/guide/writing-exercises.md',
  'workload measures': 'docs/guide/writing-exercises.md',
  'lab latches': 'docs/reference/latches.md',
  'literature claims': 'docs/explanation/latch-literature.md',
  'claim shapes': 'docs/explanation/latch-literature.md',
  'literature sources': 'docs/explanation/latch-literature.md',
};

/**
 * @returns {Promise<Record<string, string>>} the new content of each file, by its path in the
 *   repository
 */
export async function writtenContract() {
  const { documentTables, jsonSchemas } = await contract();
  /** @type {Record<string, string>} */
  const files = {};
  for (const [file, schema] of Object.entries(jsonSchemas())) files[file] = JSON.stringify(schema, null, 2);
  const [example] = await readManifests();
  const lab = { latches: await readLatches(), ...(await readLiterature()) };
  const ofContract = documentTables(/** @type {any} */ (example), await readServers(), lab);
  const tables = { layers: layers(), ...ofContract };
  for (const [name, table] of Object.entries(tables)) {
    const file = PLACES[/** @type {keyof typeof PLACES} */ (name)];
    const text = files[file] ?? readFileSync(join(repository, file), 'utf8');
    files[file] = between(text, name, table, file);
  }
  for (const file of Object.keys(files))
    files[file] = await formatted(join(repository, file), files[file] ?? '');
  files[LATCH_PARSER] = await latchParser();
  return files;
}

/** Describes tools/layers.json. */
function layers() {
  const { engine, page } = JSON.parse(readFileSync(join(repository, 'tools/layers.json'), 'utf8'));
  /** @param {string[]} names */
  const ordered = (names) => `\`${names.join(' <- ')}\``;
  /** @param {string[]} names */
  const list = (names) => new Intl.ListFormat('en').format(names.map((name) => `\`${name}/\``));
  return `- Layers of the engine: ${ordered(engine.order)}. The layers ${list(engine.free)} may use all of them, and any header.
- Layers of the page: ${ordered(page.order)}. Only ${list(page.browser.users)} uses \`${page.browser.layer}/\`, which uses the layers up to \`${page.browser.lastUsed}/\`.
- Layers that may use \`<thread>\`, \`<mutex>\`, \`<atomic>\`, \`<chrono>\`, \`<random>\` and the like: ${list(engine.machine)}.
- Layers that may use Emscripten: ${list(engine.emscripten)}.
- Layers that are a process of the host: ${list(engine.process)}. They may include \`<unistd.h>\`, \`<ctime>\`, and \`<sys/...>\` for signals, files and streams.
- Layers that do not know their platform: ${list(engine.anyPlatform)}.`;
}

/** Generates the parser of the lab's language from its grammar. */
async function latchParser() {
  // Imported here: npm packages may not be installed yet.
  const { buildParserFile } = await import('@lezer/generator');
  const grammar = readFileSync(join(repository, LATCH_GRAMMAR), 'utf8');
  const fileName = LATCH_GRAMMAR;
  return buildParserFile(grammar, { fileName, typeScript: true }).parser;
}

/** @returns {Promise<string[]>} the files that are missing or differ from the declarations */
export async function staleFiles() {
  const files = Object.entries(await writtenContract());
  return files
    .filter(([file, text]) => {
      const path = join(repository, file);
      return !existsSync(path) || readFileSync(path, 'utf8') !== text;
    })
    .map(([file]) => file);
}

/**
 * @param {string} text
 * @param {string} name name of the markers
 * @param {string} content
 * @param {string} file its name in messages
 */
export function between(text, name, content, file) {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
  const parts = text.split(begin);
  const [, below] = parts[1]?.split(end) ?? [];
  if (parts.length !== 2 || below === undefined)
    throw new Error(`${file}: got none, or several; allowed: one ${begin} with ${end} below it`);
  return `${parts[0]}${begin}\n\n${content}\n\n${end}${below}`;
}
