// Lays out a chain of waits as a path through thread lanes: the segment in each pixel of each lane.
// Does not need a canvas.
import type { ChainPath, PathSegment } from '../analysis/chain-path';
import { ColumnTimes, type LanePicture, type LaneRun } from './lanes';

/** Narrower waits have no line to their holders, because too many lines would overlap. */
const LINK_COLUMNS_MIN = 4;

/** A line from the lane of a waiting thread to the lane of its holder, at the start of the wait. */
export interface PathLink {
  atPx: number;
  fromRow: number;
  toRow: number;
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
  const rowOfSlot = new Map(threads.map(({ slot }, row) => [slot, row]));
  const size = { rows: threads.length, columns, range };
  const times = new ColumnTimes({ ...size, states });
  const ends = new ColumnTimes({ ...size, states: 1 });
  for (const { slot, state, fromNs, toNs, isEnd } of segments) {
    if (fromNs >= range.toNs) break;
    const row = rowOfSlot.get(slot);
    if (row === undefined || toNs <= range.fromNs) continue;
    times.add(row, state, fromNs, toNs);
    if (isEnd) ends.add(row, 0, fromNs, toNs);
  }
  return { runs: times.runs(), ends: ends.runs(), links: linksOf(segments, frame, rowOfSlot) };
}

function linksOf(
  segments: readonly PathSegment[],
  { range, columns }: PathFrame,
  rowOfSlot: ReadonlyMap<number, number>,
): PathLink[] {
  const columnNs = (range.toNs - range.fromNs) / columns;
  return waitsForOne(segments).flatMap(({ slot, behindSlot, fromNs, toNs }) => {
    const [fromRow, toRow] = [rowOfSlot.get(behindSlot), rowOfSlot.get(slot)];
    const isNarrow = toNs - fromNs < LINK_COLUMNS_MIN * columnNs;
    const isOutside = fromNs < range.fromNs || fromNs >= range.toNs;
    if (fromRow === undefined || toRow === undefined || isNarrow || isOutside) return [];
    return [{ atPx: (fromNs - range.fromNs) / columnNs, fromRow, toRow }];
  });
}

interface Wait extends Pick<PathSegment, 'slot' | 'fromNs' | 'toNs'> {
  behindSlot: number;
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
    const wait = { slot, behindSlot, fromNs, toNs };
    waits.push(wait);
    last.set(pair, wait);
  }
  return waits;
}
