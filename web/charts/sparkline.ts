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
  tSMax: number;
  /** Start of the axis: 0, or a power of ten on a logarithmic axis. */
  tpsMin: number;
  tpsMax: number;
  rateScale: RateScale;
  /** In the order of the runs. */
  curves: { line: string; area: string }[];
  /** Returns the horizontal position of a moment, from 0 to 1. */
  placeOf: (tS: number) => number;
}

/**
 * Draws all runs on the same axes. Throughput has the scale that the explorer's chart would choose.
 */
export function drawSparkline(
  runs: readonly (readonly SparklineInterval[])[],
  { width, height }: SparklineSize,
): Sparkline {
  const tSMax = max(runs, (intervals) => intervals.at(-1)?.t_s) ?? 0;
  const axis = axisOf(runs.flatMap((intervals) => intervals.map(({ tps }) => tps)));
  const x = scaleLinear([0, tSMax], [0, width]);
  const scale = axis.rateScale === 'log' ? scaleLog() : scaleLinear();
  scale.domain([axis.tpsMin, axis.tpsMax]).range([height, 0]);
  const y = (tps: number) => scale(Math.max(tps, axis.tpsMin));
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
  return { tSMax, ...axis, curves, placeOf: scaleLinear([0, tSMax], [0, 1]) };
}

function axisOf(rates: readonly number[]): Pick<Sparkline, 'tpsMin' | 'tpsMax' | 'rateScale'> {
  const tpsMax = max(rates) ?? 0;
  const rateScale = rateScaleFor(Float64Array.from(rates));
  if (rateScale === 'linear') return { tpsMin: 0, tpsMax, rateScale };
  const smallest = min(rates.filter((tps) => tps > 0))!;
  return { tpsMin: 10 ** Math.floor(Math.log10(smallest)), tpsMax, rateScale };
}
