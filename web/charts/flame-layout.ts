// Lays out the frames of a flame graph.
import { hierarchy, partition, type HierarchyRectangularNode } from 'd3-hierarchy';

import type { FlameNode } from '../analysis/flame';

/** The place of a frame in the flame graph: fractions of the graph's width, rows from the top. */
export interface FlameFrame {
  node: FlameNode;
  row: number;
  left: number;
  width: number;
  /** The frame is a caller of the zoomed frame. */
  isAncestor: boolean;
  parent: string | null;
  /** Position among the callees of its caller, from 1, and their number. */
  place: number;
  siblings: number;
  /** The widest callee that is drawn. */
  widestChild: string | null;
}

export interface FlameLayout {
  /** Row by row, from left to right. */
  frames: FlameFrame[];
  rows: number;
  /** Number of frames that are wide enough, but too many to draw. */
  leftOut: number;
}

/** The widest frames are drawn, as many as a browser can draw without delay. */
export const FRAMES_MAX = 2_000;

/**
 * Returns an icicle: callers above, callees below. The frame with path `zoomed` and its callers are
 * as wide as the graph. Frames narrower than `widthMin` of the graph are omitted.
 */
export function flameLayout(root: FlameNode, zoomed: string, widthMin: number): FlameLayout {
  const placed = partition<FlameNode>()(
    hierarchy(root).sum(
      ({ samples, children }) => samples - children.reduce((sum, child) => sum + child.samples, 0),
    ),
  );
  const target = placed.find(({ data }) => data.path === zoomed) ?? placed;
  const ancestors = new Set(target.ancestors().slice(1));
  const wideEnough = placed
    .descendants()
    .map((place) => frameOf(place, target, ancestors.has(place)))
    .filter(({ width }) => width >= widthMin);
  const frames = widest(wideEnough).sort((a, b) => a.row - b.row || a.left - b.left);
  linkChildren(frames);
  return {
    frames,
    rows: frames.reduce((rows, { row }) => Math.max(rows, row + 1), 0),
    leftOut: wideEnough.length - frames.length,
  };
}

/**
 * Selects the widest frames. They include their callers, because no frame is wider than its caller.
 */
const widest = (frames: FlameFrame[]) =>
  frames.length <= FRAMES_MAX
    ? frames
    : frames.toSorted((a, b) => b.width - a.width || a.row - b.row).slice(0, FRAMES_MAX);

type Place = HierarchyRectangularNode<FlameNode>;

function frameOf(place: Place, target: Place, isAncestor: boolean): FlameFrame {
  const span = target.x1 - target.x0;
  // Siblings of the zoomed frame end up outside, with zero width.
  const within = (x: number) => Math.min(1, Math.max(0, (x - target.x0) / span));
  const left = within(place.x0);
  return {
    node: place.data,
    row: place.depth,
    left,
    width: within(place.x1) - left,
    isAncestor,
    parent: place.parent?.data.path ?? null,
    place: (place.parent?.children?.indexOf(place) ?? 0) + 1,
    siblings: place.parent?.children?.length ?? 1,
    widestChild: null,
  };
}

function linkChildren(frames: FlameFrame[]): void {
  const byPath = new Map(frames.map((frame) => [frame.node.path, frame]));
  for (const frame of frames) {
    const parent = frame.parent === null ? undefined : byPath.get(frame.parent);
    if (parent === undefined) continue;
    const widest = parent.widestChild === null ? undefined : byPath.get(parent.widestChild);
    if (widest === undefined || frame.width > widest.width) parent.widestChild = frame.node.path;
  }
}

/** Returns the frame that an arrow key, Home or End leads to; null if there is none. */
export function frameAfterKey({ frames }: FlameLayout, from: FlameFrame, key: string): FlameFrame | null {
  const at = (path: string | null) => frames.find(({ node }) => node.path === path) ?? null;
  const row = frames.filter(({ row: other }) => other === from.row);
  const index = row.indexOf(from);
  const next: Partial<Record<string, FlameFrame | null>> = {
    ArrowUp: at(from.parent),
    ArrowDown: at(from.widestChild),
    ArrowLeft: row[index - 1] ?? null,
    ArrowRight: row[index + 1] ?? null,
    Home: frames[0] ?? null,
    End: frames.at(-1) ?? null,
  };
  return next[key] ?? null;
}
