import { useId } from 'react';

import { DASH, durationUnit, formatFigure, formatWhole } from '../../analysis/format';
import { momentFormat } from '../../charts/axes';
import { chartPicture, type ChartPicture } from '../../session/chart-picture';
import { spacedRows } from '../../charts/chart-viewport';
import type { HistoryColumn } from '../../recording/history';
import type { RunMark } from '../../recording/run-marks';
import { describeMark } from '../../session/log';
import { clockStepShown, type ExplorerState } from '../../session/store';
import { readingsShown, type ChartReading } from './chart-readings';
import { useExplorer, useInFrame, useSession } from '../../widgets/session-context';

const ROWS_MAX = 60;

/** Renders the moments that the charts show as rows. */
export default function ChartValues() {
  const session = useSession();
  const titleId = useId();
  // Does not subscribe to the history, which changes faster than anyone can read.
  useInFrame(({ live }) => live);
  useExplorer(({ run_state }) => run_state);
  useExplorer(({ chart }) => chart);
  const state = session.store.getState();
  const picture = chartPicture(session);
  const rows = spacedRows(picture.history, picture.range, ROWS_MAX);
  if (rows.length === 0) return <p className="muted">No values yet. Run to record some.</p>;
  const columns = tableColumns(state, picture, rows);
  return (
    <div className="chart-table-area" role="region" aria-labelledby={titleId} tabIndex={0}>
      <table className="values">
        <caption id={titleId}>{rows.length} evenly spaced samples of the visible range</caption>
        <thead>
          <tr>
            {columns.map(({ title }) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
            <th scope="col">marks</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, i) => (
            <tr key={row}>
              {columns.map(({ title, cell }, column) =>
                column === 0 ? (
                  <th key={title} scope="row">
                    {cell(row)}
                  </th>
                ) : (
                  <td key={title}>{cell(row)}</td>
                ),
              )}
              <td className="values-marks">{marksUpTo(row, rows[i - 1], picture)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface TableColumn {
  /** Contains the unit. */
  title: string;
  cell: (row: number) => string;
}

function tableColumns(state: ExplorerState, picture: ChartPicture, rows: readonly number[]): TableColumn[] {
  const { history, range, isVirtual } = picture;
  const { rates, latencies, shares } = readingsShown(state, picture);
  const { unit, figure } = momentFormat(range, isVirtual);
  const latencyUnit = durationUnit(smallestOf(picture, rows, 'p50_ns'));
  const clockStepNs = clockStepShown(state) ?? 0;
  const columnOf =
    (suffix: string, write: (value: number) => string) =>
    ({ column, name }: ChartReading): TableColumn => ({
      title: `${name}${suffix}`,
      cell: (row) => {
        const value = history.column(column)[row]!;
        return Number.isNaN(value) ? DASH : write(value);
      },
    });
  const writeLatency = (valueNs: number) =>
    valueNs < clockStepNs
      ? `< ${formatFigure(clockStepNs / latencyUnit.ns)}`
      : formatFigure(valueNs / latencyUnit.ns);
  return [
    { title: `time, ${unit}`, cell: (row) => figure(history.column('t_s')[row]!) },
    ...rates.map(columnOf('/s', formatWhole)),
    ...latencies.map(columnOf(`, ${latencyUnit.unit}`, writeLatency)),
    ...shares.map(columnOf(', %', (share) => (share * 100).toFixed(1))),
  ];
}

function smallestOf({ history }: ChartPicture, rows: readonly number[], column: HistoryColumn): number {
  const values = rows.map((row) => history.column(column)[row]!).filter((value) => !Number.isNaN(value));
  return values.length === 0 ? DEFAULT_LATENCY_NS : Math.min(...values);
}

/** Selects milliseconds for the header of a column without latencies. */
const DEFAULT_LATENCY_NS = 1e6;

/**
 * Returns the marks since the row above. For the first row, returns the marks before it in this
 * part of the run.
 */
function marksUpTo(
  row: number,
  rowAbove: number | undefined,
  { history, marks, range }: ChartPicture,
): string {
  const times = history.column('t_s');
  const afterS = rowAbove === undefined ? range.fromS : times[rowAbove]!;
  const isLast = row === history.length - 1;
  const isTold = ({ run_ns }: RunMark) => run_ns / 1e9 > afterS && (isLast || run_ns / 1e9 <= times[row]!);
  return marks
    .filter(isTold)
    .map((mark) => describeMark(mark).text)
    .join('; ');
}
