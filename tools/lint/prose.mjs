// Lints English with textlint: phrases that terms.yml lists, long sentences, and long table cells.
// Reads Markdown, comments, and strings of the page; the latter two as Markdown, too, so that
// `code` is not prose.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { TextlintKernel } from '@textlint/kernel';
import markdownPlugin from '@textlint/textlint-plugin-markdown';
import phrases from 'textlint-rule-prh';

import { repository } from '../processes.mjs';
import { CELL_WORDS_MAX, isChecked, kindsOf, SENTENCE_WORDS_MAX } from './prose-files.mjs';
import { maxWordsOfCell, maxWordsOfSentence } from './prose-rules.mjs';
import { commentParagraphs, stringParagraphs } from './prose-texts.mjs';

const moduleOf = (module) => module.default ?? module;
const kernel = new TextlintKernel();
const plugins = [{ pluginId: 'markdown', plugin: moduleOf(markdownPlugin) }];

const CELLS = { ruleId: 'table-cell', rule: maxWordsOfCell, options: { max: CELL_WORDS_MAX } };
const STRICT = [
  CELLS,
  { ruleId: 'sentence', rule: maxWordsOfSentence, options: { max: SENTENCE_WORDS_MAX } },
  {
    ruleId: 'phrases',
    rule: moduleOf(phrases),
    options: { rulePaths: [join(import.meta.dirname, 'terms.yml')] },
  },
];

/**
 * @param {string} path from the root of the repository
 * @param {string} text of the file
 * @param {boolean} [isStrict] also reports phrases and long sentences
 * @returns {Promise<string[]>} findings, a line each: path, line and message
 */
export async function lintProse(path, text, isStrict = isChecked(path)) {
  const kinds = kindsOf(path);
  if (kinds.includes('markdown')) return lint(path, text, isStrict, (line) => line);
  const paragraphs = [
    ...(kinds.includes('comments') ? commentParagraphs(path, text) : []),
    ...(kinds.includes('strings') ? stringParagraphs(path, text) : []),
  ];
  const lines = paragraphs.flatMap((paragraph) => [...paragraph, { line: 0, text: '' }]);
  return lint(path, lines.map((one) => one.text.trim()).join('\n'), isStrict, (line) => lines[line - 1].line);
}

async function lint(path, text, isStrict, lineOf) {
  const { messages } = await kernel.lintText(text, {
    filePath: path,
    ext: '.md',
    plugins,
    rules: isStrict ? STRICT : [CELLS],
  });
  return messages.map(
    ({ loc, ruleId, message }) =>
      `${path}:${lineOf(loc.start.line)}: ${message.replaceAll('\n', ' ')} (${ruleId})`,
  );
}

/**
 * @param {string[]} paths files from the root of the repository
 * @returns {Promise<string[]>} findings of all files that have prose, a line each
 */
export async function lintProseOf(paths) {
  const findings = [];
  for (const path of paths.filter((one) => kindsOf(one).length > 0))
    findings.push(...(await lintProse(path, readFileSync(join(repository, path), 'utf8'))));
  return findings;
}
