// Defines the time window of every rate: in tiles, tables, reported figures, chart lines, phases,
// Compare and Sweep.
import { bisectLeft, bisectRight } from 'd3-array';

type Numbers = readonly number[] | Float64Array;

/** Transactions that had ended by each of several moments of a run, oldest first. */
export interface Totals {
  tS: Numbers;
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
  wantedS: number;
}

interface RateWindow {
  /** The reading at the beginning of the window. */
  from: number;
  /** Each client has ended the transaction that it had begun before the mark, and a few more. */
  isSettled: boolean;
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
  const { from, hasEnough } = windowFrom(totals, { ...options, begin });
  if (!hasEnough) return { from: wholeTransactionsFrom(totals, { ...options, begin }), isSettled: false };
  return { from, isSettled: settled !== null };
}

/**
 * Applies rule 4 when each client has ended a transaction or two since `begin`. Returns `begin` if
 * none has.
 */
function wholeTransactionsFrom(
  { tS, transactions }: Totals,
  { begin, last, clients }: { begin: number; last: number; clients: number },
): number {
  const ofEachClient = Math.floor((transactions[last]! - transactions[begin]!) / clients);
  if (ofEachClient === 0) return begin;
  const ended = bisectLeft(transactions, transactions[begin]! + ofEachClient * clients, begin, last + 1);
  const spanS = wholeMultiple({
    ofS: (tS[ended]! - tS[begin]!) / ofEachClient,
    wantedS: Number.POSITIVE_INFINITY,
    availableS: tS[last]! - tS[begin]!,
  });
  return Math.min(Math.max(begin, lastReadingUpTo(tS, tS[last]! - spanS)), last - 1);
}

/**
 * Applies rule 2: returns the reading at which each client has ended its transaction from before
 * `first`; null if that takes too long.
 */
export function settledFrom(
  { tS, transactions }: Totals,
  { first, last, clients }: Omit<RateWindowOptions, 'wantedS'>,
): number | null {
  const settled = bisectLeft(transactions, transactions[first]! + clients, first + 1, last + 1);
  return settled < last && tS[settled]! - tS[first]! <= (tS[last]! - tS[first]!) / 2 ? settled : null;
}

/**
 * Applies rules 3 and 4: returns a window that starts at or after `begin`, and whether there is
 * enough time for it.
 */
export function windowFrom(
  { tS, transactions }: Totals,
  { begin, last, clients, wantedS }: Omit<RateWindowOptions, 'first'> & { begin: number },
): { from: number; hasEnough: boolean } {
  const fewS = lastTransactionsS({ tS, transactions }, begin, last, clients);
  if (fewS === null) return { from: begin, hasEnough: false };
  const transactionS = fewS / TRANSACTIONS_OF_EACH_CLIENT;
  const least = Math.max(TRANSACTIONS_OF_EACH_CLIENT, TRANSACTIONS_MIN / clients);
  const spanS = wholeMultiple({
    ofS: transactionS,
    wantedS: Math.max(wantedS, least * transactionS),
    availableS: tS[last]! - tS[begin]!,
  });
  const from = lastReadingUpTo(tS, tS[last]! - spanS);
  return { from: Math.min(Math.max(begin, from), last - 1), hasEnough: true };
}

const ROUNDING = 1e-6;

/**
 * Returns a multiple of the transaction time. A time shorter than the interval between readings
 * does not matter.
 */
function wholeMultiple(times: { ofS: number; wantedS: number; availableS: number }): number {
  const { ofS, wantedS, availableS } = times;
  if (ofS === 0) return Math.min(wantedS, availableS);
  const most = Math.floor(availableS / ofS + ROUNDING);
  return Math.min(Math.ceil(wantedS / ofS - ROUNDING), most) * ofS;
}

/**
 * Returns the time of the clients' last few transactions each, up to the end of the last; null if
 * there are too few. A pause since then does not count.
 */
function lastTransactionsS(
  { tS, transactions }: Totals,
  begin: number,
  last: number,
  clients: number,
): number | null {
  const few = TRANSACTIONS_OF_EACH_CLIENT * clients;
  const done = transactions[last]!;
  if (done - transactions[begin]! < few) return null;
  const ended = bisectLeft(transactions, done, begin, last + 1);
  const began = bisectLeft(transactions, done - few, begin, last + 1);
  return tS[ended]! - tS[began]!;
}

/** Readings come slightly later than their nominal times. */
const ROUNDING_S = 1e-9;

export const lastReadingUpTo = (times: Numbers, tS: number) => bisectRight(times, tS + ROUNDING_S) - 1;

export const firstReadingFrom = (times: Numbers, tS: number) => bisectLeft(times, tS - ROUNDING_S);
