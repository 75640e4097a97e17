// Domains of the y axes. They grow at once and shrink only when the values have become much smaller, so that the axis
// stands still while a line moves.
import { max } from 'd3-array';

const SHRINK_BELOW = 0.4;

/** From 0 to somewhat above the largest value seen. */
export class LinearDomain {
  readonly #top_min: number;
  #top: number;

  constructor(top_min: number) {
    this.#top_min = top_min;
    this.#top = top_min;
  }

  update(largest: number): [number, number] {
    const wanted = Math.max(this.#top_min, largest * 1.15);
    if (largest > this.#top || wanted < this.#top * SHRINK_BELOW) this.#top = wanted;
    return [0, this.#top];
  }
}

/** Whole powers of ten around the values. */
export class DecadeDomain {
  #domain: [number, number];

  constructor(empty: [number, number]) {
    this.#domain = empty;
  }

  update(smallest: number, largest: number): [number, number] {
    if (!(smallest > 0) || !Number.isFinite(largest)) return this.#domain;
    const low = 10 ** Math.floor(Math.log10(smallest * 0.85));
    const high = 10 ** Math.ceil(Math.log10(largest * 1.01));
    this.#domain = [low, Math.max(high, low * 1000)];
    return this.#domain;
  }
}

export type RateScale = 'linear' | 'log';

/** Rates that are further apart than this cannot be read from one linear axis. */
const LINEAR_TIMES_MAX = 20;
const RATES_LOOKED_AT = 200;

/** The scale that shows all of some rates: logarithmic, where the lowest tenth of them would lie flat on a linear axis. */
export function rateScaleFor(rates: Float64Array): RateScale {
  const step = Math.max(1, Math.ceil(rates.length / RATES_LOOKED_AT));
  const looked_at = Array.from({ length: Math.ceil(rates.length / step) }, (_, i) => rates[i * step]!);
  const seen = looked_at.filter((rate) => rate > 0).sort((a, b) => a - b);
  const low = seen[Math.floor(seen.length / 10)];
  // Of the largest none is passed over: a warm-up may be faster than all that comes after it.
  return low !== undefined && (max(rates) ?? 0) > LINEAR_TIMES_MAX * low ? 'log' : 'linear';
}
