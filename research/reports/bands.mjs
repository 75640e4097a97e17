// Computes the band of a report: the smallest and the largest ratio of after : before, over all
// servers and all corners of the declared parameters.

/**
 * @typedef {import('../../web/contract/scenario-files/more-reports').MoreReport} MoreReport
 * @typedef {import('../../web/contract/scenario-files/more-reports').ReportFigures} ReportFigures
 * @typedef {import('../../web/contract/scenario-files/more-reports').Verdict} Verdict
 * @typedef {{ server: string, before: object[], after: object[] }} Pair run results, one for each seed
 */

const sum = (values) => values.reduce((soFar, value) => soFar + value, 0);

/** The compared figure, by `measure`. Runs without any transaction count as having had one. */
const MEASURES = {
  throughput: (results) => Math.max(1, sum(results.map(({ counters }) => counters.transactions))),
  longest: (results) => Math.max(...results.map(({ totals }) => totals.latency_ms.max)),
};

/**
 * @param {MoreReport} report
 * @param {Pair[]} pairs
 * @returns {Pick<ReportFigures, 'band' | 'verdict' | 'within' | 'latch_share' | 'by_server'>}
 */
export function figuresOf(report, pairs) {
  const measured = MEASURES[report.measure];
  const ratios = pairs.map(({ server, before, after }) => ({
    server,
    ratio: measured(after) / measured(before),
  }));
  const band = rangeOf(ratios.map(({ ratio }) => ratio));
  const names = [...new Set(ratios.map(({ server }) => server))];
  return {
    band,
    verdict: verdictOn(report.reported.ratio, band),
    within: isWithin(report.reported.ratio, band),
    latch_share:
      report.latch === undefined ? null : rangeOf(pairs.map(({ before }) => latchShare(report, before))),
    by_server: names.map((server) => {
      const [low, high] = rangeOf(ratios.filter((one) => one.server === server).map(({ ratio }) => ratio));
      return { server, low, high };
    }),
  };
}

/** Returns the share of the clients' time that the report's latch takes. */
function latchShare({ latch }, results) {
  const costNs = sum(
    results.flatMap(({ latches }) =>
      latches.filter((one) => one.latch === latch).map(({ cost_ns: ns = 0 }) => ns),
    ),
  );
  const clientsNs = sum(
    results.map(({ totals, drain, spec }) => (totals.seconds + drain.seconds) * spec.threads * 1e9),
  );
  return Math.min(1, costNs / clientsNs);
}

/** A band that includes 1 predicts nothing: it allows a gain and a loss. */
const NO_CHANGE = 1;

/**
 * @param {MoreReport['reported']['ratio']} ratio
 * @param {[number, number]} band
 * @returns {boolean | null} whether the band has the whole reported range; without an upper end,
 *   whether it reaches beyond the lower one
 */
export function isWithin(ratio, [low, high]) {
  if (ratio === undefined) return null;
  return ratio.high === undefined ? high >= ratio.low : low <= ratio.low && ratio.high <= high;
}

/**
 * @param {MoreReport['reported']['ratio']} ratio
 * @param {[number, number]} band
 * @returns {Verdict}
 */
export function verdictOn(ratio, band) {
  const [low, high] = band;
  if (low <= NO_CHANGE && high >= NO_CHANGE) return 'predicts_nothing';
  if (ratio === undefined) return 'not_comparable';
  return isWithin(ratio, band) ? 'inside' : 'outside';
}

const rangeOf = (values) => [rounded(Math.min(...values)), rounded(Math.max(...values))];

/** Rounds to three digits, but to hundredths at least. */
const rounded = (value) => (value >= 100 ? Math.round(value) : Number(Math.max(value, 0).toPrecision(3)));
