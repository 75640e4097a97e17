import type { FoldedStack } from '../contract/live-view';

/**
 * One of several stacks: the frames that all of them share are folded, and the frame in which it
 * differs is emphasized.
 */
export interface StackFold {
  count: number;
  /**
   * Innermost first: the frames that no other stack shares. The stack differs at the last of them.
   */
  own: readonly string[];
  /** Frames between `own` and `shared`. */
  between: readonly string[];
  /** The outermost frames, which all stacks have. */
  shared: readonly string[];
}

/** Folds stacks whose frames are innermost first. */
export function foldedFrames(stacks: readonly FoldedStack[]): StackFold[] {
  const outermostFirst = stacks.map(({ frames }) => frames.toReversed());
  const shared = outermostFirst.length < 2 ? 0 : Math.min(...pairsOf(outermostFirst).map(commonFrames));
  return stacks.map(({ count, frames }, index) => {
    const others = outermostFirst.filter((_, other) => other !== index);
    const likeOthers = Math.max(0, ...others.map((other) => commonFrames([outermostFirst[index]!, other])));
    // A stack that is the prefix of another one differs in its innermost frame.
    const ownFrom = Math.max(1, frames.length - likeOthers);
    return {
      count,
      own: frames.slice(0, ownFrom),
      between: frames.slice(ownFrom, frames.length - shared),
      shared: frames.slice(Math.max(ownFrom, frames.length - shared)),
    };
  });
}

/** Pairs the first stack with each other one. Frames that all share are also in the first. */
const pairsOf = <T>([first, ...others]: readonly T[]): [T, T][] => others.map((other) => [first!, other]);

function commonFrames([a, b]: readonly [readonly string[], readonly string[]]): number {
  const differsAt = a.findIndex((frame, depth) => frame !== b[depth]);
  return differsAt < 0 ? a.length : differsAt;
}
