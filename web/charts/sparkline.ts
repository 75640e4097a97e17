// A run drawn small: transactions per second over its time, as paths of an SVG of this size.
import { max } from 'd3-array';
import { scaleLinear } from 'd3-scale';
import { area, curveStepBefore, line } from 'd3-shape';

export interface SparklineInterval {
  /** Where the interval ends. */
  t_s: number;
  tps: number;
}

export interface SparklineSize {
  width: number;
  height: number;
}

export interface Sparkline {
  t_s_max: number;
  tps_max: number;
  /** In the order of the runs. */
  curves: { line: string; area: string }[];
  /** How far to the right a moment lies, of 1. */
  placeOf: (t_s: number) => number;
}

/** All runs on the same axes, which begin at 0. */
export function drawSparkline(
  runs: readonly (readonly SparklineInterval[])[],
  { width, height }: SparklineSize,
): Sparkline {
  const t_s_max = max(runs, (intervals) => intervals.at(-1)?.t_s) ?? 0;
  const tps_max = max(runs, (intervals) => max(intervals, ({ tps }) => tps)) ?? 0;
  const x = scaleLinear([0, t_s_max], [0, width]);
  const y = scaleLinear([0, tps_max], [height, 0]);
  const drawLine = line<SparklineInterval>(
    ({ t_s }) => x(t_s),
    ({ tps }) => y(tps),
  ).curve(curveStepBefore);
  const drawArea = area<SparklineInterval>(
    ({ t_s }) => x(t_s),
    height,
    ({ tps }) => y(tps),
  ).curve(curveStepBefore);
  const curves = runs.map((intervals) => {
    const steps = [{ t_s: 0, tps: intervals[0]?.tps ?? 0 }, ...intervals];
    return { line: drawLine(steps) ?? '', area: drawArea(steps) ?? '' };
  });
  return { t_s_max, tps_max, curves, placeOf: scaleLinear([0, t_s_max], [0, 1]) };
}
