import { expect, test } from 'vitest';

import { History, historyColumns, type HistoryRow } from '../recording/history';
import { ShareChart } from './share-chart';

const noRow = Object.fromEntries(historyColumns.map((name) => [name, null])) as HistoryRow;
const inPercent = (share: number) => `${(share * 100).toFixed(1)} %`;

test('a low chart need not tell of shares that are written as nothing', () => {
  const history = new History();
  history.append({ ...noRow, t_s: 1, running: 0.9996, waiting: 0.0004, sleeping: 0 });
  const host = document.body.appendChild(document.createElement('div'));
  const columns = ['running', 'waiting', 'sleeping'] as const;
  const chart = new ShareChart(
    host,
    columns.map((column) => ({ column, color: '--ink', texture: 'plain' })),
    columns.map((name) => ({ name, format: inPercent })),
  );
  chart.draw({ history, range: { fromS: 0, toS: 1 }, isVirtual: true, marks: [] });
  chart.point({ tS: 1, brush: null });
  const untold = [...host.querySelectorAll('.readout-line[data-is-nothing]')];
  expect(untold.map((line) => line.textContent)).toEqual(['waiting0.0 %', 'sleeping0.0 %']);
  expect(host.querySelector('.readout')).toHaveTextContent('running100.0 %');
  chart.destroy();
});
