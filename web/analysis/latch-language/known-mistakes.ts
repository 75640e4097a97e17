// Errors of syntax that people make because they know other languages, or because a text or a
// comment does not end. Each has a sentence that says what to write instead.
import type { Place } from './syntax-tree.ts';

export interface Mistake extends Place {
  sentence: string;
  suggestion?: string;
}

/** What the parser saw before the fault, and what follows. */
interface Surroundings {
  before: string;
  behind: string;
}

interface KnownMistake {
  /** Matches the end of the text before the fault. */
  before?: RegExp;
  /** Matches the text from the fault on. */
  behind?: RegExp;
  /** `found`: the groups of both patterns, in order. */
  say: (...found: string[]) => { sentence: string; suggestion?: string };
}

const knownMistakes: readonly KnownMistake[] = [
  { behind: /^(\/\*)(?![^]*\*\/)/, say: () => ({ sentence: 'this comment does not end: add */' }) },
  { behind: /^("[^"\n]*)(?:\n|$)/, say: () => ({ sentence: 'this text does not end on its line: add "' }) },
  { behind: /^(#\w*)/, say: (name) => ({ sentence: `the language has no ${name}` }) },
  { behind: /^(\?)/, say: () => ({ sentence: 'the language has no ?: write if' }) },
  { before: /\b(do)\s*$/, say: () => ({ sentence: 'the language has no do: write while' }) },
  {
    before: /(?<![\w.])(\d+(?:\.\d+)?)\s*%\s*$/,
    behind: /^[);,]/,
    say: (number) => ({ sentence: `write a share as ${number}pct`, suggestion: `${number}pct` }),
  },
  {
    before: /(?<![\w.])(\d+(?:\.\d+)?)\s*$/,
    behind: /^([µμ]s)\b/,
    say: (number) => ({ sentence: `write ${number}us`, suggestion: `${number}us` }),
  },
  {
    before: /(?<![\w.])(\d+(?:\.\d+)?)\s+$/,
    behind: /^(ps|ns|us|ms|s|min|h|B|KiB|MiB|GiB|TiB|pct)\b/,
    say: (number, unit) => ({
      sentence: `a unit follows its number at once: write ${number}${unit}`,
      suggestion: `${number}${unit}`,
    }),
  },
  {
    behind: /^([^\x00-\x7f])/u,
    say: (letter) => ({ sentence: `unexpected ${letter}: names have letters a to z, digits and _` }),
  },
];

/** Returns the mistake at a fault of the parser; undefined if it is not one of these. */
export function knownMistakeAt({ before, behind }: Surroundings): Mistake | undefined {
  for (const mistake of knownMistakes) {
    const left = mistake.before?.exec(before);
    const right = mistake.behind?.exec(behind);
    if (left === null || right === null) continue;
    const from = left === undefined ? before.length : left.index;
    const to = before.length + (right?.[1]?.length ?? 0);
    return { from, to, ...mistake.say(...[left?.[1], right?.[1]].filter((one) => one !== undefined)) };
  }
  return undefined;
}
