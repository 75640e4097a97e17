// Decides where a line of rates has a gap: where no client has ended a transaction yet.
import type { HistoryRows } from '../recording/history';

/** Rates over run time; NaN is a gap. */
export interface RateLine {
  tS: Float64Array;
  rates: Float64Array;
}

/** Clients that begin together after a change may all take this many times as long as on average. */
const TRANSACTIONS_SHORT = 2;

/**
 * Returns for how long a run without a transaction is no standstill, in seconds. `transactionS`: how
 * long a transaction takes where it takes longest.
 */
export const transactionsShortS = (transactionS: number) => TRANSACTIONS_SHORT * transactionS;

/**
 * Returns the rates, with gaps instead of short times without a transaction: each client is inside one
 * then. A longer time is a standstill.
 */
export function rateLine(rows: HistoryRows, shortS: number): RateLine {
  const tS = rows.column('t_s');
  const rates = rows.column('transactions_per_s').slice();
  for (let row = 0; row < rates.length; row += 1) {
    if (rates[row] !== 0) continue;
    const first = row;
    while (rates[row + 1] === 0) row += 1;
    const seconds = (tS[row + 1] ?? tS[row]!) - (tS[first - 1] ?? 0);
    if (seconds < shortS) rates.fill(Number.NaN, first, row + 1);
  }
  return { tS, rates };
}
