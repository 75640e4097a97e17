// As much C++ as it takes to cut functions out of a file and to see which latch a line takes.

export interface LatchSiteName {
  latch: string;
  function: string;
}

/** Where a definition stands in its file: numbers of lines, from 1. */
export interface Definition {
  first: number;
  last: number;
}

/** The text with comments, and what is inside quotes, turned to blanks: every line and column stays. */
export function withoutCommentsAndLiterals(text: string): string {
  const token =
    /\/\/[^\n]*|\/\*[\s\S]*?\*\/|\bR"(\w*)\([\s\S]*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])*'/g;
  return text.replace(token, (found) => found.replace(/[^\n]/g, ' '));
}

/** All definitions of a function, such as `fil_io` or `AIO::reserve_slot`, or of `class AIO`; with the comment above. */
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
  const [keyword, own_name] = name.split(' ');
  const attribute = String.raw`(?:[A-Z_]+(?:\([^)]*\))? )?`;
  const pattern = new RegExp(String.raw`^${keyword} ${attribute}${own_name}\b[^;{]*\{`, 'gm');
  return [...code.matchAll(pattern)].map(({ index, 0: head }) => ({
    start: index,
    brace: index + head.length - 1,
  }));
}

// A definition begins at the left margin, as clang-format puts it; a call never does.
function functionStarts(name: string, code: string): Start[] {
  const pattern = new RegExp(String.raw`^(?![\s#]).*?(?<![\w:])${name}\s*\(`, 'gm');
  return [...code.matchAll(pattern)].flatMap(({ index, 0: head }) => {
    const after_parameters = endOfBlock(code, index + head.length - 1) + 1;
    const brace = code.slice(after_parameters).search(/[{;]/) + after_parameters;
    return code[brace] === '{' ? [{ start: index, brace }] : [];
  });
}

/** Where the bracket that opens at `start` is closed. */
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

/** The LatchSite constants that a file declares, arrays of them included. */
export function latchSitesOf(text: string): Map<string, LatchSiteName[]> {
  const literals = new Map<string, string>();
  for (const [, name, value] of text.matchAll(/\bconst char\* (k\w+) = "([^"]*)";/g))
    literals.set(name!, value!);
  const valueOf = (argument: string) =>
    argument.startsWith('"') ? argument.slice(1, -1) : (literals.get(argument) ?? argument);
  const pair = String.raw`\s*("[^"]*"|k\w+)\s*,\s*("[^"]*"|k\w+)\s*`;
  const sites = new Map<string, LatchSiteName[]>();
  for (const [, name, latch, function_name] of text.matchAll(
    new RegExp(String.raw`\bLatchSite (k\w+)\(${pair}\);`, 'g'),
  )) {
    sites.set(name!, [{ latch: valueOf(latch!), function: valueOf(function_name!) }]);
  }
  for (const [, name, entries] of text.matchAll(/\bLatchSite (k\w+)\[[^\]]*\] = \{([\s\S]*?)\};/g)) {
    const pairs = [...entries!.matchAll(new RegExp(String.raw`\{${pair}\}`, 'g'))];
    sites.set(
      name!,
      pairs.map(([, latch, function_name]) => ({
        latch: valueOf(latch!),
        function: valueOf(function_name!),
      })),
    );
  }
  return sites;
}

/** Names of the constants that a line passes on in order to take a latch: not its declaration, call frame, number or totals. */
export function sitesTakenIn(line: string, known: ReadonlyMap<string, unknown>): string[] {
  const code = withoutCommentsAndLiterals(line)
    .replace(/\bLatchSite k\w+/g, '')
    .replace(/\bFrame \w+\([^)]*\)/g, '')
    .replace(/\bacquisitions\(k\w+\)/g, '')
    .replace(/\bk\w+\.id\b/g, '');
  return [...new Set(code.match(/\bk[A-Z]\w*/g))].filter((name) => known.has(name));
}

/** Counters that a line adds to. */
export function countersIn(line: string): string[] {
  const code = withoutCommentsAndLiterals(line);
  if (!/\bcount\(/.test(code)) return [];
  return [...new Set([...code.matchAll(/\bCounter::(\w+)/g)].map(([, name]) => name!))];
}

/**
 * For each line whether it is run under `variant`: in a switch over the variants of a knob, the cases of others are not.
 */
export function casesRunUnder(
  variant: string,
  variants: readonly string[],
  lines: readonly string[],
): boolean[] {
  let labels: string[] = [];
  let indent = -1;
  let was_label = false;
  return lines.map((line) => {
    const own_indent = line.search(/\S/);
    const label = /^\s*(?:case (?:\w+::)*(\w+)|default):/.exec(line);
    if (label !== null) {
      if (!was_label) labels = [];
      labels.push(label[1] ?? variant);
      indent = own_indent;
    } else if (own_indent >= 0 && own_indent < indent) {
      labels = [];
      indent = -1;
    }
    was_label = label !== null;
    const is_of_others =
      labels.length > 0 && labels.every((name) => variants.includes(name) && name !== variant);
    return !is_of_others;
  });
}
