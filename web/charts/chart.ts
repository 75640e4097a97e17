import type { MarkKind } from '../engine-client/snapshot';
import type { History } from '../state/history';

/** Something that happened to the run, on the time axis. */
export interface ChartMark {
  t_s: number;
  kind: MarkKind;
  label: string;
}

export interface TimeRange {
  from_s: number;
  to_s: number;
}

/** All that a chart draws. */
export interface ChartView {
  history: History;
  range: TimeRange;
  /** Run time is that of a modelled server. */
  is_virtual: boolean;
  marks: readonly ChartMark[];
}

/** A chart fills its host element, follows the element's size, and draws only when told. */
export interface Chart {
  draw(view: ChartView): void;
  /** Colours are read from the style sheet anew. */
  restyle(): void;
  destroy(): void;
}
