// Gunther's Universal Scalability Law: throughput of N threads is
//
//   X(N) = λN / (1 + σ(N − 1) + κN(N − 1))
//
// λ what one thread does alone, σ contention (the share that must be done one after the other), κ coherency (what every
// pair of threads costs each other). With κ > 0 throughput has a peak, at sqrt((1 − σ) / κ) threads.
import type { UslFit } from '../../contract/experiment-outcome';

/** One more than the law has coefficients: with fewer, any curve fits and none says anything. */
export const USL_POINTS_MIN = 4;
/** A fit misses the throughputs by this part of their mean at most; textbook examples of the law miss by 4 to 5 %. */
export const USL_ERROR_MAX = 0.05;

/** λ, σ, κ. */
export type Coefficients = readonly [number, number, number];

export function uslThroughput(threads: number, [lambda, sigma, kappa]: Coefficients): number {
  return (lambda * threads) / loadOf(threads, sigma, kappa);
}

/** What λN is divided by. */
export const loadOf = (threads: number, sigma: number, kappa: number) =>
  1 + sigma * (threads - 1) + kappa * threads * (threads - 1);

export const coefficientsOf = ({ lambda, sigma, kappa }: UslFit): Coefficients => [
  lambda.value,
  sigma.value,
  kappa.value,
];
