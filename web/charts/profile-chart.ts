import { scaleLog } from 'd3-scale';

import { ratioDomain, roundRatios } from './ratio-chart';
import { designMark } from './sweep-chart';
import { addSvg, drawBottomAxis, SvgChart, tickCount, type Plot } from './svg-plot';

const margins = { top: 0.5, right: 0.9, bottom: 2.5, left: 13 };
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
export class ProfileChart extends SvgChart<ProfileView> {
  constructor(host: HTMLElement) {
    super(host, margins);
  }

  protected override drawView(plot: Plot, { rows, title, format }: ProfileView): void {
    const known = rows.flatMap(({ ratios }) => ratios.flatMap((ratio) => ratio ?? []));
    const values = known.flatMap(({ ratio, interval }) => [ratio, ...(interval ?? [])]);
    const pairs = values.map((ratio) => ({ label: '', ratio }));
    const x = scaleLog()
      .domain(ratioDomain({ pairs, mean: null, equal: null }))
      .range([0, plot.width])
      .clamp(true);
    const ticks = roundRatios(x.domain() as [number, number], tickCount(plot.width, 85));
    drawBottomAxis(plot, { ticks, position: x, format, title });
    addSvg(plot.group, 'line', { class: 'ratio-one', x1: x(1), x2: x(1), y1: 0, y2: plot.height });
    const rowPx = plot.height / Math.max(1, rows.length);
    const apartPx = Math.min(BETWEEN_MARKS * rowPx, BETWEEN_MARKS_MAX_REM * plot.remPx);
    for (const [place, { label, ratios }] of rows.entries()) {
      const center = (place + 0.5) * rowPx;
      addSvg(plot.group, 'text', { class: 'tick tick-left', x: -0.6 * plot.remPx, y: center }, label);
      for (const [what, ofRow] of ratios.entries()) {
        if (ofRow === null) continue;
        const top = center + (what - (ratios.length - 1) / 2) * apartPx;
        drawRatio(plot, ofRow, { x, top, what });
      }
    }
  }
}

function drawRatio(
  { group, remPx }: Plot,
  { ratio, interval }: RatioOfRow,
  { x, top, what }: { x: (ratio: number) => number; top: number; what: number },
): void {
  const look = `design-${what}`;
  if (interval !== null) {
    const [left, right] = interval.map(x) as [number, number];
    addSvg(group, 'line', {
      class: `design-line ${look}`,
      'stroke-width': 2,
      x1: left,
      x2: right,
      y1: top,
      y2: top,
    });
  }
  addSvg(group, 'path', {
    class: `design-mark ${look}`,
    transform: `translate(${x(ratio)} ${top})`,
    d: designMark(what, MARK_AREA_REM * remPx ** 2),
  });
}
