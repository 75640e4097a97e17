// Parses enough C++ to extract functions from a file and to find the latch that a line acquires.

export interface LatchSiteName {
  latch: string;
  function: string;
}

/** Position of a definition in its file, in line numbers from 1. */
export interface Definition {
  first: number;
  last: number;
}

/** Replaces comments and the content of quotes by blanks, which preserves lines and columns. */
export function withoutCommentsAndLiterals(text: string): string {
  const token =
    /\/\/[^\n]*|\/\*[\s\S]*?\*\/|\bR"(\w*)\([\s\S]*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])*'/g;
  return text.replace(token, (found) => found.replace(/[^\n]/g, ' '));
}

/**
 * Returns all definitions of a function, such as `fil_io` or `AIO::reserve_slot`, or of `class
 * AIO`, each with the comment above it.
 */
export function definitionsOf(name: string, text: string): Definition[] {
  const code = withoutCommentsAndLiterals(text);
  const starts = /^(?:class|struct) /.test(name) ? classStarts(name, code) : functionStarts(name, code);
  return starts.map(({ start, brace }) => ({
    first: withCommentAbove(lineOf(text, start), text),
    last: lineOf(text, endOfBlock(code, brace)),
  }));
}

interface Start {
  start: number;
  brace: number;
}

function classStarts(name: string, code: string): Start[] {
  const [keyword, ownName] = name.split(' ');
  const attribute = String.raw`(?:[A-Z_]+(?:\([^)]*\))? )?`;
  const pattern = new RegExp(String.raw`^${keyword} ${attribute}${ownName}\b[^;{]*\{`, 'gm');
  return [...code.matchAll(pattern)].map(({ index, 0: head }) => ({
    start: index,
    brace: index + head.length - 1,
  }));
}

// A definition begins at the left margin, because clang-format puts it there; a call never does.
function functionStarts(name: string, code: string): Start[] {
  const pattern = new RegExp(String.raw`^(?![\s#]).*?(?<![\w:])${name}\s*\(`, 'gm');
  return [...code.matchAll(pattern)].flatMap(({ index, 0: head }) => {
    const afterParameters = endOfBlock(code, index + head.length - 1) + 1;
    const brace = code.slice(afterParameters).search(/[{;]/) + afterParameters;
    return code[brace] === '{' ? [{ start: index, brace }] : [];
  });
}

/** Returns the position of the bracket that closes the one at `start`. */
function endOfBlock(code: string, start: number): number {
  const open = code[start]!;
  const close = open === '{' ? '}' : ')';
  for (let depth = 0, i = start; i < code.length; i += 1) {
    if (code[i] === open) depth += 1;
    if (code[i] === close) depth -= 1;
    if (depth === 0) return i;
  }
  throw new Error(`A ${open} is not closed.`);
}

const lineOf = (text: string, index: number) => text.slice(0, index).split('\n').length;

function withCommentAbove(line: number, text: string): number {
  const lines = text.split('\n');
  let first = line;
  while (lines[first - 2]?.startsWith('//')) first -= 1;
  return first;
}

/** Returns the LatchSite constants that a file declares, including arrays of them. */
export function latchSitesOf(text: string): Map<string, LatchSiteName[]> {
  const literals = new Map<string, string>();
  for (const [, name, value] of text.matchAll(/\bconst char\* (k\w+) = "([^"]*)";/g))
    literals.set(name!, value!);
  const valueOf = (argument: string) =>
    argument.startsWith('"') ? argument.slice(1, -1) : (literals.get(argument) ?? argument);
  const pair = String.raw`\s*("[^"]*"|k\w+)\s*,\s*("[^"]*"|k\w+)\s*`;
  const sites = new Map<string, LatchSiteName[]>();
  for (const [, name, latch, functionName] of text.matchAll(
    new RegExp(String.raw`\bLatchSite (k\w+)\(${pair}\);`, 'g'),
  )) {
    sites.set(name!, [{ latch: valueOf(latch!), function: valueOf(functionName!) }]);
  }
  for (const [, name, entries] of text.matchAll(/\bLatchSite (k\w+)\[[^\]]*\] = \{([\s\S]*?)\};/g)) {
    const pairs = [...entries!.matchAll(new RegExp(String.raw`\{${pair}\}`, 'g'))];
    sites.set(
      name!,
      pairs.map(([, latch, functionName]) => ({
        latch: valueOf(latch!),
        function: valueOf(functionName!),
      })),
    );
  }
  return sites;
}

/**
 * Returns the constants that a line uses to acquire a latch. Excludes declarations, call frames,
 * numbers and totals.
 */
export function sitesTakenIn(line: string, known: ReadonlyMap<string, unknown>): string[] {
  const code = withoutCommentsAndLiterals(line)
    .replace(/\bLatchSite k\w+/g, '')
    .replace(/\bFrame \w+\([^)]*\)/g, '')
    .replace(/\bacquisitions\(k\w+\)/g, '')
    .replace(/\bk\w+\.id\b/g, '');
  return [...new Set(code.match(/\bk[A-Z]\w*/g))].filter((name) => known.has(name));
}

/** Returns the counters that a line increments. */
export function countersIn(line: string): string[] {
  const code = withoutCommentsAndLiterals(line);
  if (!/\bcount\(/.test(code)) return [];
  return [...new Set([...code.matchAll(/\bCounter::(\w+)/g)].map(([, name]) => name!))];
}

/**
 * Reports for each line whether it runs under `variant`. In a switch over the variants of a knob,
 * the cases of other variants do not run.
 */
export function casesRunUnder(
  variant: string,
  variants: readonly string[],
  lines: readonly string[],
): boolean[] {
  let labels: string[] = [];
  let indent = -1;
  let wasLabel = false;
  return lines.map((line) => {
    const ownIndent = line.search(/\S/);
    const label = /^\s*(?:case (?:\w+::)*(\w+)|default):/.exec(line);
    if (label !== null) {
      if (!wasLabel) labels = [];
      labels.push(label[1] ?? variant);
      indent = ownIndent;
    } else if (ownIndent >= 0 && ownIndent < indent) {
      labels = [];
      indent = -1;
    }
    wasLabel = label !== null;
    const isOfOthers =
      labels.length > 0 && labels.every((name) => variants.includes(name) && name !== variant);
    return !isOfOthers;
  });
}
