// Lints English with textlint: phrases that terms.yml lists, long sentences, and long table cells.
// Reads Markdown, comments, and strings of the page; the latter two as Markdown, too, so that
// `code` is not prose.
//   node tools/lint/prose.mjs [file ...]    all files by default
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { TextlintKernel } from '@textlint/kernel';
import markdownPlugin from '@textlint/textlint-plugin-markdown';
import phrases from 'textlint-rule-prh';

import { filesKnownToGit } from '../file-digests.mjs';
import { repository } from '../processes.mjs';
import { CELL_WORDS_MAX, kindsOf, SENTENCE_WORDS_MAX, hasShortSentences } from './prose-files.mjs';
import { maxWordsOfCell, maxWordsOfSentence } from './prose-rules.mjs';
import { commentParagraphs, stringParagraphs } from './prose-texts.mjs';

const moduleOf = (module) => module.default ?? module;
const kernel = new TextlintKernel();
const plugins = [{ pluginId: 'markdown', plugin: moduleOf(markdownPlugin) }];

const rulesFor = (path) => [
  {
    ruleId: 'phrases',
    rule: moduleOf(phrases),
    options: { rulePaths: [join(import.meta.dirname, 'terms.yml')] },
  },
  { ruleId: 'table-cell', rule: maxWordsOfCell, options: { max: CELL_WORDS_MAX } },
  ...(hasShortSentences(path)
    ? [{ ruleId: 'sentence', rule: maxWordsOfSentence, options: { max: SENTENCE_WORDS_MAX } }]
    : []),
];

/**
 * @param {string} path from the root of the repository
 * @param {string} text of the file
 * @returns {Promise<string[]>} findings, a line each: path, line and message
 */
export async function lintProse(path, text) {
  const kinds = kindsOf(path);
  if (kinds.includes('markdown')) return lint(path, text, (line) => line);
  const paragraphs = [
    ...(kinds.includes('comments') ? commentParagraphs(path, text) : []),
    ...(kinds.includes('strings') ? stringParagraphs(path, text) : []),
  ];
  const lines = paragraphs.flatMap((paragraph) => [...paragraph, { line: 0, text: '' }]);
  return lint(path, lines.map((one) => one.text.trim()).join('\n'), (line) => lines[line - 1].line);
}

async function lint(path, text, lineOf) {
  const { messages } = await kernel.lintText(text, {
    filePath: path,
    ext: '.md',
    plugins,
    rules: rulesFor(path),
  });
  return messages.map(
    ({ loc, ruleId, message }) =>
      `${path}:${lineOf(loc.start.line)}: ${message.replaceAll('\n', ' ')} (${ruleId})`,
  );
}

export async function main(paths) {
  const files = paths.length > 0 ? paths : filesKnownToGit(repository, ['.']);
  let count = 0;
  for (const path of files.filter((one) => kindsOf(one).length > 0))
    for (const line of await lintProse(path, readFileSync(join(repository, path), 'utf8'))) {
      console.error(line);
      ++count;
    }
  console.log(count === 0 ? 'prose: no findings' : `prose: ${count} findings`);
  process.exitCode = count === 0 ? 0 : 1;
}

if (process.argv[1] === import.meta.filename) await main(process.argv.slice(2));
