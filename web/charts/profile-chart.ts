import { drawRatioAxis, ratioScale } from './ratio-chart';
import { addLine, addText, type Plot, type SvgChart } from './svg-plot';
import { drawDesignMark } from './sweep-chart';

const MARK_AREA_REM = 0.5;
/** Distance between the marks of a row: share of the row's height, and maximum. */
const BETWEEN_MARKS = 0.3;
const BETWEEN_MARKS_MAX_REM = 1.2;

interface RatioOfRow {
  ratio: number;
  /** 95 % interval; null: unknown. */
  interval: readonly [number, number] | null;
}

export interface ProfileView {
  /** Ratios of each row, in the order of the what-ifs; null: not known yet. */
  rows: readonly { label: string; ratios: readonly (RatioOfRow | null)[] }[];
  title: string;
  format: (ratio: number) => string;
}

/**
 * Draws ratios with their intervals, several per row, on a logarithmic axis. A line marks the ratio
 * without any gain.
 */
export const profileChart: SvgChart<ProfileView> = {
  margins: { top: 0.5, right: 0.9, bottom: 2.5, left: 13 },
  drawView: (plot, { rows, ...axis }) => {
    const known = rows.flatMap(({ ratios }) => ratios.flatMap((ratio) => ratio ?? []));
    const x = ratioScale(
      plot,
      known.flatMap(({ ratio, interval }) => [ratio, ...(interval ?? [])]),
    );
    drawRatioAxis(plot, x, axis);
    const rowPx = plot.height / Math.max(1, rows.length);
    const apartPx = Math.min(BETWEEN_MARKS * rowPx, BETWEEN_MARKS_MAX_REM * plot.remPx);
    for (const [place, { label, ratios }] of rows.entries()) {
      const center = (place + 0.5) * rowPx;
      addText(plot.group, 'tick tick-left', [-0.6 * plot.remPx, center], label);
      for (const [what, ofRow] of ratios.entries()) {
        const top = center + (what - (ratios.length - 1) / 2) * apartPx;
        if (ofRow !== null) drawRatio(plot, ofRow, { x, top, what });
      }
    }
  },
};

function drawRatio(
  { group, remPx }: Plot,
  { ratio, interval }: RatioOfRow,
  { x, top, what }: { x: (ratio: number) => number; top: number; what: number },
): void {
  if (interval !== null) {
    const [left, right] = interval.map(x) as [number, number];
    addLine(group, `design-line design-${what}`, [left, top], [right, top], { 'stroke-width': 2 });
  }
  drawDesignMark(group, what, [x(ratio), top], MARK_AREA_REM * remPx ** 2);
}
