// Lints English with textlint: phrases that terms.yml lists, long sentences, and long table cells.
// Reads Markdown, comments, and strings of the page; the latter two as Markdown, too, so that
// `code` is not prose.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { TextlintKernel } from '@textlint/kernel';
import markdownPlugin from '@textlint/textlint-plugin-markdown';
import { split, SentenceSplitterSyntax } from 'sentence-splitter';
import phrases from 'textlint-rule-prh';
import { StringSource } from 'textlint-util-to-string';

import { repository } from '../processes.mjs';
import { commentParagraphs, stringParagraphs } from './prose-texts.mjs';

const SENTENCE_WORDS_MAX = 25;
const CELL_WORDS_MAX = 12;

/** Folders and files in which phrases and long sentences are findings. The list only grows. */
const CHECKED = [
  'README.md',
  'CONTRIBUTING.md',
  'docs/',
  'wasm-engine/',
  'tools/',
  'research/',
  'e2e/',
  'lab/',
  'scenarios/',
  'web/',
];

const GENERATED =
  /(^|\/)gen\/|^wasm-engine\/third_party\/|^web\/contract\/(engine-limits|lab-program|workload-operations|workload-code-operations)\.ts$|^web\/analysis\/latch-language\/latch-parser\.ts$/;

/**
 * @param {string} path from the root of the repository
 * @returns {('markdown' | 'comments' | 'strings')[]} what to read of the file
 */
export function kindsOf(path) {
  if (GENERATED.test(path)) return [];
  if (path.endsWith('.md')) return ['markdown'];
  if (/^(web)\/.*\.tsx?$/.test(path) && !/\.test\.|test-fixtures/.test(path)) return ['comments', 'strings'];
  return /\.(ts|tsx|mjs|cjs|js|cc|h)$/.test(path) ? ['comments'] : [];
}

/** @param {string} path from the root of the repository */
export const isChecked = (path) =>
  CHECKED.some((place) => path === place || (place.endsWith('/') && path.startsWith(place)));

const wordsIn = (text) => text.split(/\s+/).filter((word) => /\w/.test(word)).length;

/** @param {string} text a paragraph without markup */
function longSentences(text, max) {
  return split(text)
    .filter(({ type }) => type === SentenceSplitterSyntax.Sentence)
    .flatMap(({ raw, range }) => {
      const words = wordsIn(raw);
      return words > max ? [{ index: range[0], words, text: raw.trim() }] : [];
    });
}

/** Reports sentences of more than `max` words. Code in a sentence counts as one word. */
const maxWordsOfSentence = ({ Syntax, RuleError, report }, { max }) => ({
  [Syntax.Paragraph](node) {
    const source = new StringSource(node, {
      replacer: ({ node: part, maskValue }) => (part.type === Syntax.Code ? maskValue('x') : undefined),
    });
    for (const { index, words, text } of longSentences(source.toString(), max))
      report(
        node,
        new RuleError(`sentence of ${words} words, at most ${max}: "${text.slice(0, 60)} ..."`, {
          index: source.originalIndexFromIndex(index) ?? 0,
        }),
      );
  },
});

/** Reports table cells of more than `max` words. */
const maxWordsOfCell = ({ Syntax, RuleError, report, getSource }, { max }) => ({
  [Syntax.TableCell](node) {
    const text = getSource(node);
    const words = wordsIn(text);
    if (words > max)
      report(node, new RuleError(`table cell of ${words} words, at most ${max}: "${text.slice(0, 60)} ..."`));
  },
});

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
