// Draws a small chart of runs: transactions per second over time, as SVG paths.
import { max, min } from 'd3-array';
import { scaleLinear, scaleLog } from 'd3-scale';
import { area, curveStepBefore, line } from 'd3-shape';

import type { DrawnInterval } from '../contract/manifest';
import { rateScaleFor, type RateScale } from './domains';

export type SparklineInterval = Pick<DrawnInterval, 't_s' | 'tps'>;

export interface SparklineSize {
  width: number;
  height: number;
}

export interface Sparkline {
  t_s_max: number;
  /** Start of the axis: 0, or a power of ten on a logarithmic axis. */
  tps_min: number;
  tps_max: number;
  rate_scale: RateScale;
  /** In the order of the runs. */
  curves: { line: string; area: string }[];
  /** Returns the horizontal position of a moment, from 0 to 1. */
  placeOf: (t_s: number) => number;
}

/**
 * Draws all runs on the same axes. Throughput has the scale that the explorer's chart would choose.
 */
export function drawSparkline(
  runs: readonly (readonly SparklineInterval[])[],
  { width, height }: SparklineSize,
): Sparkline {
  const t_s_max = max(runs, (intervals) => intervals.at(-1)?.t_s) ?? 0;
  const axis = axisOf(runs.flatMap((intervals) => intervals.map(({ tps }) => tps)));
  const x = scaleLinear([0, t_s_max], [0, width]);
  const scale = axis.rate_scale === 'log' ? scaleLog() : scaleLinear();
  scale.domain([axis.tps_min, axis.tps_max]).range([height, 0]);
  const y = (tps: number) => scale(Math.max(tps, axis.tps_min));
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
  return { t_s_max, ...axis, curves, placeOf: scaleLinear([0, t_s_max], [0, 1]) };
}

function axisOf(rates: readonly number[]): Pick<Sparkline, 'tps_min' | 'tps_max' | 'rate_scale'> {
  const tps_max = max(rates) ?? 0;
  const rate_scale = rateScaleFor(Float64Array.from(rates));
  if (rate_scale === 'linear') return { tps_min: 0, tps_max, rate_scale };
  const smallest = min(rates.filter((tps) => tps > 0))!;
  return { tps_min: 10 ** Math.floor(Math.log10(smallest)), tps_max, rate_scale };
}
