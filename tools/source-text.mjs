// Splits source files into code and comments: TypeScript's parser reads .ts, .tsx and .mjs files,
// Lezer's C++ grammar reads .cc and .h files. Other files have no comments here.
import { parser as cpp } from '@lezer/cpp';
import ts from 'typescript';

/**
 * @typedef {object} SourceText
 * @property {string} code the file without comments and without spaces that mean nothing
 * @property {{ line: number, text: string }[]} comments in order, with their marks; lines count
 *   from 1
 */

const READERS = [
  [/\.(ts|tsx|mjs|cjs|js)$/, readScript],
  [/\.(cc|h)$/, readCpp],
  [/\.json$/, (_, text) => ({ code: JSON.stringify(JSON.parse(text)), comments: [] })],
];

/**
 * @param {string} path its ending says which language the text is in
 * @param {string} text
 * @returns {SourceText}
 */
export function readSource(path, text) {
  const [, reader] = READERS.find(([ending]) => ending.test(path)) ?? [];
  return reader ? reader(path, text) : { code: text, comments: [] };
}

function readScript(path, text) {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const tokens = [];
  const comments = [];
  let end = 0;
  const visit = (node) => {
    if (ts.isJSDoc(node)) return;
    const children = node.getChildren(file);
    if (children.length > 0) return children.forEach(visit);
    comments.push(...commentsBetween(text, end, node.getStart(file)));
    tokens.push(node.getText(file));
    end = node.end;
  };
  visit(file);
  return { code: tokens.filter((token) => token !== '').join('\n'), comments: withLines(text, comments) };
}

/** The comments of a range that has nothing else but spaces. */
function commentsBetween(text, from, to) {
  const found = [];
  const scanner = ts.createScanner(
    ts.ScriptTarget.Latest,
    false,
    undefined,
    text,
    undefined,
    from,
    to - from,
  );
  for (let kind = scanner.scan(); kind !== ts.SyntaxKind.EndOfFileToken; kind = scanner.scan())
    if (kind === ts.SyntaxKind.SingleLineCommentTrivia || kind === ts.SyntaxKind.MultiLineCommentTrivia)
      found.push({ from: scanner.getTokenStart(), to: scanner.getTokenEnd() });
  return found;
}

const CPP_COMMENTS = ['LineComment', 'BlockComment'];
const CPP_LITERALS = ['String', 'RawString', 'CharLiteral', 'SystemLibString'];
/**
 * Replaces a literal while spaces around it are removed. No source file contains this character.
 */
const LITERAL = '\u0001';

function readCpp(_, text) {
  const comments = [];
  const literals = [];
  let code = '';
  let end = 0;
  cpp.parse(text).iterate({
    enter({ name, from, to }) {
      const isLiteral = CPP_LITERALS.includes(name);
      if (!isLiteral && !CPP_COMMENTS.includes(name)) return true;
      code += text.slice(end, from) + (isLiteral ? LITERAL : ' ');
      if (isLiteral) literals.push(text.slice(from, to));
      else comments.push({ from, to });
      end = to;
      return false;
    },
  });
  code = withoutNeedlessSpaces(code + text.slice(end));
  return {
    code: code.replaceAll(LITERAL, () => literals.shift()),
    comments: withLines(text, comments),
  };
}

/**
 * A directive of the preprocessor ends with its line. Elsewhere, spaces only part words, and signs
 * such as `- -`.
 */
function withoutNeedlessSpaces(code) {
  const NEWLINE = '\u0002';
  return code
    .replace(/\\\n/g, ' ')
    .replace(/^[ \t]*#.*$/gm, (directive) => `${NEWLINE}${directive.trim().replace(/\s+/g, ' ')}${NEWLINE}`)
    .replace(/(\S?)\s+(?=(\S?))/g, (_, before, after) =>
      /^(\w\w|[^\w\s]{2})$/.test(before + after) && !(before + after).includes(NEWLINE)
        ? `${before} `
        : before,
    )
    .replaceAll(new RegExp(`${NEWLINE}+`, 'g'), '\n');
}

function withLines(text, ranges) {
  let line = 1;
  let at = 0;
  return ranges.map(({ from, to }) => {
    for (; at < from; ++at) if (text[at] === '\n') ++line;
    return { line, text: text.slice(from, to) };
  });
}
