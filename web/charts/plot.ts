import type { ScaleLinear } from 'd3-scale';

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
