// Computes reported figures from run results. Each measure takes a run result and the figure's
// `measure`. A measure throws if it finds nothing, because a misspelled name must not count as 0.
import { median } from 'd3-array';

/**
 * Returns the intervals that lie entirely between from_s and to_s; without limits, all intervals.
 */
function intervalsOf(result, { from_s = 0, to_s = Infinity }) {
  const slackS = 1e-6;
  let beganS = 0;
  return result.intervals.filter((interval) => {
    const isInside = beganS >= from_s - slackS && interval.t_s <= to_s + slackS;
    interval.seconds = interval.t_s - beganS;
    beganS = interval.t_s;
    return isInside;
  });
}

/** Mean over the intervals, weighted by transactions. Rates are weighted by time. */
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

/** Returns the matching rows of the latch table. At least one must match. */
function latchRows({ latches }, { latch, site }) {
  const rows = latches.filter((row) => row.latch === latch && (site === undefined || row.site === site));
  if (rows.length === 0)
    throw new Error(`measure: got ${JSON.stringify({ latch, site })}; allowed: a latch that the run takes`);
  return rows;
}

/**
 * Returns the seconds that counters and latches cover, including work that clients finished after
 * the end of the run. In files of older engines, all figures include that work.
 */
const countedS = ({ totals, drain }) => totals.seconds + (drain?.seconds ?? 0);

const sumOf = (rows, field) => rows.reduce((sum, row) => sum + row[field], 0);

/**
 * The samples of measures that sample a run several times. The measure of the same name is their
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
  /**
   * `times` is the factor to apply if a transaction of the run does less work than the report's.
   */
  tps: (result, measure) => (measure.times ?? 1) * meanRate(result, measure, ({ tps }) => tps),
  /** SELECTs, or writing statements, as counted by sysbench's interval lines. */
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
  counter_per_second: (result, { counter }) => counterOf(result, counter) / countedS(result),
  requests_per_second: (result) =>
    (counterOf(result, 'queries_read') + counterOf(result, 'queries_write')) / countedS(result),
  acquisitions_per: (result, { latch, site, counter }) =>
    sumOf(latchRows(result, { latch, site }), 'acquisitions') / counterOf(result, counter),
  counter: (result, { counter }) => counterOf(result, counter),
  counter_per: (result, { counter, per }) => counterOf(result, counter) / counterOf(result, per),
  /** Seconds of a microsecond counter per count of another counter. */
  counter_seconds: (result, { counter, per }) => counterOf(result, counter) / 1e6 / counterOf(result, per),
  /** CPU time from a nanosecond counter, as a percentage of one core's time. */
  core_percent: (result, { counter }) => counterOf(result, counter) / (countedS(result) * 1e7),
  /** Percentage of the run during which a thread holds the latch. */
  held_percent: (result, { latch }) =>
    sumOf(latchRows(result, { latch }), 'hold_ns') / (countedS(result) * 1e7),
  /** Percentage of the clients' time over the whole run. */
  line_stall_percent: (result, { latch }) =>
    sumOf(latchRows(result, { latch }), 'line_stall_ns') / (result.spec.threads * countedS(result) * 1e7),
  bucket_spin_percent: ({ model }) => (100 * model.bucket_spin_ps) / model.busy_ps,
  /** Seconds until transactions at this rate fill a binary log of 1 GiB. */
  seconds_to_fill_1_gib: (result, measure) =>
    2 ** 30 /
    ((counterOf(result, 'binlog_bytes_written') / counterOf(result, 'commits')) *
      MEASURES.tps(result, measure)),
  /**
   * The percentage of segments that a poster searches when it wakes handlers. All segments: those
   * for reads and writes, and one each for ibuf and log.
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
  /** Percentage of the samples with at least this many threads at the stack. */
  samples_with_at_least: (result, { threads, ...stack }) => {
    const counts = SAMPLES.threads_at_stack(result, stack);
    return (100 * counts.filter((count) => count >= threads).length) / counts.length;
  },
  /**
   * The maximum of `clients` that can wait on average while all of them do `per_second` operations.
   * By Little's law, the number of working clients is the rate times the time of an operation. That
   * time comes from this run, in which no client waits.
   */
  waiting_by_littles_law: (result, { counter, per_second, clients }) =>
    clients - (per_second * result.spec.threads) / MEASURES.counter_per_second(result, { counter }),
};

const PERIOD = ['from_s', 'to_s'];

/** The required and optional fields of each measure, besides its kind. */
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
