// Declares the input of canvas charts, and the rectangle in which they draw.
import type { ScaleLinear } from 'd3-scale';

import type { MarkKind } from '../contract/telemetry-states';
import type { HistoryRows } from '../recording/history';
import type { RateScale } from './domains';
import type { TimeRange } from '../recording/time-scale';

export type { TimeRange };

/** An event of the run, on the time axis. */
export interface ChartMark {
  tS: number;
  kind: MarkKind;
  label: string;
  /** Full description of the event; default: the label. */
  text?: string;
}

/** The input of a chart. */
export interface ChartView {
  history: HistoryRows;
  range: TimeRange;
  /** Run time is that of a modeled server. */
  isVirtual: boolean;
  marks: readonly ChartMark[];
  /** Scale of the throughput axis. */
  rateScale?: RateScale;
  /** The reader selected the range, and it does not move. The y axis fits the visible values. */
  isStill?: boolean;
  /** History of another run, drawn pale behind this one. */
  previous?: HistoryRows | null;
}

/** The moment under the pointer, or the range under selection. */
export interface PointedAt {
  tS: number | null;
  brush: TimeRange | null;
}

export interface PlaceInChart {
  /** Within the visible range. */
  tS: number;
  mark: ChartMark | null;
}

/** Colors and fonts of the style sheet, in the form that a canvas accepts. */
export interface ChartStyle {
  ink: string;
  muted: string;
  grid: string;
  panel: string;
  axisFont: string;
  markFont: string;
}

/** The rectangle of the data. Its upper left corner is the canvas's origin. */
export interface Plot {
  context: CanvasRenderingContext2D;
  width: number;
  height: number;
  remPx: number;
  style: ChartStyle;
  /** Run time in seconds. */
  x: ScaleLinear<number, number>;
  /** Run time is that of a modeled server. */
  isVirtual: boolean;
}
