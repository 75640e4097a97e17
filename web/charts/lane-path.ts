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
  for (const { slot, state, fromNs, toNs, isEnd } of segments) {
    if (fromNs >= range.toNs) break;
    const row = row_of_slot.get(slot);
    if (row === undefined || toNs <= range.fromNs) continue;
    times.add(row, state, fromNs, toNs);
    if (isEnd) ends.add(row, 0, fromNs, toNs);
  }
  return { runs: times.runs(), ends: ends.runs(), links: linksOf(segments, frame, row_of_slot) };
}

function linksOf(
  segments: readonly PathSegment[],
  { range, columns }: PathFrame,
  row_of_slot: ReadonlyMap<number, number>,
): PathLink[] {
  const column_ns = (range.toNs - range.fromNs) / columns;
  return waitsForOne(segments).flatMap(({ slot, behind_slot, fromNs, toNs }) => {
    const [from_row, to_row] = [row_of_slot.get(behind_slot), row_of_slot.get(slot)];
    const is_narrow = toNs - fromNs < LINK_COLUMNS_MIN * column_ns;
    const is_outside = fromNs < range.fromNs || fromNs >= range.toNs;
    if (from_row === undefined || to_row === undefined || is_narrow || is_outside) return [];
    return [{ at_px: (fromNs - range.fromNs) / column_ns, from_row, to_row }];
  });
}

interface Wait extends Pick<PathSegment, 'slot' | 'fromNs' | 'toNs'> {
  behind_slot: number;
}

/** Merges adjacent segments of one thread behind the same waiter. */
function waitsForOne(segments: readonly PathSegment[]): Wait[] {
  const waits: Wait[] = [];
  const last = new Map<string, Wait>();
  for (const { slot, behindSlot, fromNs, toNs } of segments) {
    if (behindSlot === null) continue;
    const pair = `${behindSlot} ${slot}`;
    const before = last.get(pair);
    if (before?.toNs === fromNs) {
      before.toNs = toNs;
      continue;
    }
    const wait = { slot, behind_slot: behindSlot, fromNs, toNs };
    waits.push(wait);
    last.set(pair, wait);
  }
  return waits;
}
