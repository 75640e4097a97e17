// Defines Gunther's Universal Scalability Law: throughput of N threads is
//
//    X(N) = λN / (1 + σ(N − 1) + κN(N − 1))
//
// λ is the throughput of one thread alone. σ is contention: the share of work that must run
// serially. κ is coherency: the cost that each pair of threads causes. With κ > 0 throughput has a
// peak, at sqrt((1 − σ) / κ) threads.
import type { UslFit } from '../../contract/experiment-outcome';

/** One more than the number of coefficients: with fewer points, any curve fits. */
export const USL_POINTS_MIN = 4;
/** Maximum error of a fit, relative to the mean throughput. Textbook examples have 4 to 5 %. */
export const USL_ERROR_MAX = 0.05;

/** λ, σ, κ. */
export type Coefficients = readonly [number, number, number];

export function uslThroughput(threads: number, [lambda, sigma, kappa]: Coefficients): number {
  return (lambda * threads) / loadOf(threads, sigma, kappa);
}

/** Returns the divisor of λN. */
export const loadOf = (threads: number, sigma: number, kappa: number) =>
  1 + sigma * (threads - 1) + kappa * threads * (threads - 1);

export const coefficientsOf = ({ lambda, sigma, kappa }: UslFit): Coefficients => [
  lambda.value,
  sigma.value,
  kappa.value,
];
