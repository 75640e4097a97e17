// Computes a reported figure from a run result. Each measure takes a run result and the figure's `measure`. A
// measure that finds nothing to measure throws, because a misspelt name must not come out as 0.
import { median } from 'd3-array';

/** The intervals of a run that lie entirely between from_s and to_s. Without limits, all of them. */
function intervalsOf(result, { from_s = 0, to_s = Infinity }) {
  const slack_s = 1e-6;
  let began_s = 0;
  return result.intervals.filter((interval) => {
    const isInside = began_s >= from_s - slack_s && interval.t_s <= to_s + slack_s;
    interval.seconds = interval.t_s - began_s;
    began_s = interval.t_s;
    return isInside;
  });
}

/** Mean over the intervals, weighted by their transactions (rates: by time). */
function weighted(intervals, value, weight) {
  const total = intervals.reduce((sum, interval) => sum + weight(interval), 0);
  return intervals.reduce((sum, interval) => sum + value(interval) * weight(interval), 0) / total;
}

const meanRate = (result, measure, value) =>
  weighted(intervalsOf(result, measure), value, ({ seconds }) => seconds);

function counterOf({ counters }, name) {
  if (!(name in counters)) throw new Error(`measure: got "${name}"; allowed: a counter of the engine`);
  return counters[name];
}

/** The rows of the latch table. At least one must match. */
function latchRows({ latches }, { latch, site }) {
  const rows = latches.filter((row) => row.latch === latch && (site === undefined || row.site === site));
  if (rows.length === 0)
    throw new Error(`measure: got ${JSON.stringify({ latch, site })}; allowed: a latch that the run takes`);
  return rows;
}

/**
 * How long counters and latches have counted: they have also what clients finished after the end of the run. Files of older
 * engines have that in all figures.
 */
const counted_s = ({ totals, drain }) => totals.seconds + (drain?.seconds ?? 0);

const sumOf = (rows, field) => rows.reduce((sum, row) => sum + row[field], 0);

/**
 * For measures that look at a run several times: what each look found. The measure of the same name is the
 * median.
 */
export const SAMPLES = {
  threads_at_stack: ({ stack_samples }, { frames: all, any_of, without: none = [] }) => {
    const isMeant = ({ frames }) =>
      all.every((name) => frames.includes(name)) &&
      (any_of === undefined || any_of.some((name) => frames.includes(name))) &&
      !none.some((name) => frames.includes(name));
    return stack_samples.map(({ stacks }) => sumOf(stacks.filter(isMeant), 'threads'));
  },
};

export const MEASURES = {
  /** `times` is the factor to multiply by if a transaction of the run does less than the report's. */
  tps: (result, measure) => (measure.times ?? 1) * meanRate(result, measure, ({ tps }) => tps),
  /** SELECTs, or statements that write, as sysbench's interval lines count them. */
  queries_per_second: (result, measure) =>
    meanRate(result, measure, ({ queries_per_s }) => queries_per_s[measure.of]),
  latency_ms: (result, measure) =>
    measure.from_s === undefined
      ? result.totals.latency_ms[measure.of]
      : weighted(
          intervalsOf(result, measure).filter(({ tps }) => tps > 0),
          ({ latency_ms }) => latency_ms[measure.of],
          ({ seconds, tps }) => seconds * tps,
        ),
  counter_per_second: (result, { counter }) => counterOf(result, counter) / counted_s(result),
  requests_per_second: (result) =>
    (counterOf(result, 'queries_read') + counterOf(result, 'queries_write')) / counted_s(result),
  acquisitions_per: (result, { latch, site, counter }) =>
    sumOf(latchRows(result, { latch, site }), 'acquisitions') / counterOf(result, counter),
  counter: (result, { counter }) => counterOf(result, counter),
  counter_per: (result, { counter, per }) => counterOf(result, counter) / counterOf(result, per),
  /** Seconds of a counter in microseconds, per count of another counter. */
  counter_seconds: (result, { counter, per }) => counterOf(result, counter) / 1e6 / counterOf(result, per),
  /** CPU time, from a counter in nanoseconds, as a share of one core's time. */
  core_percent: (result, { counter }) => counterOf(result, counter) / (counted_s(result) * 1e7),
  /** Share of the run during which somebody holds the latch. */
  held_percent: (result, { latch }) =>
    sumOf(latchRows(result, { latch }), 'hold_ns') / (counted_s(result) * 1e7),
  /** Share of the clients' time over the whole run. */
  line_stall_percent: (result, { latch }) =>
    sumOf(latchRows(result, { latch }), 'line_stall_ns') / (result.spec.threads * counted_s(result) * 1e7),
  bucket_spin_percent: ({ model }) => (100 * model.bucket_spin_ps) / model.busy_ps,
  /** Time until transactions at this rate have filled a binary log of 1 GiB. */
  seconds_to_fill_1_gib: (result, measure) =>
    2 ** 30 /
    ((counterOf(result, 'binlog_bytes_written') / counterOf(result, 'commits')) *
      MEASURES.tps(result, measure)),
  /**
   * How many segments, of all, a poster searches when it wakes handlers: those for reads and writes, and one
   * each for ibuf and log.
   */
  segments_searched_percent: (result) => {
    const { read_io_threads, write_io_threads } = result.spec.parameters;
    const searched = counterOf(result, 'handler_wake_calls') / counterOf(result, 'handler_wake_rounds');
    return (100 * searched) / (read_io_threads + write_io_threads + 2);
  },
  longest_query_time: ({ log }) =>
    Math.max(
      ...log.map((line) => /^# Query_time: ([0-9.]+)/.exec(line)).map((match) => Number(match?.[1] ?? 0)),
    ),
  threads_at_stack: (result, measure) => median(SAMPLES.threads_at_stack(result, measure)),
  /** Percent of the samples that find at least so many threads at the stack. */
  samples_with_at_least: (result, { threads, ...stack }) => {
    const counts = SAMPLES.threads_at_stack(result, stack);
    return (100 * counts.filter((count) => count >= threads).length) / counts.length;
  },
  /**
   * The most of `clients` that can wait on average while they do `per_second` operations. By Little's law the others are at work:
   * as many as the rate times the time that an operation takes in this run, in which nobody waits.
   */
  waiting_by_littles_law: (result, { counter, per_second, clients }) =>
    clients - (per_second * result.spec.threads) / MEASURES.counter_per_second(result, { counter }),
};

const PERIOD = ['from_s', 'to_s'];

/** The fields of a measure besides its kind: required and optional ones. */
export const MEASURE_FIELDS = {
  tps: [[], PERIOD],
  queries_per_second: [['of'], PERIOD],
  latency_ms: [['of'], PERIOD],
  counter_per_second: [['counter'], []],
  requests_per_second: [[], []],
  acquisitions_per: [['latch', 'counter'], ['site']],
  counter: [['counter'], []],
  counter_per: [['counter', 'per'], []],
  counter_seconds: [['counter', 'per'], []],
  core_percent: [['counter'], []],
  held_percent: [['latch'], []],
  line_stall_percent: [['latch'], []],
  bucket_spin_percent: [[], []],
  seconds_to_fill_1_gib: [[], PERIOD],
  segments_searched_percent: [[], []],
  longest_query_time: [[], []],
  threads_at_stack: [['frames'], ['any_of', 'without']],
  samples_with_at_least: [
    ['frames', 'threads'],
    ['any_of', 'without'],
  ],
  waiting_by_littles_law: [['counter', 'per_second', 'clients'], []],
};
