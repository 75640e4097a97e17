// Draws the marks of a run: vertical lines with labels above the plot.
import type { MarkKind } from '../contract/telemetry-states';
import type { ChartMark } from './chart';
import type { Plot } from './plot';

/** Lanes of labels above the plot, from the top. */
const LANES = [0, 1];
const LANE_HEIGHT_REM = 0.95;
export const MARK_LABELS_HEIGHT_REM = LANES.length * LANE_HEIGHT_REM + 0.3;

const LABEL_OFFSET_PX = 5;
const LABEL_GAP_PX = 10;
const LABEL_RIM_PX = 4;
/** Maximum distance from a mark's line at which the pointer hits it. */
const MARK_REACH_PX = 6;

export const dashes_px: Record<MarkKind, number[]> = {
  knob: [],
  action: [5, 3],
  pause: [1.5, 3],
  resume: [1.5, 3],
  what_if: [5, 3],
  latch_stopped: [8, 2, 1.5, 2],
};

/** Draws a line for each mark, and a label above the plot where one fits. */
export function drawMarks(plot: Plot, marks: readonly ChartMark[], has_labels: boolean): void {
  const visible = visibleMarks(plot, marks);
  const labels = has_labels ? layOutLabels(plot, visible) : visible.map(() => null);
  for (const [i, mark] of visible.entries()) drawLine(plot, mark, labels[i] ?? null);
  for (const [i, mark] of visible.entries()) drawLabel(plot, mark, labels[i] ?? null);
}

/** Returns the mark at a point of the plot: by its label, otherwise the nearest by its line. */
export function markAt(
  plot: Plot,
  marks: readonly ChartMark[],
  has_labels: boolean,
  place: { left: number; top: number },
): ChartMark | null {
  const distance_px = ({ t_s }: ChartMark) => Math.abs(plot.x(t_s) - place.left);
  const near = marksWithin(plot, marks).filter((mark) => distance_px(mark) <= MARK_REACH_PX);
  const [nearest] = near.sort((a, b) => distance_px(a) - distance_px(b));
  // Measuring text is slow, and the pointer is rarely above the plot.
  const under_label = has_labels && place.top < 0 ? markUnderLabel(plot, marks, place) : undefined;
  return under_label ?? nearest ?? null;
}

function markUnderLabel(plot: Plot, marks: readonly ChartMark[], place: { left: number; top: number }) {
  const visible = visibleMarks(plot, marks);
  const labelled = layOutLabels(plot, visible);
  return visible.find((mark, i) => isOnLabel(plot, mark, labelled[i] ?? null, place));
}

function isOnLabel(
  plot: Plot,
  { t_s, label }: ChartMark,
  placed: PlacedLabel | null,
  { left, top }: { left: number; top: number },
): boolean {
  if (placed === null) return false;
  const lane_top = laneTop(plot, placed.lane);
  if (top < lane_top || top > lane_top + LANE_HEIGHT_REM * plot.rem_px) return false;
  const from_line_px = (left - plot.x(t_s)) * (placed.is_left ? -1 : 1);
  return from_line_px >= 0 && from_line_px <= plot.context.measureText(label).width + LABEL_GAP_PX;
}

export interface PlacedLabel {
  lane: number;
  is_left: boolean;
}

/** A placed label: its extent, and the line of its mark, which starts at its lane. */
interface Taken {
  lane: number;
  from: number;
  to: number;
  line: number;
}

/**
 * Assigns a lane to each label, so that no label covers another and no line crosses a label; null
 * for labels that do not fit. The newest labels come first.
 */
export function placeLabels(
  positions_px: readonly number[],
  label_widths_px: readonly number[],
  width_px: number,
): (PlacedLabel | null)[] {
  const taken: Taken[] = [];
  const placed: (PlacedLabel | null)[] = positions_px.map(() => null);
  for (let i = positions_px.length - 1; i >= 0; i -= 1) {
    const label_px = label_widths_px[i]!;
    const line = positions_px[i]!;
    const is_left = line + label_px > width_px;
    const [from, to] = is_left ? [line - label_px, line] : [line, line + label_px];
    // An older label is further left, and its line starts at its lane. It must not block a newer
    // label.
    const tried = is_left ? LANES : LANES.toReversed();
    const lane = tried.find((free) =>
      taken.every((other) => isBeside({ lane: free, from, to, line }, other)),
    );
    if (lane === undefined) continue;
    taken.push({ lane, from, to, line });
    placed[i] = { lane, is_left };
  }
  return placed;
}

/** Reports whether two labels do not overlap, and neither line crosses the other label. */
function isBeside(one: Taken, other: Taken): boolean {
  if (one.lane === other.lane) return one.to <= other.from || one.from >= other.to;
  const [upper, lower] = one.lane < other.lane ? [one, other] : [other, one];
  return upper.line <= lower.from || upper.line >= lower.to;
}

/** Returns the visible marks. Each label is cut to the wider side of its line. */
function visibleMarks(plot: Plot, marks: readonly ChartMark[]): ChartMark[] {
  const { context, style, width, x } = plot;
  context.font = style.mark_font;
  return marksWithin(plot, marks).map((mark) => {
    const room_px = Math.max(x(mark.t_s), width - x(mark.t_s)) - LABEL_GAP_PX;
    return { ...mark, label: fitted(mark.label, room_px, context) };
  });
}

function marksWithin({ x }: Plot, marks: readonly ChartMark[]): ChartMark[] {
  const [from_s = 0, to_s = 0] = x.domain();
  return marks.filter(({ t_s }) => t_s >= from_s && t_s <= to_s);
}

/** Cuts a label that does not fit into a narrow chart; the readout has the full text. */
function fitted(label: string, room_px: number, context: CanvasRenderingContext2D): string {
  const width_px = context.measureText(label).width;
  if (width_px <= room_px) return label;
  const characters = Math.max(1, Math.floor((label.length * room_px) / width_px) - 1);
  return `${label.slice(0, characters).trimEnd()}…`;
}

function layOutLabels(
  { context, style, width, x }: Plot,
  marks: readonly ChartMark[],
): (PlacedLabel | null)[] {
  context.font = style.mark_font;
  const positions_px = marks.map(({ t_s }) => x(t_s));
  const widths_px = marks.map(({ label }) => context.measureText(label).width + LABEL_GAP_PX);
  return placeLabels(positions_px, widths_px, width);
}

function drawLine(plot: Plot, { t_s, kind }: ChartMark, label: PlacedLabel | null): void {
  const { context, height, style, x } = plot;
  const left = Math.round(x(t_s)) + 0.5;
  context.strokeStyle = style.ink;
  context.lineWidth = 1.5;
  context.setLineDash(dashes_px[kind]);
  context.beginPath();
  context.moveTo(left, label === null ? 0 : laneTop(plot, label.lane));
  context.lineTo(left, height);
  context.stroke();
}

function drawLabel(plot: Plot, { t_s, label }: ChartMark, placed: PlacedLabel | null): void {
  if (placed === null) return;
  const { context, style, x } = plot;
  const left = x(t_s) + (placed.is_left ? -LABEL_OFFSET_PX : LABEL_OFFSET_PX);
  const top = laneTop(plot, placed.lane);
  context.font = style.mark_font;
  context.textAlign = placed.is_left ? 'right' : 'left';
  context.textBaseline = 'top';
  // An outline in the panel's color keeps the label legible above lines.
  context.strokeStyle = style.panel;
  context.lineWidth = LABEL_RIM_PX;
  context.lineJoin = 'round';
  context.setLineDash([]);
  context.strokeText(label, left, top);
  context.fillStyle = style.ink;
  context.fillText(label, left, top);
}

/** Returns the top of a lane. Lanes are above the plot, the first one at the top. */
function laneTop({ rem_px }: Plot, lane: number): number {
  return (lane * LANE_HEIGHT_REM - MARK_LABELS_HEIGHT_REM + 0.1) * rem_px;
}
