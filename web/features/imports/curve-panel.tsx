import { useMemo, useState } from 'react';

import { DASH, formatCompact, formatFigure, formatMs } from '../../analysis/format';
import { benchmarkPoints, type BenchmarkPoint } from '../../analysis/imports/benchmark-curve';
import type { SweepView, ThreadsAxis } from '../../charts/sweep-chart';
import type { UslOutcome } from '../../contract/experiment-outcome';
import { DesignKey } from '../../widgets/design-key';
import { Panel } from '../../widgets/panel';
import { useExplorer } from '../../widgets/session-context';
import { SweepCurves } from '../../widgets/sweep-curves';
import { Table } from '../../widgets/table';
import { drawnLaw, UslPanel } from '../../widgets/usl-panel';

/** More thread counts than any benchmark has. */
const POINTS_MAX = 200;
/** From this ratio of the largest and smallest thread count on, small ones need a logarithmic axis. */
const LOGARITHMIC_FROM = 16;
/** Index of the only curve's color and mark. */
const CURVE = 0;

/** Draws throughput and latency of a benchmark by threads, with the fitted law, as Sweep does. */
export default function CurvePanels() {
  const report = useExplorer((state) => state.waits.report);
  const points = useMemo(() => benchmarkPoints(report?.runs ?? []).slice(0, POINTS_MAX), [report]);
  const usl = report?.usl ?? null;
  if (usl === null) return null;
  return (
    <>
      <CurvesPanel points={points} usl={usl} />
      <UslPanel
        of="curve"
        curves={[{ title: <DesignKey design={CURVE} title="your benchmark" hasMark />, usl }]}
        mostThreads={points.at(-1)?.threads ?? 1}
      />
    </>
  );
}

function CurvesPanel({ points, usl }: { points: readonly BenchmarkPoint[]; usl: UslOutcome }) {
  const [wished, wish] = useState<ThreadsAxis | null>(null);
  const [fewest = 1, most = 1] = [points[0]?.threads, points.at(-1)?.threads];
  const axis = wished ?? (most / fewest >= LOGARITHMIC_FROM ? 'logarithmic' : 'linear');
  const throughput = useMemo(() => throughputView(points, usl, axis), [points, usl, axis]);
  const latency = useMemo(() => latencyView(points, axis), [points, axis]);
  return (
    <Panel
      title="Throughput by threads"
      remark={`marks: mean and spread of repeats; ${usl.ok ? 'curve: fitted law' : 'straight lines: no fit'}`}
      note={
        <button
          type="button"
          className="button button-preset"
          aria-pressed={axis === 'logarithmic'}
          onClick={() => wish(axis === 'linear' ? 'logarithmic' : 'linear')}
        >
          Log axis
        </button>
      }
    >
      <div className="waits-curves">
        <SweepCurves view={throughput} label={`Transactions per second by threads: ${inWords(points)}`} />
        {latency.places.length > 0 && (
          <SweepCurves view={latency} label="95th percentile of latency by threads, in milliseconds" />
        )}
      </div>
      <Table
        region="Runs by threads, table"
        className="experiment-table"
        rows={points}
        columns={[
          ['threads', ({ threads }) => threads],
          ['TPS', ({ tps, meanTps }) => <Figures values={tps} mean={meanTps} format={formatFigure} />],
          ['p95', ({ p95Ms }) => <Figures values={p95Ms} mean={meanOf(p95Ms)} format={formatMs} />],
          ['runs', ({ tps }) => tps.length],
        ]}
      />
    </Panel>
  );
}

const inWords = (points: readonly BenchmarkPoint[]) =>
  points.map(({ threads, meanTps }) => `${formatFigure(meanTps)} with ${threads}`).join(', ');

const shared = (points: readonly BenchmarkPoint[], threadsAxis: ThreadsAxis) => ({
  places: points.map(({ threads }) => threads),
  threadsAxis,
  xTitle: 'client threads',
  format: formatCompact,
});

const throughputView = (
  points: readonly BenchmarkPoint[],
  usl: UslOutcome,
  axis: ThreadsAxis,
): SweepView => ({
  ...shared(points, axis),
  title: 'transactions per s',
  series: [
    {
      design: CURVE,
      points: points.map(({ threads, tps }) => drawnPoint(threads, tps)),
      ...(usl.ok && { law: drawnLaw(usl.fit) }),
    },
  ],
});

function latencyView(all: readonly BenchmarkPoint[], axis: ThreadsAxis): SweepView {
  const points = all.filter(({ p95Ms }) => p95Ms.length > 0);
  return {
    ...shared(points, axis),
    title: 'p95 latency, ms',
    series: [{ design: CURVE, points: points.map(({ threads, p95Ms }) => drawnPoint(threads, p95Ms)) }],
  };
}

const drawnPoint = (at: number, values: readonly number[]) => ({
  at,
  mean: meanOf(values)!,
  low: Math.min(...values),
  high: Math.max(...values),
});

const meanOf = (values: readonly number[]) =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;

interface FiguresProps {
  /** One for each run. */
  values: readonly number[];
  mean: number | null;
  format: (value: number) => string;
}

function Figures({ values, mean, format }: FiguresProps) {
  if (mean === null) return DASH;
  return (
    <>
      {format(mean)}
      {values.length > 1 && (
        <span className="muted figure-conditions">
          {format(Math.min(...values))} to {format(Math.max(...values))}
        </span>
      )}
    </>
  );
}
