import type { MarkKind } from '../contract/telemetry-states';
import type { HistoryRows } from '../recording/history';
import type { RateScale } from './domains';
import type { TimeRange } from '../recording/time-scale';

export type { TimeRange };

/** Something that happened to the run, on the time axis. */
export interface ChartMark {
  t_s: number;
  kind: MarkKind;
  label: string;
  /** What happened, in full; the label, if there is no more to say. */
  text?: string;
}

/** All that a chart draws. */
export interface ChartView {
  history: HistoryRows;
  range: TimeRange;
  /** Run time is that of a modelled server. */
  is_virtual: boolean;
  marks: readonly ChartMark[];
  /** Of the axis of throughput. */
  rate_scale?: RateScale;
  /** The range was chosen and does not move: the y axis fits what is seen. */
  is_still?: boolean;
  /** Of another run, drawn pale behind this one. */
  previous?: HistoryRows | null;
}

/** What a reader points at: a moment, or a range that is being chosen. */
export interface PointedAt {
  t_s: number | null;
  brush: TimeRange | null;
}

/** A chart fills its host element, follows the element's size, and draws only when told. */
interface Chart {
  draw(view: ChartView): void;
  /** Colours are read from the style sheet anew. */
  restyle(): void;
  destroy(): void;
}

/** A chart over run time in which a reader can point at a moment. */
export interface TimeChart extends Chart {
  /** Shows the moment that is pointed at, here or in another chart. */
  point(pointed_at: PointedAt): void;
  /** What lies under a place in the host, in pixels from its upper left corner. */
  placeAt(left_px: number, top_px: number): PlaceInChart;
}

export interface PlaceInChart {
  /** Within the range that is shown. */
  t_s: number;
  mark: ChartMark | null;
}
