import type { FoldedStack } from '../contract/live-view';

/** A stack beside others: what it shares with all of them is folded, and the frame in which it differs stands out. */
export interface StackFold {
  count: number;
  /** Innermost first, those from which on it differs from all others; the last of them is where it does. */
  own: readonly string[];
  /** Between those and what all have in common. */
  between: readonly string[];
  /** Which all stacks have, outermost ones. */
  shared: readonly string[];
}

/** The frames are innermost first. */
export function foldedFrames(stacks: readonly FoldedStack[]): StackFold[] {
  const outermost_first = stacks.map(({ frames }) => frames.toReversed());
  const shared = outermost_first.length < 2 ? 0 : Math.min(...pairsOf(outermost_first).map(commonFrames));
  return stacks.map(({ count, frames }, index) => {
    const others = outermost_first.filter((_, other) => other !== index);
    const like_others = Math.max(0, ...others.map((other) => commonFrames([outermost_first[index]!, other])));
    // A stack that ends where another one goes on differs in its innermost frame.
    const own_from = Math.max(1, frames.length - like_others);
    return {
      count,
      own: frames.slice(0, own_from),
      between: frames.slice(own_from, frames.length - shared),
      shared: frames.slice(Math.max(own_from, frames.length - shared)),
    };
  });
}

/** The first with each other one: what all have in common, the first has, too. */
const pairsOf = <T>([first, ...others]: readonly T[]): [T, T][] => others.map((other) => [first!, other]);

function commonFrames([a, b]: readonly [readonly string[], readonly string[]]): number {
  const differs_at = a.findIndex((frame, depth) => frame !== b[depth]);
  return differs_at < 0 ? a.length : differs_at;
}
