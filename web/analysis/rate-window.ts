// The one rule for the time over which a rate is taken: tiles, tables, Reported, points of lines, phases, Compare and Sweep.
import { bisectLeft, bisectRight } from 'd3-array';

type Numbers = readonly number[] | Float64Array;

/** All transactions that had ended at some moments of a run, oldest first. */
export interface Totals {
  t_s: Numbers;
  transactions: Numbers;
}

/** A rate looks at so many transactions of each client at the least, on average. */
const TRANSACTIONS_OF_EACH_CLIENT = 3;
/** And at so many of all clients, where there are as many: with fewer there is no 99th percentile. */
const TRANSACTIONS_MIN = 100;

interface RateWindowOptions {
  /** The first reading since the last mark, or of the run. */
  first: number;
  /** The reading at which the window ends. */
  last: number;
  /** Each has one transaction under way. */
  clients: number;
  /** At least so much run time is looked back on, where there is as much. */
  wanted_s: number;
}

export interface RateWindow {
  /** The reading at which it begins. */
  from: number;
  /** Each client has ended what it had begun before the mark, and a few more. */
  is_settled: boolean;
}

/**
 * 1. No window reaches across a mark.
 * 2. What clients had begun before the mark is left out: a window begins when as many transactions have ended since the mark as
 *    there are clients. If that takes more than half of the time since the mark, they count too.
 * 3. A window is at least as long as the clients took for their last three transactions each, and for a hundred in all.
 * 4. It is a whole number of transactions long. Clients that began together end together, and a window of one and a half
 *    transactions would find one such burst or two.
 *
 * While there is not as much as 2. and 3. ask for, all since the mark is taken, as far as it is a whole number of transactions
 * long, and the rate has not settled.
 */
export function rateWindow(totals: Totals, options: RateWindowOptions): RateWindow {
  const settled = settledFrom(totals, options);
  const begin = settled ?? options.first;
  const { from, has_enough } = windowFrom(totals, { ...options, begin });
  if (!has_enough) return { from: wholeTransactionsFrom(totals, { ...options, begin }), is_settled: false };
  return { from, is_settled: settled !== null };
}

/** Rule 4 where each client has ended a transaction or two since `begin`; `begin` itself where none has. */
function wholeTransactionsFrom(
  { t_s, transactions }: Totals,
  { begin, last, clients }: { begin: number; last: number; clients: number },
): number {
  const of_each_client = Math.floor((transactions[last]! - transactions[begin]!) / clients);
  if (of_each_client === 0) return begin;
  const ended = bisectLeft(transactions, transactions[begin]! + of_each_client * clients, begin, last + 1);
  const span_s = wholeMultiple({
    of_s: (t_s[ended]! - t_s[begin]!) / of_each_client,
    wanted_s: Number.POSITIVE_INFINITY,
    available_s: t_s[last]! - t_s[begin]!,
  });
  return Math.min(Math.max(begin, lastReadingUpTo(t_s, t_s[last]! - span_s)), last - 1);
}

/** Rule 2: the reading by which each client has ended what it had begun before `first`; null if it takes too long. */
export function settledFrom(
  { t_s, transactions }: Totals,
  { first, last, clients }: Omit<RateWindowOptions, 'wanted_s'>,
): number | null {
  const settled = bisectLeft(transactions, transactions[first]! + clients, first + 1, last + 1);
  return settled < last && t_s[settled]! - t_s[first]! <= (t_s[last]! - t_s[first]!) / 2 ? settled : null;
}

/** Rules 3 and 4: a window from `begin` on at the earliest, and whether there is as much as they ask for. */
export function windowFrom(
  { t_s, transactions }: Totals,
  { begin, last, clients, wanted_s }: Omit<RateWindowOptions, 'first'> & { begin: number },
): { from: number; has_enough: boolean } {
  const few_s = lastTransactions_s({ t_s, transactions }, begin, last, clients);
  if (few_s === null) return { from: begin, has_enough: false };
  const transaction_s = few_s / TRANSACTIONS_OF_EACH_CLIENT;
  const least = Math.max(TRANSACTIONS_OF_EACH_CLIENT, TRANSACTIONS_MIN / clients);
  const span_s = wholeMultiple({
    of_s: transaction_s,
    wanted_s: Math.max(wanted_s, least * transaction_s),
    available_s: t_s[last]! - t_s[begin]!,
  });
  const from = lastReadingUpTo(t_s, t_s[last]! - span_s);
  return { from: Math.min(Math.max(begin, from), last - 1), has_enough: true };
}

const ROUNDING = 1e-6;

/** Of a transaction. Where that is shorter than the time between two readings, it does not matter. */
function wholeMultiple(times: { of_s: number; wanted_s: number; available_s: number }): number {
  const { of_s, wanted_s, available_s } = times;
  if (of_s === 0) return Math.min(wanted_s, available_s);
  const most = Math.floor(available_s / of_s + ROUNDING);
  return Math.min(Math.ceil(wanted_s / of_s - ROUNDING), most) * of_s;
}

/**
 * How long the clients took for their last few transactions each, until the last one that ended; null if there are not as many.
 * Where everything stands since then, that is not of their length.
 */
function lastTransactions_s(
  { t_s, transactions }: Totals,
  begin: number,
  last: number,
  clients: number,
): number | null {
  const few = TRANSACTIONS_OF_EACH_CLIENT * clients;
  const done = transactions[last]!;
  if (done - transactions[begin]! < few) return null;
  const ended = bisectLeft(transactions, done, begin, last + 1);
  const began = bisectLeft(transactions, done - few, begin, last + 1);
  return t_s[ended]! - t_s[began]!;
}

/** Readings come a little later than the moments that they stand for. */
const ROUNDING_S = 1e-9;

export const lastReadingUpTo = (times: Numbers, t_s: number) => bisectRight(times, t_s + ROUNDING_S) - 1;

export const firstReadingFrom = (times: Numbers, t_s: number) => bisectLeft(times, t_s - ROUNDING_S);
