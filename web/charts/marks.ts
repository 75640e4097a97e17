// Draws the marks of a run: vertical lines with labels above the plot.
import type { MarkKind } from '../contract/telemetry-states';
import type { ChartMark, Plot } from './chart';

/** Lanes of labels above the plot, from the top. */
const lanes = [0, 1];
const LANE_HEIGHT_REM = 0.95;
export const MARK_LABELS_HEIGHT_REM = lanes.length * LANE_HEIGHT_REM + 0.3;

const LABEL_OFFSET_PX = 5;
const LABEL_GAP_PX = 10;
const LABEL_RIM_PX = 4;
/** Maximum distance from a mark's line at which the pointer hits it. */
const MARK_REACH_PX = 6;

export const dashesPx: Record<MarkKind, number[]> = {
  knob: [],
  action: [5, 3],
  pause: [1.5, 3],
  resume: [1.5, 3],
  what_if: [5, 3],
  latch_stopped: [8, 2, 1.5, 2],
};

/** Draws a line for each mark, and a label above the plot where one fits. */
export function drawMarks(plot: Plot, marks: readonly ChartMark[], hasLabels: boolean): void {
  const visible = visibleMarks(plot, marks);
  const labels = hasLabels ? layOutLabels(plot, visible) : visible.map(() => null);
  for (const [i, mark] of visible.entries()) drawLine(plot, mark, labels[i] ?? null);
  for (const [i, mark] of visible.entries()) drawLabel(plot, mark, labels[i] ?? null);
}

/** Returns the mark at a point of the plot: by its label, otherwise the nearest by its line. */
export function markAt(
  plot: Plot,
  marks: readonly ChartMark[],
  hasLabels: boolean,
  place: { left: number; top: number },
): ChartMark | null {
  const distancePx = ({ tS }: ChartMark) => Math.abs(plot.x(tS) - place.left);
  const near = marksWithin(plot, marks).filter((mark) => distancePx(mark) <= MARK_REACH_PX);
  const [nearest] = near.sort((a, b) => distancePx(a) - distancePx(b));
  // Measuring text is slow, and the pointer is rarely above the plot.
  const underLabel = hasLabels && place.top < 0 ? markUnderLabel(plot, marks, place) : undefined;
  return underLabel ?? nearest ?? null;
}

function markUnderLabel(plot: Plot, marks: readonly ChartMark[], place: { left: number; top: number }) {
  const visible = visibleMarks(plot, marks);
  const labeled = layOutLabels(plot, visible);
  return visible.find((mark, i) => isOnLabel(plot, mark, labeled[i] ?? null, place));
}

function isOnLabel(
  plot: Plot,
  { tS, label }: ChartMark,
  placed: PlacedLabel | null,
  { left, top }: { left: number; top: number },
): boolean {
  if (placed === null) return false;
  const topOfLane = laneTop(plot, placed.lane);
  if (top < topOfLane || top > topOfLane + LANE_HEIGHT_REM * plot.remPx) return false;
  const fromLinePx = (left - plot.x(tS)) * (placed.isLeft ? -1 : 1);
  return fromLinePx >= 0 && fromLinePx <= plot.context.measureText(label).width + LABEL_GAP_PX;
}

export interface PlacedLabel {
  lane: number;
  isLeft: boolean;
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
  positionsPx: readonly number[],
  labelWidthsPx: readonly number[],
  widthPx: number,
): (PlacedLabel | null)[] {
  const taken: Taken[] = [];
  const placed: (PlacedLabel | null)[] = positionsPx.map(() => null);
  for (let i = positionsPx.length - 1; i >= 0; i -= 1) {
    const labelPx = labelWidthsPx[i]!;
    const line = positionsPx[i]!;
    const isLeft = line + labelPx > widthPx;
    const [from, to] = isLeft ? [line - labelPx, line] : [line, line + labelPx];
    // An older label is further left, and its line starts at its lane. It must not block a newer
    // label.
    const tried = isLeft ? lanes : lanes.toReversed();
    const lane = tried.find((free) =>
      taken.every((other) => isBeside({ lane: free, from, to, line }, other)),
    );
    if (lane === undefined) continue;
    taken.push({ lane, from, to, line });
    placed[i] = { lane, isLeft };
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
  context.font = style.markFont;
  return marksWithin(plot, marks).map((mark) => {
    const spacePx = Math.max(x(mark.tS), width - x(mark.tS)) - LABEL_GAP_PX;
    return { ...mark, label: fitted(mark.label, spacePx, context) };
  });
}

function marksWithin({ x }: Plot, marks: readonly ChartMark[]): ChartMark[] {
  const [fromS = 0, toS = 0] = x.domain();
  return marks.filter(({ tS }) => tS >= fromS && tS <= toS);
}

/** Cuts a label that does not fit into a narrow chart; the readout has the full text. */
function fitted(label: string, spacePx: number, context: CanvasRenderingContext2D): string {
  const widthOf = (text: string) => context.measureText(text).width;
  const widthPx = widthOf(label);
  if (widthPx <= spacePx) return label;
  const cut = (length: number) => `${label.slice(0, length).trimEnd()}…`;
  // Letters differ in width, so the first guess can be too long.
  let length = Math.max(1, Math.floor((label.length * spacePx) / widthPx) - 1);
  while (length > 1 && widthOf(cut(length)) > spacePx) length -= 1;
  return cut(length);
}

function layOutLabels(
  { context, style, width, x }: Plot,
  marks: readonly ChartMark[],
): (PlacedLabel | null)[] {
  context.font = style.markFont;
  const positionsPx = marks.map(({ tS }) => x(tS));
  const widthsPx = marks.map(({ label }) => context.measureText(label).width + LABEL_GAP_PX);
  return placeLabels(positionsPx, widthsPx, width);
}

function drawLine(plot: Plot, { tS, kind }: ChartMark, label: PlacedLabel | null): void {
  const { context, height, style, x } = plot;
  const left = Math.round(x(tS)) + 0.5;
  context.strokeStyle = style.ink;
  context.lineWidth = 1.5;
  context.setLineDash(dashesPx[kind]);
  context.beginPath();
  context.moveTo(left, label === null ? 0 : laneTop(plot, label.lane));
  context.lineTo(left, height);
  context.stroke();
}

function drawLabel(plot: Plot, { tS, label }: ChartMark, placed: PlacedLabel | null): void {
  if (placed === null) return;
  const { context, style, x } = plot;
  const left = x(tS) + (placed.isLeft ? -LABEL_OFFSET_PX : LABEL_OFFSET_PX);
  const top = laneTop(plot, placed.lane);
  context.font = style.markFont;
  context.textAlign = placed.isLeft ? 'right' : 'left';
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
function laneTop({ remPx }: Plot, lane: number): number {
  return (lane * LANE_HEIGHT_REM - MARK_LABELS_HEIGHT_REM + 0.1) * remPx;
}
