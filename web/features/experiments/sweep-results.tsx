import { useMemo } from 'react';

import type { ExperimentRun, SweepCurve, SweepOutcome } from '../../contract/experiment-outcome';
import { DASH, formatCompact, formatFigure, formatMs } from '../../analysis/format';
import type { SweepView as ChartView } from '../../charts/sweep-chart';
import type { Plan } from '../../contract/experiment-plan';
import type { Parsed } from '../../contract/run-spec';
import { DesignKey } from '../../widgets/design-key';
import { GlossaryLink } from '../../widgets/glossary-link';
import { UnsteadyRuns } from './experiment-settings';
import { CommandButton, SaveButtons } from '../../widgets/command-button';
import { Panel } from '../../widgets/panel';
import { useExplorer } from '../../widgets/session-context';
import { SweepCurves } from '../../widgets/sweep-curves';
import { Table, type Column } from '../../widgets/table';
import { drawnLaw, UslPanel } from '../../widgets/usl-panel';

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
    ...(usl.ok && { law: drawnLaw(usl.fit) }),
  };
}

/** Shows the law's coefficients for each design, or why it does not fit. */
const LawPanel = ({ outcome: { plan, curves } }: { outcome: SweepOutcome }) => (
  <UslPanel
    of="design"
    curves={curves.map(({ design, usl }) => ({
      title: <DesignKey design={design} title={plan.designs[design]!.title} hasMark />,
      usl,
    }))}
    mostThreads={plan.counts.at(-1) ?? 1}
  />
);

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
