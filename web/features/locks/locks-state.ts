// What track, lanes and lock picture add to the state of the page, and how their commands are called.
import type { ChainPath, PathPart } from '../../analysis/chain-path';
import type { LaneOrder } from '../../analysis/lane-order';
import type { Followed } from '../../analysis/latch-steps';
import type { ExplorerState } from '../../session/store';

export interface LocksSlice {
  locks: {
    /** In which order lanes stand. */
    order: LaneOrder;
    /** What the next event is that a step leads to. */
    followed: Followed;
    /** One event after the other, by itself. */
    is_playing: boolean;
    /** Number of the latch that was chosen; null: the one that costs most. */
    latch: number | null;
    /** Events of a latch are known. */
    has_events: boolean;
    /** The reader has chosen a moment, and the picture stays at it. */
    holds_moment: boolean;
  };
}

export type LocksState = ExplorerState & LocksSlice;

/** What commands, and the shell for other features, do with the moment that track, lanes and picture share. */
export interface MomentControls {
  /** The moment that the reader holds, of a thread. */
  readonly held: { slot: number; t_ns: number } | null;
  /** The part of run time that is shown. */
  readonly range: { from_ns: number; to_ns: number };
  /** The chain of a transaction comes or goes, or one part of it is looked at. */
  onPath(): void;
  /** To the next event, or the one before; false: there is none. */
  step(direction: 1 | -1): boolean;
  togglePlay(): void;
  mayPlay(): boolean;
  follow(followed: Followed): void;
  sortBy(order: LaneOrder): void;
  zoom(factor: number): void;
  /** Follows the run. */
  lookAway(): void;
}

/** The page's one moment, once a view shows it. */
export class Locks {
  moment: MomentControls | null = null;
  /** The chain of a transaction that the lanes show. */
  path: ChainPath | null = null;
  /** The part of it that is looked at; null: all of it. */
  path_part: PathPart | null = null;
  #revealLanes: (() => void) | null = null;

  showPath(path: ChainPath | null): void {
    this.path = path;
    this.path_part = null;
    this.moment?.onPath();
  }

  showPathPart(part: PathPart | null): void {
    this.path_part = part;
    this.moment?.onPath();
  }

  /** Says how the view of the lanes comes to where the reader sees it; returns what to do when that view is gone. */
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

export const order_titles: Record<LaneOrder, string> = { wait: 'wait', holder: 'hold', name: 'name' };
export const followed_titles: Record<Followed, string> = {
  every_event: 'all events',
  thread: 'this thread',
  line: 'this line',
};
export const orderCommandId = (order: LaneOrder) => `locks.order.${order}`;
export const followCommandId = (followed: Followed) => `locks.follow.${followed}`;
