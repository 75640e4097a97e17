import { useMemo } from 'react';

import { formatCompact } from '../../analysis/format';
import { operationsSeries, RATE_TOP_MIN, transactionsSeries } from '../../charts/chart-series';
import { LineChart, type LineSeries } from '../../charts/line-chart';
import { LineLegend } from '../../widgets/legend';
import { Panel } from '../../widgets/panel';
import { useIsVirtual } from '../../widgets/run-time';
import { useExplorer } from '../../widgets/session-context';
import { ChartHost } from './chart-host';
import type { ChartReadings } from './chart-readings';

const formatRateTick = (value: number) => (value === 0 ? '0' : `${formatCompact(value)}/s`);

const rateChartCreator = (series: LineSeries[], readings: ChartReadings) => (host: HTMLElement) =>
  new LineChart(host, {
    series,
    y: { kind: 'rate', topMin: RATE_TOP_MIN },
    format: formatRateTick,
    hasMarkLabels: true,
    readings: readings.rates,
  });

/** Shows throughput over run time, with a mark for each change. */
export function ThroughputPanel({ readings, describedBy }: { readings: ChartReadings; describedBy: string }) {
  const { operation, operations_are_drawn } = useExplorer((state) => state.scenario.manifest.unit_of_work);
  const series = useMemo(
    () => (operations_are_drawn ? [transactionsSeries, operationsSeries] : [transactionsSeries]),
    [operations_are_drawn],
  );
  const isVirtual = useIsVirtual();
  const createRateChart = useMemo(() => rateChartCreator(series, readings), [series, readings]);
  const names = ['transactions/s', `${operation}s/s`];
  return (
    <Panel
      title="Throughput"
      remark={isVirtual ? 'per second of virtual time' : 'per second'}
      note={<LineLegend series={series} names={names} />}
      className="chart-panel chart-panel-marks"
    >
      <ChartHost
        title="Throughput"
        describedBy={describedBy}
        label={`${operations_are_drawn ? `Transactions and ${operation}s` : 'Transactions'} per ${isVirtual ? 'virtual second over virtual time' : 'second over run time'}`}
        create={createRateChart}
      />
    </Panel>
  );
}

const KEYS =
  'Left and right arrows: move one row, with Shift ten. Home and End: first and last row. Page Up and Page Down: next and previous mark. Plus and minus: zoom. 0: reset zoom. Escape: leave.';

/** Describes the keys of a chart to screen readers. */
export const ChartKeys = ({ id }: { id: string }) => (
  <p id={id} className="visually-hidden">
    {KEYS}
  </p>
);
