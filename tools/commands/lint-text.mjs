// npm run lint:text: lints English. Exits with 1 if there are findings.
//   npm run lint:text [-- prose | spelling | commits ...]
// Without names, runs all three:
//   prose      long sentences, long table cells and phrases of tools/lint/terms.yml, in Markdown,
//              comments and strings of the page
//   spelling   cspell, with the words of tools/lint/words.txt
//   commits    the form of commit messages
import { join } from 'node:path';

import { readArguments, requireNames } from '../command-line.mjs';
import { filesKnownToGit } from '../file-digests.mjs';
import { checkCommits } from '../lint/commits.mjs';
import { lintProseOf } from '../lint/prose.mjs';
import { CommandFailed, repository, runCommand } from '../processes.mjs';

async function prose() {
  const findings = await lintProseOf(filesKnownToGit(repository, ['.']));
  for (const line of findings) console.error(line);
  console.log(`prose: ${findings.length} findings`);
  return findings.length === 0;
}

async function spelling() {
  try {
    await runCommand(join(repository, 'node_modules/.bin/cspell'), ['lint', '--no-progress', '.']);
    return true;
  } catch (error) {
    if (error instanceof CommandFailed) return false;
    throw error;
  }
}

async function commits() {
  const { isGood, message } = checkCommits(repository);
  console.log(message);
  return isGood;
}

const LINTERS = { prose, spelling, commits };

export async function main(args) {
  const { positionals } = readArguments(args, {}, { withPositionals: true });
  const all = Object.keys(LINTERS);
  const names = requireNames('linter', positionals.length === 0 ? all : positionals, all);
  let isGood = true;
  for (const name of names) isGood = (await LINTERS[name]()) && isGood;
  process.exitCode = isGood ? 0 : 1;
}
