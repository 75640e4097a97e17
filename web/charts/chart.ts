// Defines the interface of canvas charts.
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

/** A chart fills its host element, follows the element's size, and draws only on request. */
interface Chart {
  draw(view: ChartView): void;
  /** Reads colors from the style sheet again. */
  restyle(): void;
  destroy(): void;
}

/** A chart over run time in which a reader can select a moment. */
export interface TimeChart extends Chart {
  /** Shows the selected moment, whether selected in this chart or in another. */
  point(pointedAt: PointedAt): void;
  /**
   * Returns the moment and the mark at a point of the host, in pixels from its upper left corner.
   */
  placeAt(leftPx: number, topPx: number): PlaceInChart;
}

export interface PlaceInChart {
  /** Within the visible range. */
  tS: number;
  mark: ChartMark | null;
}
