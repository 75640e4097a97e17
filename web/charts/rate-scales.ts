// Computes the axes of a chart of one rate over run time.
import { scaleLinear, scaleLog, type ScaleLinear } from 'd3-scale';

/** With a larger factor between the rates, the axis is logarithmic. */
const LINEAR_MAX = 10;
/** The lowest rate is this much above the floor of a logarithmic axis. */
const ROOM_BELOW = 1.2;
const TICKS = 4;

export const timeScale = (endS: number, range: [number, number]): ScaleLinear<number, number> =>
  scaleLinear([0, endS], range);

interface RateScale {
  y: (rate: number) => number;
  /** Smaller rates are drawn here. */
  floor: number;
  ticks: readonly number[];
}

/** The axis covers the given rates, so it does not move during the run. `most`: the largest rate drawn. */
export function rateScale(rates: readonly number[], most: number, range: [number, number]): RateScale {
  const highest = Math.max(1, ...rates, most) * 1.08;
  const lowest = Math.min(highest, ...rates.filter((rate) => rate > 0));
  if (highest / lowest <= LINEAR_MAX) {
    const y = scaleLinear([0, highest], range).nice(TICKS);
    return { y, floor: 0, ticks: y.ticks(TICKS) };
  }
  const floor = 10 ** Math.floor(Math.log10(lowest / ROOM_BELOW));
  const y = scaleLog([floor, highest], range);
  const decades = y.ticks().filter((rate) => Number.isInteger(Math.round(Math.log10(rate) * 1e6) / 1e6));
  return { y, floor, ticks: decades };
}
