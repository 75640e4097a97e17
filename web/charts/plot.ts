import type { ScaleLinear } from 'd3-scale';

/** Colors and fonts of the style sheet, in the form that a canvas accepts. */
export interface ChartStyle {
  ink: string;
  muted: string;
  grid: string;
  panel: string;
  axis_font: string;
  mark_font: string;
}

/** The rectangle of the data. Its upper left corner is the canvas's origin. */
export interface Plot {
  context: CanvasRenderingContext2D;
  width: number;
  height: number;
  rem_px: number;
  style: ChartStyle;
  /** Run time in seconds. */
  x: ScaleLinear<number, number>;
  /** Run time is that of a modelled server. */
  is_virtual: boolean;
}
