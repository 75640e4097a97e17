import { hierarchy, partition, type HierarchyRectangularNode } from 'd3-hierarchy';

import type { FlameNode } from '../analysis/flame';

/** Where a frame of the flame graph is drawn: parts of the graph's width, rows from the top. */
export interface FlameFrame {
  node: FlameNode;
  row: number;
  left: number;
  width: number;
  /** The frame that is zoomed into was called by this one. */
  is_ancestor: boolean;
  parent: string | null;
  /** Place among the frames that its caller called, from 1, and how many there are. */
  place: number;
  siblings: number;
  /** Its widest callee that is drawn. */
  widest_child: string | null;
}

export interface FlameLayout {
  /** Row by row, from left to right. */
  frames: FlameFrame[];
  rows: number;
  /** Frames that would be wide enough, but are too many to draw. */
  left_out: number;
}

/** The widest are drawn, which a browser can still do at once. */
export const FRAMES_MAX = 2_000;

/**
 * An icicle: callers above, callees below, the frame with path `zoomed` and its callers as wide as the graph. Frames
 * narrower than `width_min` of it are left out.
 */
export function flameLayout(root: FlameNode, zoomed: string, width_min: number): FlameLayout {
  const placed = partition<FlameNode>()(
    hierarchy(root).sum(
      ({ samples, children }) => samples - children.reduce((sum, child) => sum + child.samples, 0),
    ),
  );
  const target = placed.find(({ data }) => data.path === zoomed) ?? placed;
  const ancestors = new Set(target.ancestors().slice(1));
  const wide_enough = placed
    .descendants()
    .map((place) => frameOf(place, target, ancestors.has(place)))
    .filter(({ width }) => width >= width_min);
  const frames = widest(wide_enough).sort((a, b) => a.row - b.row || a.left - b.left);
  linkChildren(frames);
  return {
    frames,
    rows: frames.reduce((rows, { row }) => Math.max(rows, row + 1), 0),
    left_out: wide_enough.length - frames.length,
  };
}

/** With each its callers, as none is wider than its caller. */
const widest = (frames: FlameFrame[]) =>
  frames.length <= FRAMES_MAX
    ? frames
    : frames.toSorted((a, b) => b.width - a.width || a.row - b.row).slice(0, FRAMES_MAX);

type Place = HierarchyRectangularNode<FlameNode>;

function frameOf(place: Place, target: Place, is_ancestor: boolean): FlameFrame {
  const span = target.x1 - target.x0;
  // Frames beside the one that is zoomed into end up outside, with no width.
  const within = (x: number) => Math.min(1, Math.max(0, (x - target.x0) / span));
  const left = within(place.x0);
  return {
    node: place.data,
    row: place.depth,
    left,
    width: within(place.x1) - left,
    is_ancestor,
    parent: place.parent?.data.path ?? null,
    place: (place.parent?.children?.indexOf(place) ?? 0) + 1,
    siblings: place.parent?.children?.length ?? 1,
    widest_child: null,
  };
}

function linkChildren(frames: FlameFrame[]): void {
  const by_path = new Map(frames.map((frame) => [frame.node.path, frame]));
  for (const frame of frames) {
    const parent = frame.parent === null ? undefined : by_path.get(frame.parent);
    if (parent === undefined) continue;
    const widest = parent.widest_child === null ? undefined : by_path.get(parent.widest_child);
    if (widest === undefined || frame.width > widest.width) parent.widest_child = frame.node.path;
  }
}

/** The frame that an arrow key, Home or End goes to from another one; null if the key goes nowhere. */
export function frameAfterKey({ frames }: FlameLayout, from: FlameFrame, key: string): FlameFrame | null {
  const at = (path: string | null) => frames.find(({ node }) => node.path === path) ?? null;
  const row = frames.filter(({ row: other }) => other === from.row);
  const index = row.indexOf(from);
  switch (key) {
    case 'ArrowUp':
      return at(from.parent);
    case 'ArrowDown':
      return at(from.widest_child);
    case 'ArrowLeft':
      return row[index - 1] ?? null;
    case 'ArrowRight':
      return row[index + 1] ?? null;
    case 'Home':
      return frames[0] ?? null;
    case 'End':
      return frames.at(-1) ?? null;
    default:
      return null;
  }
}
