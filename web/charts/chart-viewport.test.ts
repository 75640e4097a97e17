import { describe, expect, test } from 'vitest';

import {
  marksAtRow,
  nearestRow,
  rowOfMark,
  rowsWithin,
  scaledAround,
  spacedRows,
  stepMarks,
  stepRows,
  wholeRange,
  zoomTo,
} from './chart-viewport';
import { History, historyColumns, type HistoryRow } from '../recording/history';

const times = new Float64Array([1, 2, 3, 4, 5]);
/** The page took no sample between 2 and 4 s: a row of unknown values ends the lines at 2 s. */
const timesWithGap = new Float64Array([1, 2, 2, 4, 5]);
const all = { fromS: 0, toS: 10 };

function historyAt(timesS: readonly number[]): History {
  const history = new History();
  for (const tS of timesS) {
    history.append(Object.fromEntries(historyColumns.map((name) => [name, tS])) as HistoryRow);
  }
  return history;
}

describe('the row that is pointed at', () => {
  test('of a range are those from its start to its end', () => {
    expect(rowsWithin(times, { fromS: 2, toS: 4 })).toEqual({ first: 1, end: 4 });
    expect(rowsWithin(times, { fromS: 2.1, toS: 2.9 })).toEqual({ first: 2, end: 2 });
  });

  test.each([
    [-1, 0],
    [2.4, 1],
    [2.5, 1],
    [2.6, 2],
    [99, 4],
  ])('%d s: row %d', (tS, row) => {
    expect(nearestRow(times, all, tS)).toBe(row);
  });

  test('is one that the range shows', () => {
    expect(nearestRow(times, { fromS: 2, toS: 4 }, 0)).toBe(1);
    expect(nearestRow(times, { fromS: 2, toS: 4 }, 9)).toBe(3);
    expect(nearestRow(times, { fromS: 2.1, toS: 2.9 }, 2.5)).toBeNull();
  });

  test('is not the row of a gap', () => {
    expect(nearestRow(timesWithGap, all, 2.1)).toBe(1);
  });
});

describe('steps of the crosshair', () => {
  test.each([
    [3, 1, 4],
    [3, -1, 2],
    [3, 10, 5],
    [3, -10, 1],
    [null, 1, 1],
    [null, -1, 5],
  ])('from %s s by %d rows: %d s', (tS, rows, expectedS) => {
    expect(stepRows(times, all, tS, rows)).toBe(expectedS);
  });

  test('pass a gap in both directions', () => {
    expect(stepRows(timesWithGap, all, 2, 1)).toBe(4);
    expect(stepRows(timesWithGap, all, 2, -1)).toBe(1);
  });

  test('stay within the range, and come back into it', () => {
    const range = { fromS: 2, toS: 4 };
    expect(stepRows(times, range, 4, 1)).toBe(4);
    expect(stepRows(times, range, 1, 1)).toBe(2);
  });

  test('go nowhere where there are no rows', () => {
    expect(stepRows(new Float64Array(), all, null, 1)).toBeNull();
  });
});

describe('marks', () => {
  const marksS = [0.5, 2.5, 3, 7];
  const at = (row: number) => marksAtRow(times, row, marksS, (markS) => markS);

  test('are told at the first row after them, the last row tells all that come later', () => {
    expect([0, 1, 2, 3, 4].map(at)).toEqual([[0.5], [], [2.5, 3], [], [7]]);
    expect(marksS.map((markS) => rowOfMark(times, markS))).toEqual([0, 2, 2, 4]);
    expect(rowOfMark(new Float64Array(), 1)).toBeNull();
  });

  test.each([
    [null, 1, 1],
    [1, 1, 3],
    [3, 1, 5],
    [5, 1, null],
    [null, -1, 5],
    [5, -1, 3],
    [2, -1, 1],
  ] as const)('from %s s in direction %d: %s s', (tS, direction, expectedS) => {
    expect(stepMarks(times, all, tS, marksS, direction)).toBe(expectedS);
  });

  test('beyond the range are not gone to', () => {
    expect(stepMarks(times, { fromS: 0, toS: 4 }, 3, marksS, 1)).toBeNull();
  });
});

describe('rows of the table', () => {
  test('are all of the range while they are few', () => {
    expect(spacedRows(historyAt([1, 2, 3, 4]), { fromS: 2, toS: 9 }, 60)).toEqual([1, 2, 3]);
  });

  test('are evenly spaced with the first and the last among them', () => {
    const history = historyAt(Array.from({ length: 101 }, (_, i) => i));
    expect(spacedRows(history, { fromS: 0, toS: 100 }, 5)).toEqual([0, 25, 50, 75, 100]);
  });

  test('leave gaps out', () => {
    const history = historyAt([1, 2]);
    history.appendGap();
    expect(spacedRows(history, all, 60)).toEqual([0, 1]);
  });
});

describe('zoom', () => {
  const whole = { fromS: 0, toS: 100 };

  test('keeps its anchor where it is', () => {
    const half = scaledAround(whole, 25, 0.5);
    expect(half).toEqual({ fromS: 12.5, toS: 62.5 });
    expect(scaledAround(half, 25, 2)).toEqual(whole);
  });

  test('stays within the run, and keeps its length there', () => {
    expect(zoomTo({ fromS: -10, toS: 20 }, whole, whole)).toEqual({ fromS: 0, toS: 30 });
    expect(zoomTo({ fromS: 90, toS: 110 }, whole, whole)).toEqual({ fromS: 80, toS: 100 });
  });

  test('is no deeper than can be told apart', () => {
    expect(zoomTo({ fromS: 50, toS: 50 }, whole, whole)).toEqual({ fromS: 49.975, toS: 50.025 });
  });

  test('takes a range that was drawn from right to left', () => {
    expect(zoomTo({ fromS: 60, toS: 40 }, whole, whole)).toEqual({ fromS: 40, toS: 60 });
  });

  test('is none where the charts show that much by themselves', () => {
    expect(zoomTo({ fromS: -50, toS: 150 }, whole, whole)).toBeNull();
  });

  test('shows the whole run where the charts show its end', () => {
    const byItself = { fromS: 70, toS: 100 };
    expect(wholeRange(historyAt([99]), byItself)).toEqual(whole);
    expect(zoomTo({ fromS: -50, toS: 150 }, whole, byItself)).toEqual(whole);
    expect(zoomTo(byItself, whole, byItself)).toBeNull();
  });
});
