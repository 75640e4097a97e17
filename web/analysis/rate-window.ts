// Defines the time window of every rate: in tiles, tables, reported figures, chart lines, phases,
// Compare and Sweep.
import { bisectLeft, bisectRight } from 'd3-array';

type Numbers = readonly number[] | Float64Array;

/** Transactions that had ended by each of several moments of a run, oldest first. */
export interface Totals {
  t_s: Numbers;
  transactions: Numbers;
}

/** A rate covers at least this many transactions per client, on average. */
const TRANSACTIONS_OF_EACH_CLIENT = 3;
/**
 * A rate covers at least this many transactions in total, if there are as many: a 99th percentile
 * needs them.
 */
const TRANSACTIONS_MIN = 100;

interface RateWindowOptions {
  /** The first reading since the last mark, or of the run. */
  first: number;
  /** The reading at the end of the window. */
  last: number;
  /** Each client has one transaction in progress. */
  clients: number;
  /** Minimum run time of the window, if available. */
  wanted_s: number;
}

export interface RateWindow {
  /** The reading at the beginning of the window. */
  from: number;
  /** Each client has ended the transaction that it had begun before the mark, and a few more. */
  is_settled: boolean;
}

/**
 * Chooses the window of a rate by four rules:
 *
 * 1. No window extends across a mark.
 * 2. Transactions in progress at the mark do not count: the window begins once as many transactions
 *    have ended since the mark as there are clients. If that takes more than half of the time since
 *    the mark, they do count.
 * 3. A window is at least as long as the clients took for their last three transactions each, and
 *    for a hundred in total.
 * 4. A window is a whole number of transactions long. Clients that began together end together, so
 *    a window of one and a half transactions would contain one or two of these bursts.
 *
 * While rules 2 and 3 cannot be met, the window covers the time since the mark, cut to a whole
 * number of transactions. The rate has not settled then.
 */
export function rateWindow(totals: Totals, options: RateWindowOptions): RateWindow {
  const settled = settledFrom(totals, options);
  const begin = settled ?? options.first;
  const { from, has_enough } = windowFrom(totals, { ...options, begin });
  if (!has_enough) return { from: wholeTransactionsFrom(totals, { ...options, begin }), is_settled: false };
  return { from, is_settled: settled !== null };
}

/**
 * Applies rule 4 when each client has ended a transaction or two since `begin`. Returns `begin` if
 * none has.
 */
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

/**
 * Applies rule 2: returns the reading at which each client has ended its transaction from before
 * `first`; null if that takes too long.
 */
export function settledFrom(
  { t_s, transactions }: Totals,
  { first, last, clients }: Omit<RateWindowOptions, 'wanted_s'>,
): number | null {
  const settled = bisectLeft(transactions, transactions[first]! + clients, first + 1, last + 1);
  return settled < last && t_s[settled]! - t_s[first]! <= (t_s[last]! - t_s[first]!) / 2 ? settled : null;
}

/**
 * Applies rules 3 and 4: returns a window that starts at or after `begin`, and whether there is
 * enough time for it.
 */
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

/**
 * Returns a multiple of the transaction time. A time shorter than the interval between readings
 * does not matter.
 */
function wholeMultiple(times: { of_s: number; wanted_s: number; available_s: number }): number {
  const { of_s, wanted_s, available_s } = times;
  if (of_s === 0) return Math.min(wanted_s, available_s);
  const most = Math.floor(available_s / of_s + ROUNDING);
  return Math.min(Math.ceil(wanted_s / of_s - ROUNDING), most) * of_s;
}

/**
 * Returns the time of the clients' last few transactions each, up to the end of the last; null if
 * there are too few. A pause since then does not count.
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

/** Readings come slightly later than their nominal times. */
const ROUNDING_S = 1e-9;

export const lastReadingUpTo = (times: Numbers, t_s: number) => bisectRight(times, t_s + ROUNDING_S) - 1;

export const firstReadingFrom = (times: Numbers, t_s: number) => bisectLeft(times, t_s - ROUNDING_S);
