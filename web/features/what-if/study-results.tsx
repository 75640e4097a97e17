import { useMemo } from 'react';

import { formatCompact, formatFigure, formatMs, formatShare, formatThousandths } from '../../analysis/format';
import { profileChart, type ProfileView } from '../../charts/profile-chart';
import type { SweepView } from '../../charts/sweep-chart';
import type { Estimate, ReportPoint, WhatIfReport } from '../../contract/what-if-report';
import { DesignLegend } from '../../widgets/design-key';
import { GlossaryLink } from '../../widgets/glossary-link';
import { Panel } from '../../widgets/panel';
import { EstimateFigure as Figure, estimateInWords } from '../../widgets/estimate';
import { Table } from '../../widgets/table';
import { useExplorer } from '../../widgets/session-context';
import { SaveButtons } from '../../widgets/command-button';
import { SvgChartHost } from '../../widgets/svg-chart-host';
import { SweepCurves } from '../../widgets/sweep-curves';
import { percentOf, tooFewTransactions, type StudyPlan } from './study-plan';
import type { FailedRun } from './study-state';

type Profile = Extract<WhatIfReport, { base: ReportPoint }>;
type Curve = Extract<WhatIfReport, { points: ReportPoint[] }>;

/** Shows the results so far; before the first run, a description of them. */
export function StudyResults() {
  const study = useExplorer((state) => state.study);
  if (study === null || (study.report === null && study.failed.length === 0)) return <NothingYet />;
  const { report, plan, failed } = study;
  return (
    <>
      {report !== null && <FewTransactions report={report} plan={plan} />}
      {report !== null && 'base' in report && <ProfileOrNone report={report} />}
      {report !== null && 'points' in report && <CurvePanels report={report} plan={plan} />}
      {failed.length > 0 && <FailedRuns failed={failed} />}
    </>
  );
}

function NothingYet() {
  const isRunning = useExplorer((state) => state.studyProgress !== null);
  return (
    <Panel title="No results" className="experiment-empty">
      {isRunning ? (
        <p>The first run is in progress.</p>
      ) : (
        <>
          <p>
            Run to see, for each expensive latch, the throughput with shorter{' '}
            <GlossaryLink term="critical_section">critical sections</GlossaryLink> and with a free{' '}
            <GlossaryLink term="hand_off">hand-off</GlossaryLink>. An expensive latch may gain little: threads
            that wait less for it may wait more for the next one.
          </p>
          <p>Run to see how throughput and latency depend on one latch or one server cost.</p>
        </>
      )}
    </Panel>
  );
}

/** Warns that small gains may not be visible, and explains how to avoid that. */
function FewTransactions({ report, plan }: { report: WhatIfReport; plan: StudyPlan }) {
  const asItIs = 'base' in report ? report.base : report.points[0]!;
  const ofClient = tooFewTransactions(plan, asItIs.tps.mean);
  if (ofClient === null) return null;
  return (
    <p className="what-if-note" role="note" aria-label="Few transactions">
      Each client ends few transactions in the measured part, about {formatFigure(ofClient)}. Throughput then
      changes in steps: a small gain may not show, and intervals may be too narrow. Use longer runs.
    </p>
  );
}

function ProfileOrNone({ report }: { report: Profile }) {
  const isRunning = useExplorer((state) => state.studyProgress !== null);
  if (report.latches.length > 0) return <ProfilePanel report={report} />;
  return (
    <Panel title="Causal profile" remark={baselineOf(report)} className="experiment-empty">
      {isRunning ? (
        <p>The first runs are in progress.</p>
      ) : (
        <p>In this run no latch costs time. A curve shows how throughput depends on a server cost.</p>
      )}
    </Panel>
  );
}

const baselineOf = ({ base }: Profile) =>
  `baseline: ${estimateInWords(base.tps, formatFigure)} transactions per s`;

function ProfilePanel({ report }: { report: Profile }) {
  const asked = [`critical section ${report.section_percent} %`, 'hand-off free'];
  const view = useMemo(
    (): ProfileView => ({
      rows: report.latches.map(({ latch, section, hand_over }) => ({
        label: latch,
        ratios: [section, hand_over].map(({ tps_ratio }) => ratioOf(tps_ratio)),
      })),
      title: 'throughput relative to the baseline run',
      format: (ratio) => `${Number(ratio.toPrecision(3))} ×`,
    }),
    [report],
  );
  return (
    <Panel title="Causal profile" remark={baselineOf(report)} note={<SaveButtons of="what_if" />}>
      <DesignLegend designs={asked.map((title, design) => ({ design, title }))} />
      <SvgChartHost
        className="chart-profile"
        chart={profileChart}
        view={view}
        label={`Throughput relative to the baseline run, for ${report.latches.map(({ latch }) => latch).join(', ')}`}
      />
      <Table
        region="Causal profile, table"
        className="experiment-table"
        rows={report.latches}
        columns={[
          ['latch', ({ latch }) => <code>{latch}</code>],
          ['cost', ({ cost_share }) => formatShare(cost_share)],
          [asked[0], ({ section }) => <Figure estimate={section.tps_ratio} format={formatThousandths} />],
          [asked[1], ({ hand_over }) => <Figure estimate={hand_over.tps_ratio} format={formatThousandths} />],
        ]}
      />
      <p className="muted table-remark">
        Cost: stall and queue time of all threads, relative to client time. Other columns: throughput relative
        to the baseline run, paired by seed; mean and, in parentheses, 95 % interval. If the interval includes
        1, there is no measurable effect.
      </p>
    </Panel>
  );
}

const ratioOf = ({ mean, low, high }: Estimate) =>
  mean === null || mean <= 0
    ? null
    : { ratio: mean, interval: low === undefined || low <= 0 ? null : ([low, high!] as const) };

function CurvePanels({ report, plan }: { report: Curve; plan: StudyPlan }) {
  return (
    <>
      <CurvePanel
        report={report}
        plan={plan}
        title="Throughput"
        figure="tps"
        format={formatCompact}
        axis="transactions per s"
        note={<SaveButtons of="what_if" />}
      />
      <CurvePanel
        report={report}
        plan={plan}
        title="p99 latency"
        figure="p99_ms"
        format={formatMs}
        axis="p99 latency"
      />
      <CurveTable report={report} plan={plan} />
    </>
  );
}

interface CurvePanelProps {
  report: Curve;
  plan: StudyPlan;
  title: string;
  figure: 'tps' | 'p99_ms';
  format: (value: number) => string;
  axis: string;
  note?: React.ReactNode;
}

function CurvePanel({ report, plan, title, figure, format, axis, note }: CurvePanelProps) {
  const view = useMemo((): SweepView => {
    const known = report.points.flatMap((point) => {
      const at = percentOf(point.what_if);
      const { mean, low, high } = point[figure];
      return at === null || mean === null ? [] : [{ at, mean, low: low ?? mean, high: high ?? mean }];
    });
    const points = known.toSorted((a, b) => a.at - b.at);
    return {
      series: [{ design: 0, points }],
      places: points.map(({ at }) => at),
      threadsAxis: 'linear',
      title: axis,
      xTitle: '% of the original',
      format,
    };
  }, [report, figure, axis, format]);
  if (view.places.length < 2) return null;
  return (
    <Panel title={title} remark={`by ${plan.subject}, with 95 % intervals over seeds`} note={note}>
      <SweepCurves view={view} label={`${title} by ${plan.subject} in percent of the original`} />
    </Panel>
  );
}

function CurveTable({ report, plan }: { report: Curve; plan: StudyPlan }) {
  return (
    <Panel title="Points" remark={plan.subject} note={<SaveButtons of="what_if" />}>
      <Table
        region="Points, table"
        className="experiment-table"
        rows={report.points}
        columns={[
          ['what if', ({ name }) => name],
          ['TPS', ({ tps }) => <Figure estimate={tps} format={formatFigure} />],
          ['vs. baseline', ({ tps_ratio }) => <Figure estimate={tps_ratio} format={formatThousandths} />],
          ['p99', ({ p99_ms }) => <Figure estimate={p99_ms} format={formatMs} />],
        ]}
      />
      <p className="muted table-remark">
        Means over {report.seeds === 1 ? 'one seed' : `${report.seeds} seeds`}
        {report.seeds > 1 && ', 95 % intervals in parentheses'}
        {report.from_s > 0 && `; measured from ${report.from_s} s`}.
      </p>
    </Panel>
  );
}

function FailedRuns({ failed }: { failed: readonly FailedRun[] }) {
  return (
    <Panel title="Ignored runs" remark="not part of the results">
      <ul>
        {failed.map(({ point, seed, reason }) => (
          <li key={`${point} ${seed}`}>
            {point}, seed {seed}: {reason}
          </li>
        ))}
      </ul>
    </Panel>
  );
}
