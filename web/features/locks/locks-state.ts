// Declares the slice of the page's state for latch track, lanes and lock picture, and their command
// ids.
import type { ChainPath, PathPart } from '../../analysis/chain-path';
import type { LaneOrder } from '../../analysis/lane-order';
import type { Followed } from '../../analysis/latch-moment';

export interface LocksSlice {
  locks: {
    /** The order of the lanes. */
    order: LaneOrder;
    /** Which events a step moves to. */
    followed: Followed;
    /** Whether events play automatically. */
    isPlaying: boolean;
    /** Number of the selected latch; null for the most expensive one. */
    latch: number | null;
    /** Whether a latch has recorded events. */
    hasEvents: boolean;
    /** Whether the reader has chosen a moment that the picture keeps showing. */
    holdsMoment: boolean;
  };
}

declare module '../../session/store' {
  interface FeatureSlices extends LocksSlice {}
}

/**
 * Operations on the moment that track, lanes and picture share, for commands and, through the
 * shell, for other features.
 */
export interface MomentControls {
  /** The thread and the moment that the reader holds. */
  readonly held: { slot: number; tNs: number } | null;
  /** The shown part of run time. */
  readonly range: { fromNs: number; toNs: number };
  /**
   * Called when the chain of a transaction appears or disappears, or when one part of it is shown.
   */
  onPath(): void;
  /** Moves to the next or the previous event; returns false if there is none. */
  step(direction: 1 | -1): boolean;
  togglePlay(): void;
  mayPlay(): boolean;
  follow(followed: Followed): void;
  sortBy(order: LaneOrder): void;
  zoom(factor: number): void;
  /** Follows the run. */
  lookAway(): void;
}

/** The page's shared moment, once a view shows it. */
export class Locks {
  moment: MomentControls | null = null;
  /** The chain of a transaction in the lanes. */
  path: ChainPath | null = null;
  /** The shown part of the chain; null for all of it. */
  pathPart: PathPart | null = null;
  #revealLanes: (() => void) | null = null;

  showPath(path: ChainPath | null): void {
    this.path = path;
    this.pathPart = null;
    this.moment?.onPath();
  }

  showPathPart(part: PathPart | null): void {
    this.pathPart = part;
    this.moment?.onPath();
  }

  /** Sets how to scroll to the lanes. Returns a function to call when their view is removed. */
  lanesAreRevealedBy(reveal: () => void): () => void {
    this.#revealLanes = reveal;
    return () => {
      if (this.#revealLanes === reveal) this.#revealLanes = null;
    };
  }

  revealLanes(): void {
    this.#revealLanes?.();
  }
}

export const orderTitles: Record<LaneOrder, string> = { wait: 'wait', holder: 'hold', name: 'name' };
export const followedTitles: Record<Followed, string> = {
  every_event: 'all events',
  thread: 'this thread',
  line: 'this line',
};
export const orderCommandId = (order: LaneOrder) => `locks.order.${order}`;
export const followCommandId = (followed: Followed) => `locks.follow.${followed}`;
