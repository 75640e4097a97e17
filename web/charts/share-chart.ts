import { scaleLinear } from 'd3-scale';
import { area } from 'd3-shape';

import type { HistoryColumn } from '../state/history';
import type { Chart, ChartView } from './chart';
import { ChartFrame } from './chart-frame';
import { fillPattern, type FillTexture } from './fill-pattern';
import type { Plot } from './plot';
import { VisibleRows } from './visible-rows';

/** From this height on there is room for a tick at each quarter. */
const ROOMY_PX = 70;

export interface ShareBand {
  column: HistoryColumn;
  /** Custom property of the style sheet that holds the colour. */
  color: string;
  /** A second channel beside the colour. */
  texture: FillTexture;
}

/** Shares of a whole over run time, stacked from the first band at the bottom to the last at the top. */
export class ShareChart implements Chart {
  readonly #bands: readonly ShareBand[];
  readonly #frame: ChartFrame;
  #view: ChartView | null = null;
  #fills: (string | CanvasPattern)[] = [];

  constructor(host: HTMLElement, bands: readonly ShareBand[]) {
    this.#bands = bands;
    this.#frame = new ChartFrame(host, {
      has_mark_labels: false,
      onResize: () => {
        this.#redraw();
      },
    });
    this.restyle();
  }

  draw(view: ChartView): void {
    this.#view = view;
    this.#redraw();
  }

  restyle(): void {
    this.#frame.restyle();
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
    const rows = new VisibleRows(this.#view.history, this.#view.range);
    const ticks = this.#frame.height < ROOMY_PX ? [0, 0.5, 1] : [0, 0.25, 0.5, 0.75, 1];
    this.#frame.draw(this.#view, { position, ticks, format }, (plot) => {
      this.#drawBands(plot, rows);
    });
  }

  #drawBands(plot: Plot, rows: VisibleRows): void {
    const times = rows.column('t_s');
    let floor = new Float64Array(times.length);
    for (const [i, { column }] of this.#bands.entries()) {
      const ceiling = rows.column(column).map((share, row) => floor[row]! + share);
      this.#drawBand(plot, times, floor, ceiling, this.#fills[i]!);
      floor = ceiling;
    }
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
      .context(context);
    context.beginPath();
    path(ceiling);
    context.fillStyle = fill;
    context.fill();
  }
}
