import { useMemo } from 'react';

import { busy_states, type BusyState } from '../analysis/time-shares';
import { formatCompact, formatDuration_ns } from '../analysis/format';
import { LineChart, type LineSeries } from '../charts/line-chart';
import { ShareChart, type ShareBand } from '../charts/share-chart';
import { ChartHost } from './chart-host';
import { CommandButton } from './command-button';
import { BandLegend, LineLegend } from './legend';
import { Panel } from './panel';
import { clockStepShown, missingHere } from '../state/store';
import { useIsVirtual } from './run-time';
import { useExplorer } from './session-context';
import { state_names } from './state-names';

const transactions_series: LineSeries = {
  column: 'transactions_per_s',
  color: '--series-transactions',
  width_px: 2.5,
  dash_px: [],
};
const operations_series: LineSeries = {
  column: 'operations_per_s',
  color: '--series-operations',
  width_px: 2,
  dash_px: [7, 4],
};

const latency_series: LineSeries[] = [
  { column: 'p99_ns', color: '--series-p99', width_px: 2.5, dash_px: [] },
  { column: 'p95_ns', color: '--series-p95', width_px: 2, dash_px: [8, 4] },
  { column: 'p50_ns', color: '--series-p50', width_px: 2, dash_px: [2, 3] },
];
const latency_names = ['p99', 'p95', 'p50'];

const state_textures: Record<BusyState, ShareBand['texture']> = {
  running: 'plain',
  spinning: 'dotted',
  waiting: 'hatched',
  sleeping: 'plain',
  io: 'crossed',
};
const state_bands: ShareBand[] = busy_states.map((state) => ({
  column: state,
  color: `--state-${state}`,
  texture: state_textures[state],
}));

const rateChartCreator = (series: LineSeries[]) => (host: HTMLElement) =>
  new LineChart(host, {
    series,
    y: { kind: 'linear', top_min: 100 },
    format: formatCompact,
    has_mark_labels: true,
  });

const latencyChartCreator = (clock_step_ns: number) => (host: HTMLElement) =>
  new LineChart(host, {
    series: latency_series,
    y: { kind: 'log', empty: [1e3, 1e7], floor: clock_step_ns },
    format: formatDuration_ns,
    has_mark_labels: false,
  });

const createStateChart = (host: HTMLElement) => new ShareChart(host, state_bands);

/** Three charts on one time axis: run time, pauses left out. */
export function ChartsPanel() {
  const clock_step_ns = useExplorer(clockStepShown);
  const is_virtual = useIsVirtual();
  const time = is_virtual ? 'virtual time' : 'run time';
  const createLatencyChart = useMemo(() => latencyChartCreator(clock_step_ns ?? 1), [clock_step_ns]);
  return (
    <div className="charts">
      <ThroughputPanel />
      <Panel
        title="Latency"
        remark={is_virtual ? 'log scale, exact' : `log scale, clock step ${formatDuration_ns(clock_step_ns)}`}
        note={<LineLegend series={latency_series} names={latency_names} />}
        className="chart-panel"
      >
        <ChartHost
          label={`Percentiles of transaction latency over ${time}, logarithmic`}
          create={createLatencyChart}
        />
      </Panel>
      <Panel
        title="Clients’ time"
        note={<BandLegend bands={state_bands} names={busy_states.map((state) => state_names[state])} />}
        className="chart-panel"
      >
        <ChartHost
          label={`What clients spend their time on, over ${time}, in percent`}
          create={createStateChart}
        />
      </Panel>
      <Invitation />
    </div>
  );
}

function ThroughputPanel() {
  const { operation, operations_are_drawn } = useExplorer((state) => state.scenario.manifest.unit_of_work);
  const series = useMemo(
    () => (operations_are_drawn ? [transactions_series, operations_series] : [transactions_series]),
    [operations_are_drawn],
  );
  const is_virtual = useIsVirtual();
  const createRateChart = useMemo(() => rateChartCreator(series), [series]);
  const names = ['transactions/s', `${operation}s/s`];
  return (
    <Panel
      title="Throughput"
      remark={is_virtual ? 'per virtual second' : undefined}
      note={<LineLegend series={series} names={names} />}
      className="chart-panel chart-panel-marks"
    >
      <ChartHost
        label={`${operations_are_drawn ? `Transactions and ${operation}s` : 'Transactions'} per ${is_virtual ? 'virtual second over virtual time' : 'second over run time'}`}
        create={createRateChart}
      />
    </Panel>
  );
}

/** Before the first run: what to press, and what will happen. */
function Invitation() {
  const is_shown = useExplorer((state) => state.spec === null && missingHere(state).length === 0);
  const threads = useExplorer((state) => state.draft.threads);
  const transaction = useExplorer((state) => state.scenario.manifest.unit_of_work.transaction);
  const is_virtual = useIsVirtual();
  if (!is_shown) return null;
  return (
    <div className="invitation">
      <CommandButton command="run.start" className="button-main button-large">
        {is_virtual ? 'Run it on the virtual server' : 'Run it on this machine'}
      </CommandButton>
      <p>
        {threads} client threads, each transaction {transaction}. Then flip the lock design and watch.
      </p>
    </div>
  );
}
