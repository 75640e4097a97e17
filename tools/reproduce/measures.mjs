// What a run result says about a reported figure. Each measure takes a run result and the figure's `measure`.

/** The intervals of a run whose whole time lies between from_s and to_s; all, if they are left out. */
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

/** Mean over the intervals, weighted with the transactions (`tps` itself: with the time). */
function weighted(intervals, value, weight) {
  const total = intervals.reduce((sum, interval) => sum + weight(interval), 0);
  return intervals.reduce((sum, interval) => sum + value(interval) * weight(interval), 0) / total;
}

function threadsInFunction(result, { function: name }) {
  return result.stack_samples.map(({ stacks }) =>
    stacks.filter(({ frames }) => frames.includes(name)).reduce((sum, { threads }) => sum + threads, 0),
  );
}

const STATISTICS = {
  median: (sorted) => sorted[Math.floor(sorted.length / 2)],
  largest: (sorted) => sorted.at(-1),
};

export const MEASURES = {
  tps: (result, measure) =>
    weighted(
      intervalsOf(result, measure),
      ({ tps }) => tps,
      ({ seconds }) => seconds,
    ),
  latency_ms: (result, measure) =>
    measure.from_s === undefined
      ? result.totals.latency_ms[measure.of]
      : weighted(
          intervalsOf(result, measure).filter(({ tps }) => tps > 0),
          ({ latency_ms }) => latency_ms[measure.of],
          ({ seconds, tps }) => seconds * tps,
        ),
  counter_per_second: (result, { counter }) => result.counters[counter] / result.totals.seconds,
  requests_per_second: ({ counters, totals }) =>
    (counters.queries_read + counters.queries_write) / totals.seconds,
  acquisitions_per: (result, { latch, site, counter }) =>
    result.latches
      .filter((row) => row.latch === latch && (site === undefined || row.site === site))
      .reduce((sum, { acquisitions }) => sum + acquisitions, 0) / result.counters[counter],
  counter: ({ counters }, { counter }) => counters[counter],
  /** Seconds of a counter in microseconds, for each count of another one. */
  counter_seconds: ({ counters }, { counter, per }) => counters[counter] / 1e6 / counters[per],
  /** Of the clients' time over the whole run. */
  line_stall_percent: ({ latches, spec, totals }, { latch }) =>
    latches.filter((row) => row.latch === latch).reduce((sum, { line_stall_ns }) => sum + line_stall_ns, 0) /
    (spec.threads * totals.seconds * 1e7),
  bucket_spin_percent: ({ model }) => (100 * model.bucket_spin_ps) / model.busy_ps,
  longest_query_time: ({ log }) =>
    Math.max(
      ...log.map((line) => /^# Query_time: ([0-9.]+)/.exec(line)).map((match) => Number(match?.[1] ?? 0)),
    ),
  threads_in_function: (result, measure) =>
    STATISTICS[measure.statistic](threadsInFunction(result, measure).sort((a, b) => a - b)),
};
