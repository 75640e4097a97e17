import { expect, test } from 'vitest';

import { History, historyColumns, type HistoryRow } from '../recording/history';
import { drawnRows, extentOf, highestRows, lonelyRows, VisibleRows } from './visible-rows';

function historyOfSeconds(seconds: number): History {
  const history = new History();
  for (let tS = 0; tS < seconds; tS += 1) {
    history.append(Object.fromEntries(historyColumns.map((name) => [name, tS])) as HistoryRow);
  }
  return history;
}

test('a range shows its rows and the one before', () => {
  const rows = new VisibleRows(historyOfSeconds(10), { fromS: 6.5, toS: 20 });
  expect([...rows.column('t_s')]).toEqual([6, 7, 8, 9]);
});

test('the extent leaves gaps out', () => {
  expect(extentOf([new Float64Array([3, Number.NaN, 1]), new Float64Array([2])])).toEqual([1, 3]);
  expect(extentOf([new Float64Array([0, 3, 1])], 0)).toEqual([1, 3]);
  expect(extentOf([])).toEqual([Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]);
});

test('a range in the middle shows one row more on either side, which count for nothing', () => {
  const rows = new VisibleRows(historyOfSeconds(10), { fromS: 3.5, toS: 5.5 });
  expect([...rows.column('t_s')]).toEqual([3, 4, 5, 6]);
  expect([...rows.within('t_s')]).toEqual([4, 5]);
});

test('between two rows both of them count', () => {
  const rows = new VisibleRows(historyOfSeconds(10), { fromS: 3.4, toS: 3.6 });
  expect([...rows.within('t_s')]).toEqual([3, 4]);
});

test('values between gaps are found, for a line would not show them', () => {
  const gap = Number.NaN;
  expect(lonelyRows(new Float64Array([1, gap, 2, gap, 3, 4, gap, 5]))).toEqual([0, 2, 7]);
});

test('a line of few rows goes through all of them', () => {
  expect([...drawnRows(new Float64Array([1, 2, 3]), (row) => row, 100)]).toEqual([0, 1, 2]);
});

test('a line of many rows goes through what a pixel shows of them: ends, lowest, highest, and every gap', () => {
  const values = new Float64Array(1000).fill(5);
  values[120] = 1;
  values[130] = 9;
  values[250] = Number.NaN;
  const rows = [...drawnRows(values, (row) => row / 100, 10)];
  expect(rows.slice(0, 2)).toEqual([0, 99]);
  expect(rows.filter((row) => row >= 100 && row < 200)).toEqual([100, 120, 130, 199]);
  expect(rows.filter((row) => row >= 200 && row < 300)).toEqual([200, 249, 250, 251, 299]);
  expect(rows).toEqual(rows.toSorted((a, b) => a - b));
});

test('of dots that would lie on top of each other the highest is drawn', () => {
  const values = new Float64Array([1, 5, 2, Number.NaN, 4, 3]);
  expect(highestRows(values, (row) => row * 2, 4)).toEqual([1, 2, 4]);
});
