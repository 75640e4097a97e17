import { expect, test, vi } from 'vitest';

import { History, historyColumns, type HistoryRow } from './history';

function rowAt(tS: number, transactionsPerS: number | null): HistoryRow {
  const nothing = Object.fromEntries(historyColumns.map((name) => [name, null])) as HistoryRow;
  return { ...nothing, t_s: tS, transactions_per_s: transactionsPerS };
}

test('what is not known is a gap', () => {
  const history = new History();
  history.append(rowAt(1, 10));
  history.append(rowAt(2, null));
  expect([...history.column('transactions_per_s')]).toEqual([10, Number.NaN]);
  expect(history.endS).toBe(2);
});

test('a gap ends the lines where they are', () => {
  const history = new History();
  history.appendGap();
  expect(history.length).toBe(0);
  history.append({ ...rowAt(1, 10), transactions: 7 });
  history.appendGap();
  expect([...history.column('t_s')]).toEqual([1, 1]);
  expect([...history.column('transactions')]).toEqual([7, 7]);
  expect(history.column('transactions_per_s')[1]).toBeNaN();
});

test('a long run stays whole: its rows get sparser, the largest of what they stood for and the gaps stay', () => {
  const history = new History();
  for (let i = 0; i < 12_000; i += 1)
    history.append({ ...rowAt(i, i === 100 ? null : i), max_ns: i === 6 ? 99 : 1 });
  expect(history.length).toBe(12_000);
  history.append(rowAt(12_000, 12_000));
  expect([history.length, history.column('t_s')[0], history.endS]).toEqual([6002, 1, 12_000]);
  expect([...history.column('max_ns').subarray(2, 5)]).toEqual([1, 99, 1]);
  expect(
    [...history.column('t_s')].filter((_, row) => Number.isNaN(history.column('transactions_per_s')[row]!)),
  ).toEqual([100]);
});

test('tells those who listen', () => {
  const history = new History();
  const listener = vi.fn();
  const unsubscribe = history.subscribe(listener);
  history.append(rowAt(1, 10));
  history.clear();
  unsubscribe();
  history.append(rowAt(1, 10));
  expect(listener).toHaveBeenCalledTimes(2);
});

test('a copy stays when the history goes on or is cleared', () => {
  const history = new History();
  history.append(rowAt(1, 10));
  const copy = history.copy();
  history.append(rowAt(2, 20));
  history.clear();
  history.append(rowAt(3, 30));
  expect([copy.length, copy.endS, ...copy.column('transactions_per_s')]).toEqual([1, 1, 10]);
});

test('a finished run is shown as a whole, however long it was, and listeners are told once', () => {
  const history = new History();
  const listener = vi.fn();
  history.subscribe(listener);
  history.show(Array.from({ length: 72_000 }, (_, i) => rowAt(i, i)));
  expect([history.length, history.column('t_s')[0], history.endS]).toEqual([72_000, 0, 71_999]);
  expect(listener).toHaveBeenCalledTimes(1);
  history.clear();
  history.append(rowAt(1, 10));
  expect([...history.column('t_s')]).toEqual([1]);
});
