import { useMemo } from 'react';

import type {
  ExperimentRun,
  SweepCurve,
  SweepOutcome,
  UslCoefficient,
  UslFit,
} from '../../contract/experiment-outcome';
import { DASH, formatCompact, formatFigure, formatMs, formatShare } from '../../analysis/format';
import { coefficientsOf, USL_ERROR_MAX, USL_POINTS_MIN, uslThroughput } from '../../analysis/statistics/usl';
import type { SweepView as ChartView } from '../../charts/sweep-chart';
import type { Plan } from '../../contract/experiment-plan';
import type { Parsed } from '../../contract/run-spec';
import { DesignKey } from '../../widgets/design-key';
import { EstimateFigure } from '../../widgets/estimate';
import { GlossaryLink } from '../../widgets/glossary-link';
import { UnsteadyRuns } from './experiment-settings';
import { CommandButton, SaveButtons } from '../../widgets/command-button';
import { Panel } from '../../widgets/panel';
import { useExplorer } from '../../widgets/session-context';
import { SweepCurves } from '../../widgets/sweep-curves';
import { Table, type Column } from '../../widgets/table';

/** Shows the results so far; before the first run, a description of them. */
export function SweepResults({ plan }: { plan: Parsed<Plan> }) {
  const outcome = useExplorer((state) => state.sweep);
  if (outcome === null || outcome.runs.length === 0) return <NothingYet plan={plan} />;
  return (
    <>
      <CurvesPanel outcome={outcome} />
      <LawPanel outcome={outcome} />
      <ThroughputTable outcome={outcome} />
      <Failures runs={outcome.runs} plan={outcome.plan} />
    </>
  );
}

function NothingYet({ plan }: { plan: Parsed<Plan> }) {
  const batch = useExplorer((state) => state.batch);
  return (
    <Panel title="No sweep yet" className="experiment-empty">
      {plan.ok && (
        <p>
          Runs {plan.value.designs.map(({ title }) => title).join(', ')} with {plan.value.counts.join(', ')}{' '}
          client threads.
        </p>
      )}
      <p>
        {batch === null ? (
          <>
            Run to see throughput by thread count, fitted with the{' '}
            <GlossaryLink term="universal_scalability_law">Universal Scalability Law</GlossaryLink>:
            contention (σ), coherency (κ) and the thread count at the peak.
          </>
        ) : (
          'The first run is in progress.'
        )}
      </p>
    </Panel>
  );
}

function CurvesPanel({ outcome }: { outcome: SweepOutcome }) {
  const { plan, runs, curves } = outcome;
  const threadsAxis = useExplorer((state) => state.threadsAxis);
  const hasUnfitted = curves.some(({ usl }) => !usl.ok);
  const view = useMemo(
    (): ChartView => ({
      series: curves.map(seriesOf),
      places: plan.counts,
      threadsAxis,
      xTitle: 'client threads',
      title: 'transactions per s',
      format: formatCompact,
    }),
    [curves, plan, threadsAxis],
  );
  return (
    <Panel
      title="Throughput by threads"
      remark={
        runs.length < plan.runs.length
          ? `${runs.length} of ${plan.runs.length} runs`
          : `marks: mean and spread of repeats; curves: fitted law${hasUnfitted ? '; straight lines: no fit' : ''}`
      }
      note={
        <>
          <CommandButton
            command="sweep.threads_axis"
            className="button-preset"
            pressed={threadsAxis === 'logarithmic'}
          >
            Log axis
          </CommandButton>
          <SaveButtons of="sweep" />
        </>
      }
    >
      <SweepCurves
        designs={plan.designs.map(({ title }, design) => ({ design, title }))}
        view={view}
        label={`Transactions per second against client threads for ${plan.designs
          .map(({ title }) => title)
          .join(', ')}, with a curve where the law fits`}
      />
    </Panel>
  );
}

function seriesOf({ design, points, usl }: SweepCurve): ChartView['series'][number] {
  return {
    design,
    points: points.map(({ threads, tps, mean_tps }) => ({
      at: threads,
      mean: mean_tps,
      low: Math.min(...tps),
      high: Math.max(...tps),
    })),
    ...(usl.ok && {
      law: {
        throughputOf: (threads: number) => uslThroughput(threads, coefficientsOf(usl.fit)),
        peakThreads: usl.fit.peak?.threads ?? null,
      },
    }),
  };
}

/** Shows the law's coefficients for each design, or why it does not fit. */
function LawPanel({ outcome: { plan, curves } }: { outcome: SweepOutcome }) {
  const mostThreads = plan.counts.at(-1) ?? 1;
  return (
    <Panel title="Universal Scalability Law" remark="X(N) = λN / (1 + σ(N − 1) + κN(N − 1))">
      <div className="table-scroll" tabIndex={0} role="region" aria-label="Fitted coefficients, table">
        <table className="figures experiment-table">
          <thead>
            <tr>
              <th scope="col">design</th>
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
            {curves.map(({ design, usl }) => (
              <tr key={design}>
                <th scope="row">
                  <DesignKey design={design} title={plan.designs[design]!.title} hasMark />
                </th>
                {usl.ok ? (
                  <FitCells fit={usl.fit} mostThreads={mostThreads} />
                ) : (
                  <td colSpan={7} className="no-fit">
                    No fit: {usl.reason}.
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
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

function ThroughputTable({ outcome: { plan, curves, runs } }: { outcome: SweepOutcome }) {
  return (
    <Panel title="Thread counts" remark="mean, smallest and largest TPS of the repeats; p99 latency">
      <p className="muted experiment-note">
        <UnsteadyRuns runs={runs} />
      </p>
      <Table
        region="Thread counts, table"
        className="experiment-table"
        rows={plan.counts}
        columns={[
          ['threads', (threads) => threads],
          ...curves.flatMap((curve): Column<number>[] => [
            [
              `${plan.designs[curve.design]!.title}: TPS`,
              (threads) => <Throughput curve={curve} threads={threads} />,
            ],
            ['p99', (threads) => formatMs(pointOf(curve, threads)?.mean_p99_ms)],
          ]),
        ]}
      />
    </Panel>
  );
}

const pointOf = ({ points }: SweepCurve, threads: number) =>
  points.find((point) => point.threads === threads);

function Throughput({ curve, threads }: { curve: SweepCurve; threads: number }) {
  const point = pointOf(curve, threads);
  if (point === undefined) return DASH;
  return (
    <>
      {formatFigure(point.mean_tps)}
      {point.tps.length > 1 && (
        <span className="muted figure-conditions">
          {formatFigure(Math.min(...point.tps))} to {formatFigure(Math.max(...point.tps))}
        </span>
      )}
    </>
  );
}

function Failures({ runs, plan }: { runs: readonly ExperimentRun[]; plan: Plan }) {
  const failed = runs.flatMap((run) => (run.outcome.ok ? [] : [{ ...run, reason: run.outcome.reason }]));
  if (failed.length === 0) return null;
  return (
    <Panel title="Failed runs" remark={`${failed.length} of ${runs.length}, ignored`}>
      <ul className="experiment-faults">
        {failed.map(({ design, repeat, spec, reason }) => (
          <li key={`${design} ${repeat} ${spec.threads}`}>
            {plan.designs[design]!.title}, {spec.threads} threads, seed {spec.seed}: {reason}
          </li>
        ))}
      </ul>
    </Panel>
  );
}
