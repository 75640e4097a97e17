import { DASH, formatLatencyNs, formatShare, formatWhole } from '../../analysis/format';
import { knownStates } from '../../contract/time-shares';
import { momentText } from '../../charts/axes';
import { latencyNames, latencySeries } from '../../charts/chart-series';
import type { Reading } from '../../charts/readout';
import type { ChartPicture } from '../../session/chart-picture';
import { marksAtRow, nearestRow } from '../../charts/chart-viewport';
import { describeMark } from '../../session/log';
import type { Manifest } from '../../contract/manifest';
import { clockStepShown, type ExplorerState } from '../../session/store';
import { stateName } from '../../widgets/state-names';

/** The name and the format of a column's values. */
export type ChartReading = Pick<Reading, 'column' | 'name' | 'format'>;

/** The readings of the three charts, each in the order of its legend. */
export interface ChartReadings {
  rates: ChartReading[];
  latencies: ChartReading[];
  shares: ChartReading[];
}

const formatPerSecond = (value: number) => (Number.isNaN(value) ? DASH : `${formatWhole(value)}/s`);

export function chartReadings(
  { unit_of_work }: Pick<Manifest, 'unit_of_work'>,
  clockStepNs: number | null,
  isModeled: boolean,
): ChartReadings {
  const { operation, operations_are_drawn } = unit_of_work;
  const rates: ChartReading[] = [
    { column: 'transactions_per_s', name: 'transactions', format: formatPerSecond },
    { column: 'operations_per_s', name: `${operation}s`, format: formatPerSecond },
  ];
  return {
    rates: operations_are_drawn ? rates : rates.slice(0, 1),
    latencies: latencySeries.map(({ column }, i) => ({
      column,
      name: latencyNames[i]!,
      format: (value) => formatLatencyNs(value, clockStepNs),
    })),
    shares: knownStates(isModeled).map((state) => ({
      column: state,
      name: stateName(state, isModeled),
      format: formatShare,
    })),
  };
}

export const readingsShown = (
  state: ExplorerState,
  { isVirtual }: Pick<ChartPicture, 'isVirtual'>,
): ChartReadings => chartReadings(state.scenario.manifest, clockStepShown(state), isVirtual);

/** Describes all values and marks at a moment; returns null if there are none. */
export function momentInWords(
  { history, range, isVirtual, marks }: ChartPicture,
  tS: number,
  { scenario, ...state }: ExplorerState,
): string | null {
  const times = history.column('t_s');
  const row = nearestRow(times, range, tS);
  if (row === null) return null;
  const { rates, latencies, shares } = readingsShown({ scenario, ...state }, { isVirtual });
  const groups = [rates, latencies, shares].map((readings) =>
    readings.map(({ column, name, format }) => `${name} ${format(history.column(column)[row]!)}`).join(', '),
  );
  const happened = marksAtRow(times, row, marks, ({ run_ns }) => run_ns / 1e9);
  const events = happened.map((mark) => describeMark(mark).text);
  return [`${momentText(times[row]!, range, isVirtual)}: ${groups.join('; ')}`, ...events].join('. ');
}
