// Computes the domains of y axes. They grow at once and shrink only for much smaller values, so
// that the axis does not move with every value.
import { max } from 'd3-array';

const SHRINK_BELOW = 0.4;

/** A domain from 0 to slightly above the largest value seen. */
export class LinearDomain {
  readonly #topMin: number;
  #top: number;

  constructor(topMin: number) {
    this.#topMin = topMin;
    this.#top = topMin;
  }

  update(largest: number): [number, number] {
    const wanted = Math.max(this.#topMin, largest * 1.15);
    if (largest > this.#top || wanted < this.#top * SHRINK_BELOW) this.#top = wanted;
    return [0, this.#top];
  }
}

/** A domain of whole powers of ten around the values. */
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

/** A linear axis cannot show rates that are further apart. */
const LINEAR_TIMES_MAX = 20;
const RATES_LOOKED_AT = 200;

/**
 * Returns a scale that shows all rates: logarithmic if the lowest tenth would be flat on a linear
 * axis.
 */
export function rateScaleFor(rates: Float64Array): RateScale {
  const step = Math.max(1, Math.ceil(rates.length / RATES_LOOKED_AT));
  const lookedAt = Array.from({ length: Math.ceil(rates.length / step) }, (_, i) => rates[i * step]!);
  const seen = lookedAt.filter((rate) => rate > 0).sort((a, b) => a - b);
  const low = seen[Math.floor(seen.length / 10)];
  // The maximum covers every rate: a warm-up may be faster than the rest of the run.
  return low !== undefined && (max(rates) ?? 0) > LINEAR_TIMES_MAX * low ? 'log' : 'linear';
}
