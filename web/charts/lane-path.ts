// Lays out a chain of waits as a path through thread lanes: the segment in each pixel of each lane.
// Does not need a canvas.
import type { ChainPath, PathSegment } from '../analysis/chain-path';
import { ColumnTimes, type LanePicture, type LaneRun } from './lanes';

/** Narrower waits have no line to their holders, because too many lines would overlap. */
const LINK_COLUMNS_MIN = 4;

/** A line from the lane of a waiting thread to the lane of its holder, at the start of the wait. */
export interface PathLink {
  at_px: number;
  from_row: number;
  to_row: number;
}

export interface PathPicture {
  runs: LaneRun[];
  /** Where the chain ends; their `state` has no meaning. */
  ends: LaneRun[];
  links: PathLink[];
}

type PathFrame = Pick<LanePicture, 'threads' | 'range' | 'columns' | 'states'>;

export function pathPicture({ segments }: Pick<ChainPath, 'segments'>, frame: PathFrame): PathPicture {
  const { threads, range, columns, states } = frame;
  const row_of_slot = new Map(threads.map(({ slot }, row) => [slot, row]));
  const size = { rows: threads.length, columns, range };
  const times = new ColumnTimes({ ...size, states });
  const ends = new ColumnTimes({ ...size, states: 1 });
  for (const { slot, state, from_ns, to_ns, is_end } of segments) {
    if (from_ns >= range.to_ns) break;
    const row = row_of_slot.get(slot);
    if (row === undefined || to_ns <= range.from_ns) continue;
    times.add(row, state, from_ns, to_ns);
    if (is_end) ends.add(row, 0, from_ns, to_ns);
  }
  return { runs: times.runs(), ends: ends.runs(), links: linksOf(segments, frame, row_of_slot) };
}

function linksOf(
  segments: readonly PathSegment[],
  { range, columns }: PathFrame,
  row_of_slot: ReadonlyMap<number, number>,
): PathLink[] {
  const column_ns = (range.to_ns - range.from_ns) / columns;
  return waitsForOne(segments).flatMap(({ slot, behind_slot, from_ns, to_ns }) => {
    const [from_row, to_row] = [row_of_slot.get(behind_slot), row_of_slot.get(slot)];
    const is_narrow = to_ns - from_ns < LINK_COLUMNS_MIN * column_ns;
    const is_outside = from_ns < range.from_ns || from_ns >= range.to_ns;
    if (from_row === undefined || to_row === undefined || is_narrow || is_outside) return [];
    return [{ at_px: (from_ns - range.from_ns) / column_ns, from_row, to_row }];
  });
}

interface Wait extends Pick<PathSegment, 'slot' | 'from_ns' | 'to_ns'> {
  behind_slot: number;
}

/** Merges adjacent segments of one thread behind the same waiter. */
function waitsForOne(segments: readonly PathSegment[]): Wait[] {
  const waits: Wait[] = [];
  const last = new Map<string, Wait>();
  for (const { slot, behind_slot, from_ns, to_ns } of segments) {
    if (behind_slot === null) continue;
    const pair = `${behind_slot} ${slot}`;
    const before = last.get(pair);
    if (before?.to_ns === from_ns) {
      before.to_ns = to_ns;
      continue;
    }
    const wait = { slot, behind_slot, from_ns, to_ns };
    waits.push(wait);
    last.set(pair, wait);
  }
  return waits;
}
