import { greatest, median } from 'd3-array';
import { useMemo } from 'react';

import type { ComparisonOutcome, ExperimentRun, RunPoint, Verdict } from '../../contract/experiment-outcome';
import { DASH, formatCompact, formatFigure, formatMs, formatWhole } from '../../analysis/format';
import { equalRatios, formatRatio } from '../../analysis/statistics/verdict';
import { ratioChart, type RatioView } from '../../charts/ratio-chart';
import {
  linearDomain,
  logDomain,
  medianLine,
  repeatsChart,
  type RepeatsView,
} from '../../charts/repeats-chart';
import { drawnSteps, measuredOf, repeatsOf, type Repeat } from './experiment-outcome';
import type { Plan } from '../../contract/experiment-plan';
import type { Parsed } from '../../contract/run-spec';
import { DesignKey } from '../../widgets/design-key';
import { UnsteadyRuns } from './experiment-settings';
import { SaveButtons } from '../../widgets/command-button';
import { Panel } from '../../widgets/panel';
import { useExplorer } from '../../widgets/session-context';
import { SvgChartHost } from '../../widgets/svg-chart-host';
import { Table, type Column } from '../../widgets/table';

const letters = ['A', 'B'];

/** Shows the results so far; before the first run, a description of them. */
export function ComparisonResults({ plan }: { plan: Parsed<Plan> }) {
  const outcome = useExplorer((state) => state.comparison);
  if (outcome === null || outcome.runs.length === 0) return <NothingYet plan={plan} />;
  return (
    <div className="experiment-results">
      <VerdictPanel outcome={outcome} />
      <div className="compared-designs">
        {outcome.plan.designs.map((_, design) => (
          <DesignPanel key={design} outcome={outcome} design={design} />
        ))}
      </div>
      <div className="compared-designs">
        <RatioPanel outcome={outcome} figure="throughput" />
        <RatioPanel outcome={outcome} figure="p99" />
      </div>
      <RepeatTable outcome={outcome} />
      <TimeTable outcome={outcome} />
    </div>
  );
}

function NothingYet({ plan }: { plan: Parsed<Plan> }) {
  const batch = useExplorer((state) => state.batch);
  const [a, b] = plan.ok ? plan.value.designs : [];
  return (
    <div className="experiment-results">
      <Panel title="No comparison yet" className="experiment-empty">
        {a && b && (
          <p>
            Runs <strong>{a.title}</strong> (A) and <strong>{b.title}</strong> (B) alternately, A B then B A,
            so that other changes affect both equally.
          </p>
        )}
        <p>
          {batch === null
            ? 'Run to see both designs side by side, the speedup and its confidence interval.'
            : 'The first run is in progress.'}
        </p>
      </Panel>
    </div>
  );
}

const verdictWords: Record<Verdict, string> = {
  faster: 'B is faster',
  slower: 'B is slower',
  no_difference: 'No difference',
  cannot_tell: 'Inconclusive',
};
const verdictSigns: Record<Verdict, string> = {
  faster: '▲',
  slower: '▼',
  no_difference: '=',
  cannot_tell: '?',
};

function VerdictPanel({ outcome }: { outcome: ComparisonOutcome }) {
  const batch = useExplorer((state) => state.batch);
  const { verdict, sentence, p99, plan, runs, margin } = outcome;
  const [a, b] = plan.designs;
  const isUnderWay = batch !== null;
  const failed = runs.filter((run) => !run.outcome.ok).length;
  return (
    <Panel
      title={isUnderWay ? 'So far' : 'Verdict'}
      remark={runs.length < plan.runs.length ? `${runs.length} of ${plan.runs.length} runs` : undefined}
      note={<SaveButtons of="comparison" />}
    >
      <div className="row verdict" data-verdict={verdict}>
        <span className="verdict-word">
          <span aria-hidden="true">{verdictSigns[verdict]} </span>
          {verdictWords[verdict]}
        </span>
        <p className="verdict-sentence">{sentence}</p>
      </div>
      <p className="muted">
        {p99 !== null && (
          <>
            p99 latency of {b?.title} is {formatRatio(p99.ratio)} times that of {a?.title}
            {p99.interval !== null &&
              ` (95 % interval ${formatRatio(p99.interval[0])} to ${formatRatio(p99.interval[1])})`}
            .{' '}
          </>
        )}
        Differences within {formatFigure(margin * 100)} % count as none.
        <UnsteadyRuns runs={runs} />
        {failed > 0 && ` ${failed} of ${runs.length} runs failed and are ignored.`}
      </p>
    </Panel>
  );
}

const runsOf = (outcome: ComparisonOutcome, design: number) =>
  outcome.runs.filter((run) => run.design === design);

/** Returns each run's points as charts draw them. */
const pointsOf = (runs: readonly ExperimentRun[], { intervals_of_a_step }: Plan): RunPoint[][] =>
  runs.flatMap(({ outcome }) => (outcome.ok ? [drawnSteps(outcome.points, intervals_of_a_step)] : []));

function DesignPanel({ outcome, design }: { outcome: ComparisonOutcome; design: number }) {
  const { plan } = outcome;
  const title = plan.designs[design]!.title;
  const measured = runsOf(outcome, design).flatMap((run) => measuredOf(run) ?? []);
  const { tps, p99 } = useMemo(() => repeatsViews(outcome, design), [outcome, design]);
  return (
    <Panel
      title={`${letters[design]}: ${title}`}
      note={<DesignKey design={design} title="median; thin lines: runs" />}
      className="compared-design"
    >
      <dl className="result compared-medians">
        <div>
          <dt>TPS, median</dt>
          <dd>{formatFigure(median(measured, (run) => run.tps))}</dd>
        </div>
        <div>
          <dt>p99 latency, median</dt>
          <dd>{formatMs(median(measured, (run) => run.p99_ms))}</dd>
        </div>
        <div>
          <dt>transactions, median</dt>
          <dd>{formatWhole(median(measured, (run) => run.transactions))}</dd>
        </div>
      </dl>
      <SvgChartHost
        className="chart-repeats"
        chart={repeatsChart}
        view={tps}
        label={`Transactions per second of ${title} over time, runs and median`}
      />
      <SvgChartHost
        className="chart-repeats"
        chart={repeatsChart}
        view={p99}
        label={`p99 latency of ${title} over time, runs and median, logarithmic`}
      />
    </Panel>
  );
}

/** Gives both designs' charts the same axes. */
function repeatsViews(outcome: ComparisonOutcome, design: number): { tps: RepeatsView; p99: RepeatsView } {
  const { plan } = outcome;
  const all = pointsOf(outcome.runs, plan).flat();
  const own = pointsOf(runsOf(outcome, design), plan);
  const measuredFromS = Math.max(0, ...outcome.runs.map((run) => measuredOf(run)?.from_s ?? 0));
  const isVirtual = plan.platform === 'virtual';
  // Each run settles at a different time.
  const fromS =
    plan.from_s ?? median(runsOf(outcome, design), (run) => measuredOf(run)?.from_s ?? Number.NaN) ?? 0;
  const common = { design, durationS: plan.duration_s, fromS, isVirtual };
  const linesOf = (value: (point: RunPoint) => number | null) =>
    own.map((points) => points.map((point) => ({ tS: point.t_s, value: value(point) })));
  return {
    tps: {
      ...common,
      lines: linesOf(({ tps }) => tps),
      // High values before the measured part would flatten the compared lines.
      domain: linearDomain(all.filter(({ t_s }) => t_s > measuredFromS).map(({ tps }) => tps)),
      scale: 'linear',
      title: 'transactions per s',
      format: formatCompact,
    },
    p99: {
      ...common,
      lines: linesOf(({ p99_ms }) => p99_ms),
      domain: logDomain(all.flatMap(({ p99_ms }) => p99_ms ?? [])),
      scale: 'log',
      title: 'p99 latency, logarithmic',
      format: formatMs,
    },
  };
}

const figures = {
  throughput: { title: 'Throughput, B / A', value: (run: ExperimentRun | null) => measuredOf(run)?.tps },
  p99: { title: 'p99 latency, B / A', value: (run: ExperimentRun | null) => measuredOf(run)?.p99_ms },
};

function ratioOf({ runs }: Repeat, figure: keyof typeof figures): number | null {
  const [a, b] = runs.map(figures[figure].value);
  return a != null && b != null && a > 0 && b > 0 ? b / a : null;
}

const repeatName = (plan: Plan, { repeat, seed }: Repeat) =>
  plan.platform === 'virtual' ? `seed ${seed}` : `repeat ${repeat + 1}`;

function RatioPanel({ outcome, figure }: { outcome: ComparisonOutcome; figure: keyof typeof figures }) {
  const { title } = figures[figure];
  const view = useMemo((): RatioView => {
    const { plan, runs, margin } = outcome;
    const pairs = repeatsOf(plan, runs).flatMap((repeat) => {
      const ratio = ratioOf(repeat, figure);
      return ratio === null ? [] : [{ label: repeatName(plan, repeat), ratio }];
    });
    return {
      pairs,
      mean: outcome[figure],
      equal: figure === 'throughput' ? equalRatios(margin) : null,
      title: `${title}, logarithmic`,
      format: (ratio) => formatRatio(ratio),
    };
  }, [outcome, figure, title]);
  const remark =
    figure === 'throughput'
      ? 'right of 1: B is faster; band: no difference'
      : 'left of 1: B has lower latency';
  return (
    <Panel title={title} remark={remark}>
      <SvgChartHost
        className="chart-ratios"
        chart={ratioChart}
        view={view}
        label={`${title}: pairs and mean with 95 % interval`}
      />
    </Panel>
  );
}

function RepeatTable({ outcome }: { outcome: ComparisonOutcome }) {
  const { plan, runs, throughput, p99 } = outcome;
  const interval = (estimate: typeof throughput) =>
    estimate?.interval == null
      ? DASH
      : `${formatRatio(estimate.interval[0])} to ${formatRatio(estimate.interval[1])}`;
  const tpsOf = (design: number) => (repeat: Repeat) => {
    const run = repeat.runs[design] ?? null;
    return run?.outcome.ok === false ? run.outcome.reason : formatFigure(measuredOf(run)?.tps);
  };
  const p99Of = (design: number) => (repeat: Repeat) => formatMs(measuredOf(repeat.runs[design]!)?.p99_ms);
  return (
    <Panel title="Repeats" remark="p99: mean over intervals, weighted by transactions">
      <Table
        region="Repeats, table"
        className="experiment-table"
        rows={repeatsOf(plan, runs)}
        columns={[
          ['repeat', (repeat) => repeatName(plan, repeat)],
          ['A: TPS', tpsOf(0)],
          ['B: TPS', tpsOf(1)],
          ['B / A', (repeat) => ratioCell(ratioOf(repeat, 'throughput'))],
          ['A: p99', p99Of(0)],
          ['B: p99', p99Of(1)],
          ['B / A', (repeat) => ratioCell(ratioOf(repeat, 'p99'))],
        ]}
        foot={
          <tfoot>
            <tr>
              <th scope="row">mean ratio</th>
              <td colSpan={2} />
              <td>{ratioCell(throughput?.ratio)}</td>
              <td colSpan={2} />
              <td>{ratioCell(p99?.ratio)}</td>
            </tr>
            <tr>
              <th scope="row">95 % interval</th>
              <td colSpan={3}>{interval(throughput)}</td>
              <td colSpan={3}>{interval(p99)}</td>
            </tr>
          </tfoot>
        }
      />
    </Panel>
  );
}

const ratioCell = (ratio: number | null | undefined) => (ratio == null ? DASH : formatRatio(ratio));

/** Shows the median lines of the charts as numbers. */
function TimeTable({ outcome }: { outcome: ComparisonOutcome }) {
  const { plan } = outcome;
  const isVirtual = plan.platform === 'virtual';
  const figures = plan.designs.flatMap((_, design) => {
    const points = pointsOf(runsOf(outcome, design), plan);
    const medianLineOf = (value: (point: RunPoint) => number | null) =>
      medianLine(points.map((line) => line.map((point) => ({ tS: point.t_s, value: value(point) }))));
    return [
      { title: `${letters[design]}: TPS`, line: medianLineOf(({ tps }) => tps), format: formatFigure },
      { title: `${letters[design]}: p99`, line: medianLineOf(({ p99_ms }) => p99_ms), format: formatMs },
    ];
  });
  const longest = greatest(figures, ({ line }) => line.length)!.line;
  return (
    <Panel title="Over time">
      <details>
        <summary>Medians over the runs</summary>
        <Table
          region="Medians over time, table"
          className="experiment-table"
          rows={longest.map(({ tS }, row) => ({ tS, row }))}
          columns={[
            [`until, ${isVirtual ? 'ms' : 's'}`, ({ tS }) => formatFigure(isVirtual ? tS * 1000 : tS)],
            ...figures.map(({ title, line, format }): Column<{ row: number }> => [
              title,
              ({ row }) => format(line[row]?.value),
            ]),
          ]}
        />
      </details>
    </Panel>
  );
}
