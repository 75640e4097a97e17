/** One activity of one thread. Times are run time. */
export interface LaneSegment {
  from_ns: number;
  to_ns: number;
  slot: number;
  /** Index into `thread_states`. */
  state: number;
  /** The core on which it ran throughout; -1 if on none, or if it left the core. */
  core: number;
  /** Index into `Names.latch_sites` while it spins, waits or follows, otherwise -1. */
  site: number;
  /** Distinguishes latches of one name. */
  latch: number;
  /**
   * Slot of a thread that held that latch at the start of the segment; -1 if the engine saw none.
   */
  holder: number;
  /** Site at which that thread acquired it, an index into `Names.latch_sites`, otherwise -1. */
  holder_site: number;
}
