// Draws stacked shares over run time on a canvas.
import { scaleLinear } from 'd3-scale';
import { area, curveStepBefore, line } from 'd3-shape';

import type { HistoryColumn } from '../recording/history';
import type { ChartView, Plot } from './chart';
import type { FillTexture } from './canvas-shapes';
import { TimeChart } from './time-chart';
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
export class ShareChart extends TimeChart {
  readonly #bands: readonly ShareBand[];

  /** Creates a chart; without readings, no moment can be selected. */
  constructor(host: HTMLElement, bands: readonly ShareBand[], readings: readonly ShareReading[] = []) {
    super(
      host,
      readings.map((reading, i) => ({
        ...reading,
        ...nothingOf(reading),
        column: bands[i]!.column,
        color: bands[i]!.color,
      })),
    );
    this.#bands = bands;
  }

  protected override drawView(view: ChartView): void {
    const { height } = this.plot;
    const position = scaleLinear().domain([0, 1]).range([height, 0]);
    const format = (share: number) => `${Math.round(share * 100)} %`;
    const { history, previous = null, range } = view;
    const ticks = height < ROOMY_PX ? [0, 0.5, 1] : [0, 0.25, 0.5, 0.75, 1];
    this.drawFrame(view, { position, ticks, format }, (plot) => {
      this.#drawBands(plot, new VisibleRows(history, range));
      if (previous !== null) this.#drawPrevious(plot, new VisibleRows(previous, range));
    });
  }

  #drawBands({ context, x, height }: Plot, rows: VisibleRows): void {
    const times = rows.column('t_s');
    for (const { floor, ceiling, color, texture } of this.#stack(rows)) {
      const path = area<number>()
        .defined((value) => !Number.isNaN(value))
        .x((_, i) => x(times[i]!))
        .y0((_, i) => height * (1 - floor[i]!))
        .y1((value) => height * (1 - value))
        .curve(curveStepBefore)
        .context(context);
      context.beginPath();
      path(ceiling);
      context.fillStyle = this.fill(color, texture);
      context.fill();
    }
  }

  /**
   * Draws the upper edges of the other run's bands; filled, they would be hidden behind this run's.
   */
  #drawPrevious({ context, x, height }: Plot, rows: VisibleRows): void {
    const times = rows.column('t_s');
    const path = line<number>()
      .defined((value) => !Number.isNaN(value))
      .x((_, row) => x(times[row]!))
      .y((share) => height * (1 - share))
      .curve(curveStepBefore)
      .context(context);
    context.strokeStyle = this.color('--ink');
    context.lineWidth = PREVIOUS_WIDTH_PX;
    context.setLineDash(previousDashPx);
    context.beginPath();
    // The last band always ends at the top.
    for (const { ceiling } of this.#stack(rows).slice(0, -1)) path(ceiling);
    context.stroke();
  }

  #stack(rows: VisibleRows) {
    let ceiling = new Float64Array(rows.column('t_s').length);
    return this.#bands.map((band) => {
      const floor = ceiling;
      ceiling = stackedOn(floor, rows.column(band.column), rows.column('running'));
      return { ...band, floor, ceiling };
    });
  }
}

/**
 * Adds a share to those below it. A share that an earlier engine did not record takes no space;
 * unknown time is a gap.
 */
export const stackedOn = (below: Float64Array, shares: Float64Array, known: Float64Array) =>
  shares.map((share, row) => below[row]! + (Number.isNaN(share) && !Number.isNaN(known[row]!) ? 0 : share));
