// Draws stacked shares over run time on a canvas.
import { scaleLinear } from 'd3-scale';
import { area, curveStepBefore, line } from 'd3-shape';

import type { HistoryColumn, HistoryRows } from '../recording/history';
import type { ChartView, PlaceInChart, PointedAt, TimeChart } from './chart';
import { ChartFrame } from './chart-frame';
import { CrosshairLayer } from './crosshair-layer';
import { fillPattern, type FillTexture } from './fill-pattern';
import type { Plot } from './plot';
import { VisibleRows } from './visible-rows';

/** Minimum height for a tick at each quarter. */
const ROOMY_PX = 70;
const PREVIOUS_WIDTH_PX = 1.25;
const previousDashPx = [4, 3];

export interface ShareBand {
  column: HistoryColumn;
  /** Custom property of the style sheet with the color. */
  color: string;
  /** A second channel in addition to the color. */
  texture: FillTexture;
}

/** Name and format of a share in the readout. */
export interface ShareReading {
  name: string;
  format: (share: number) => string;
}

/** A low chart omits shares that are written as zero. */
const nothingOf = ({ format }: ShareReading) => ({
  isNothing: (share: number) => format(share) === format(0),
});

/**
 * Draws shares of a whole over run time, stacked from the first band at the bottom to the last at
 * the top.
 */
export class ShareChart implements TimeChart {
  readonly #bands: readonly ShareBand[];
  readonly #frame: ChartFrame;
  readonly #crosshair: CrosshairLayer;
  #view: ChartView | null = null;
  #fills: (string | CanvasPattern)[] = [];
  #previousColor = '';

  /** Creates a chart; without readings, no moment can be selected. */
  constructor(host: HTMLElement, bands: readonly ShareBand[], readings: readonly ShareReading[] = []) {
    this.#bands = bands;
    this.#frame = new ChartFrame(host, {
      hasMarkLabels: false,
      onResize: () => {
        this.#redraw();
      },
    });
    this.#crosshair = new CrosshairLayer(
      host,
      this.#frame,
      readings.map((reading, i) => ({
        ...reading,
        ...nothingOf(reading),
        column: bands[i]!.column,
        color: bands[i]!.color,
      })),
    );
    this.restyle();
  }

  draw(view: ChartView): void {
    this.#view = view;
    this.#redraw();
  }

  point(pointedAt: PointedAt): void {
    this.#crosshair.point(pointedAt);
  }

  placeAt(leftPx: number, topPx: number): PlaceInChart {
    return this.#frame.placeAt(leftPx, topPx);
  }

  restyle(): void {
    this.#frame.restyle();
    this.#crosshair.restyle();
    this.#previousColor = this.#frame.color('--ink');
    const { context } = this.#frame;
    const ink = this.#frame.color('--texture-ink');
    this.#fills = this.#bands.map(({ color, texture }) =>
      fillPattern(context, { color: this.#frame.color(color), ink, texture }),
    );
    this.#redraw();
  }

  destroy(): void {
    this.#frame.destroy();
  }

  #redraw(): void {
    if (this.#view === null) return;
    const position = scaleLinear().domain([0, 1]).range([this.#frame.height, 0]);
    const format = (share: number) => `${Math.round(share * 100)} %`;
    const { history, previous = null, range } = this.#view;
    const ticks = this.#frame.height < ROOMY_PX ? [0, 0.5, 1] : [0, 0.25, 0.5, 0.75, 1];
    this.#frame.draw(this.#view, { position, ticks, format }, (plot) => {
      this.#drawBands(plot, new VisibleRows(history, range));
      if (previous !== null) this.#drawPrevious(plot, previous);
    });
    this.#crosshair.follow(this.#view, null);
  }

  #drawBands(plot: Plot, rows: VisibleRows): void {
    const times = rows.column('t_s');
    for (const [i, { floor, ceiling }] of this.#stack(rows).entries()) {
      this.#drawBand(plot, times, floor, ceiling, this.#fills[i]!);
    }
  }

  /**
   * Draws the upper edges of the other run's bands; filled, they would be hidden behind this run's.
   */
  #drawPrevious({ context, x, height }: Plot, previous: HistoryRows): void {
    const rows = new VisibleRows(previous, this.#view!.range);
    const times = rows.column('t_s');
    const path = line<number>()
      .defined((value) => !Number.isNaN(value))
      .x((_, row) => x(times[row]!))
      .y((share) => height * (1 - share))
      .curve(curveStepBefore)
      .context(context);
    context.strokeStyle = this.#previousColor;
    context.lineWidth = PREVIOUS_WIDTH_PX;
    context.setLineDash(previousDashPx);
    context.beginPath();
    // The last band always ends at the top.
    for (const { ceiling } of this.#stack(rows).slice(0, -1)) path(ceiling);
    context.stroke();
  }

  #stack(rows: VisibleRows): { floor: Float64Array; ceiling: Float64Array }[] {
    let floor = new Float64Array(rows.column('t_s').length);
    return this.#bands.map(({ column }) => {
      const below = floor;
      floor = stackedOn(below, rows.column(column), rows.column('running'));
      return { floor: below, ceiling: floor };
    });
  }

  #drawBand(
    { context, x, height }: Plot,
    times: Float64Array,
    floor: Float64Array,
    ceiling: Float64Array,
    fill: string | CanvasPattern,
  ): void {
    const path = area<number>()
      .defined((value) => !Number.isNaN(value))
      .x((_, i) => x(times[i]!))
      .y0((_, i) => height * (1 - floor[i]!))
      .y1((value) => height * (1 - value))
      .curve(curveStepBefore)
      .context(context);
    context.beginPath();
    path(ceiling);
    context.fillStyle = fill;
    context.fill();
  }
}

/**
 * Adds a share to those below it. A share that an earlier engine did not record takes no space;
 * unknown time is a gap.
 */
export const stackedOn = (below: Float64Array, shares: Float64Array, known: Float64Array) =>
  shares.map((share, row) => below[row]! + (Number.isNaN(share) && !Number.isNaN(known[row]!) ? 0 : share));
