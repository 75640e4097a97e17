/** What one thread did for a while. Times are run time. */
export interface LaneSegment {
  from_ns: number;
  to_ns: number;
  slot: number;
  /** Index into `thread_states`. */
  state: number;
  /** On which core it was throughout; -1 if on none, or if it gave it up. */
  core: number;
  /** Index into `Names.latch_sites` while it spins, waits or follows, else -1. */
  site: number;
  /** Tells latches of one name apart. */
  latch: number;
  /** Slot of a thread that held that latch when this began, -1 if none was seen to. */
  holder: number;
  /** Where that thread had taken it, an index into `Names.latch_sites`, else -1. */
  holder_site: number;
}
