// Parses a source, or reports all errors that the grammar finds.
import type { Tree } from '@lezer/common';
import type { LRParser } from '@lezer/lr';

import type { Errors } from './lab-error.ts';
import { addSyntaxErrors } from './syntax-errors.ts';

/** One of the languages of the grammar. */
export interface Grammar {
  parser: LRParser;
  /** What a source is called, such as a workload. */
  one: string;
  linesMax: number;
  /** Words that may be misspelled, or used as names by mistake. */
  keywords: readonly string[];
}

const SOURCE_CHARACTERS_MAX = 100_000;
/** Maximum nesting depth of parentheses, operators and blocks. */
const NESTING_MAX = 200;

/** Returns undefined if the source has errors. */
export function checkedTree(errors: Errors, grammar: Grammar): Tree | undefined {
  checkSize(errors, grammar);
  if (errors.found.length > 0) return undefined;
  checkBrackets(errors);
  if (errors.found.length > 0) return undefined;
  const tree = grammar.parser.parse(errors.source);
  // Checks nesting first: if it is too deep, the parser gives up and reports a misleading error.
  checkNesting(errors, tree);
  if (errors.found.length > 0) return undefined;
  addSyntaxErrors(errors, grammar);
  return errors.found.length > 0 ? undefined : tree;
}

function checkSize(errors: Errors, { one, linesMax }: Grammar): void {
  const { source } = errors;
  const lines = errors.lineOf(source.length);
  const end = { from: source.length, to: source.length };
  if (lines - (source.endsWith('\n') ? 1 : 0) > linesMax)
    errors.add(end, `${one} has at most ${linesMax} lines; this one has ${lines}`);
  else if (source.length > SOURCE_CHARACTERS_MAX)
    errors.add(end, `${one} has at most ${SOURCE_CHARACTERS_MAX} characters; this one has ${source.length}`);
}

const NESTED_TOO_DEEP = `nested too deeply: at most ${NESTING_MAX} levels of operators, parentheses or blocks`;

/** Checks brackets before parsing, which is slow with thousands of open brackets. */
function checkBrackets(errors: Errors): void {
  let depth = 0;
  for (const { 0: token, index } of errors.source.matchAll(/"[^"\n]*"|\/\/[^\n]*|\/\*[^]*?\*\/|[([{}\])]/g)) {
    if (token.length > 1) continue;
    depth += '([{'.includes(token) ? 1 : -1;
    if (depth > NESTING_MAX) {
      errors.add({ from: index, to: index + 1 }, NESTED_TOO_DEEP);
      return;
    }
  }
}

function checkNesting(errors: Errors, tree: Tree): void {
  const cursor = tree.cursor();
  // Descends to the first part that is nested too deep, and ignores its content.
  for (let depth = 1; ;) {
    if (depth > NESTING_MAX) {
      errors.add({ from: cursor.from, to: cursor.to }, NESTED_TOO_DEEP);
      return;
    }
    if (cursor.firstChild()) {
      depth += 1;
      continue;
    }
    while (!cursor.nextSibling()) {
      if (!cursor.parent()) return;
      depth -= 1;
    }
  }
}
