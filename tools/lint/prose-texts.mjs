// Extracts prose from source files: comments, and strings that people read. Each paragraph keeps
// the lines it came from, so that a finding points into the file.
import ts from 'typescript';

import { readSource } from '../source-text.mjs';

/** @typedef {{ line: number, text: string }[]} Paragraph its lines; they count from 1 */

const MARKS = /^\s*(\/\/\/?<?|\/\*\*?|\*(?!\/))\s?|\s*\*\/\s*$/g;
/** Matches comments that programs read. */
const DIRECTIVE = /^\s*(\/\/|\/\*)\s*(eslint|NOLINT|@ts-|@vitest|prettier-|clang-format|IWYU|--- )/;
/** `@param {string} path of a file`: the tag, the type and the name are not prose. */
const JSDOC_TAG = /^@\w+(\s+\{.*\})?(\s+(\[[^\]]*\]|[\w.$]+)(?=\s|$))?\s*/;
/** Diagrams, tables and examples are indented. */
const INDENTED = /^\s{3,}|^\s*[|+-]/;
const LIST_ITEM = /^\s*([-*]|\d+\.)\s+/;

/**
 * @param {string} path
 * @param {string} text
 * @returns {Paragraph[]}
 */
export function commentParagraphs(path, text) {
  const paragraphs = [];
  const sourceLines = text.split('\n');
  let lastLine = -1;
  let openBraces = 0;
  for (const comment of readSource(path, text).comments) {
    if (DIRECTIVE.test(comment.text)) continue;
    const isTrailing = !/^\s*\/[/*]/.test(sourceLines[comment.line - 1]);
    if (isTrailing) lastLine = -1;
    for (const [i, raw] of comment.text.split('\n').entries()) {
      const line = comment.line + i;
      let words = raw.replace(MARKS, '').trimEnd();
      if (words.trim() === '' || INDENTED.test(words) || words.startsWith('#')) {
        lastLine = -1;
        continue;
      }
      const wasOpen = openBraces > 0;
      openBraces = bracesLeftOpen(words, openBraces);
      if (openBraces > 0) {
        if (JSDOC_TAG.test(words)) paragraphs.push([]);
        lastLine = line;
        continue;
      }
      if (wasOpen) words = words.slice(words.lastIndexOf('}') + 1);
      const isTag = JSDOC_TAG.test(words);
      const begins = line !== lastLine + 1 || isTag || LIST_ITEM.test(words);
      const prose = words.replace(JSDOC_TAG, '').replace(LIST_ITEM, '');
      if (begins) paragraphs.push([]);
      if (prose !== '') paragraphs.at(-1).push({ line, text: prose });
      lastLine = isTrailing ? -1 : line;
    }
  }
  return paragraphs.filter((lines) => lines.length > 0);
}

/** A type of JSDoc may go over several lines. Returns how many of its braces are open after this line. */
function bracesLeftOpen(line, open) {
  if (open === 0 && !/^@\w+\s+\{/.test(line)) return 0;
  return open + line.split('{').length - line.split('}').length;
}

const TWO_WORDS = /[\p{L})]\s+\(?\p{L}/u;
/** Attributes and calls whose strings people do not read. */
const NOT_READ =
  /^(className|d|transform|viewBox|style|key|role|rel|type|href|src|id|points|path|gridTemplate\w*|font|allow)$/;

/**
 * @param {string} path of a TypeScript or JavaScript file
 * @param {string} text
 * @returns {Paragraph[]} strings, templates and texts of elements with at least two words
 */
export function stringParagraphs(path, text) {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const paragraphs = [];
  const add = (node, words) => {
    const line = file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1;
    const clean = words.replace(/\s+/g, ' ').trim();
    if (TWO_WORDS.test(clean)) paragraphs.push([{ line, text: clean }]);
  };
  const visit = (node) => {
    if (ts.isJSDoc(node) || ts.isImportDeclaration(node)) return;
    if (ts.isJsxAttribute(node) && NOT_READ.test(node.name.getText(file))) return;
    if (ts.isStringLiteralLike(node) || ts.isJsxText(node)) add(node, node.text);
    else if (ts.isTemplateExpression(node))
      add(node, [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('X'));
    ts.forEachChild(node, visit);
  };
  visit(file);
  return paragraphs;
}
