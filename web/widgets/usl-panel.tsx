import type { ReactNode } from 'react';

import type { UslCoefficient, UslFit, UslOutcome } from '../contract/experiment-outcome';
import { DASH, formatFigure, formatShare } from '../analysis/format';
import { coefficientsOf, USL_ERROR_MAX, USL_POINTS_MIN, uslThroughput } from '../analysis/statistics/usl';
import { EstimateFigure } from './estimate';
import { Panel } from './panel';

/** Returns a fitted curve as the chart draws it. */
export const drawnLaw = (fit: UslFit) => ({
  throughputOf: (threads: number) => uslThroughput(threads, coefficientsOf(fit)),
  peakThreads: fit.peak?.threads ?? null,
});

interface UslPanelProps {
  /** What has a curve, such as `design`. */
  of: string;
  curves: readonly { title: ReactNode; usl: UslOutcome }[];
  /** The largest thread count that was measured. */
  mostThreads: number;
}

/** Shows the law's coefficients for each curve, or why it does not fit. */
export function UslPanel({ of, curves, mostThreads }: UslPanelProps) {
  const unfitted = curves.flatMap(({ title, usl }) => (usl.ok ? [] : [{ title, reason: usl.reason }]));
  const fitted = curves.flatMap(({ title, usl }) => (usl.ok ? [{ title, fit: usl.fit }] : []));
  return (
    <Panel title="Universal Scalability Law" remark="X(N) = λN / (1 + σ(N − 1) + κN(N − 1))">
      {fitted.length > 0 && (
        <div className="table-scroll" tabIndex={0} role="region" aria-label="Fitted coefficients, table">
          <table className="figures experiment-table">
            <thead>
              <tr>
                <th scope="col">{of}</th>
                <th scope="col">λ, TPS with one thread</th>
                <th scope="col">σ, contention</th>
                <th scope="col">κ, coherency</th>
                <th scope="col">peak at</th>
                <th scope="col">TPS at peak</th>
                <th scope="col">R²</th>
                <th scope="col">fit error</th>
              </tr>
            </thead>
            <tbody>
              {fitted.map(({ title, fit }, place) => (
                <tr key={place}>
                  <th scope="row">{title}</th>
                  <FitCells fit={fit} mostThreads={mostThreads} />
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {unfitted.length > 0 && (
        <ul className="curves-without-fit">
          {unfitted.map(({ title, reason }, place) => (
            <li key={place}>
              {title} <span>No fit: {reason}.</span>
            </li>
          ))}
        </ul>
      )}
      <p className="muted table-remark">
        Least squares over the means per thread count, with σ and κ at least 0. A curve is drawn only with at
        least {USL_POINTS_MIN} thread counts, no superlinear scaling, and a fit error of at most{' '}
        {formatShare(USL_ERROR_MAX)} of the mean throughput. Parentheses: 95 % intervals from the covariance
        of the fit. σ: share of work that is serialized. κ: cost of each pair of threads; it makes throughput
        fall beyond the peak.
      </p>
    </Panel>
  );
}

function FitCells({ fit, mostThreads }: { fit: UslFit; mostThreads: number }) {
  const { lambda, sigma, kappa, peak, r_squared, relative_error } = fit;
  const isMeasured = peak !== null && peak.threads <= mostThreads;
  return (
    <>
      <CoefficientCell coefficient={lambda} format={formatFigure} />
      <CoefficientCell coefficient={sigma} format={formatSmall} />
      <CoefficientCell coefficient={kappa} format={formatSmall} />
      <td>
        {peak === null ? 'none' : `${formatFigure(peak.threads)} threads`}
        {peak !== null && !isMeasured && (
          <span className="muted figure-conditions">beyond the measured range</span>
        )}
      </td>
      <td>{peak === null || !isMeasured ? DASH : formatFigure(peak.throughput)}</td>
      <td>{r_squared.toFixed(3)}</td>
      <td>{formatShare(relative_error)}</td>
    </>
  );
}

interface CoefficientCellProps {
  coefficient: UslCoefficient;
  format: (value: number) => string;
}

const CoefficientCell = ({ coefficient: { value, interval }, format }: CoefficientCellProps) => (
  <td>
    <EstimateFigure estimate={{ mean: value, low: interval[0], high: interval[1] }} format={format} />
  </td>
);

/** Returns 0.0277, 0.000104, 0. */
function formatSmall(value: number): string {
  if (value === 0) return '0';
  return value < 1e-6 ? value.toExponential(1) : value.toLocaleString('en', { maximumSignificantDigits: 3 });
}
