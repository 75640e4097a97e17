// Judges the expectations of a file of checks (contract/checks.ts).
import { mean, variance } from 'd3-array';

import { formatFigure } from '../../analysis/format';
import { ratioOfPairs, type Pair } from '../../analysis/statistics/verdict';
import { studentT } from '../../analysis/statistics/student';
import type {
  Bound,
  Check,
  ComparisonCheck,
  ComparisonFigure,
  RunCheck,
  RunFigure,
} from '../../contract/checks';
import type {
  CheckReport,
  ChecksReport,
  ExpectationOutcome,
  JudgedExpectation,
  MeasuredPart,
} from '../../contract/experiment-outcome';
import type { Plan } from '../../contract/experiment-plan';
import type { RunResult } from '../../contract/run-result';
import type { RunSpec } from '../../contract/run-spec';
import { faultOfRun } from '../../session/batch';
import { outcomeOfRun } from './batch';
import type { PlannedCheck } from './checks-plan';

const CONFIDENCE = 0.95;

/** The results of a check's runs, in the order of `specs`, with their digests. */
export interface ChecksRun {
  result: RunResult;
  sha256: string;
}

/** Judges all checks. `runs` has the runs of each check. */
export function judgeChecks(
  planned: readonly PlannedCheck[],
  runs: readonly (readonly ChecksRun[])[],
): ChecksReport {
  const checks = planned.map((one, place) => judgeCheck(one, runs[place]!));
  return { version: 1, holds: checks.every(({ holds }) => holds), checks };
}

function judgeCheck(planned: PlannedCheck, runs: readonly ChecksRun[]): CheckReport {
  const { name } = planned.check;
  const judged = 'plan' in planned ? judgePairs(planned.check, planned.plan, runs) : judgeRuns(planned, runs);
  if (typeof judged === 'string') return { name, holds: false, expectations: [], fault: judged };
  return { name, holds: judged.every(({ outcome }) => outcome === 'holds'), expectations: judged };
}

const totalsOf: Record<RunFigure, (totals: RunResult['totals']) => number> = {
  tps: ({ tps }) => tps,
  transactions: ({ transactions }) => transactions,
  latency_mean_ms: ({ latency_ms }) => latency_ms.mean,
  latency_p50_ms: ({ latency_ms }) => latency_ms.p50,
  latency_p95_ms: ({ latency_ms }) => latency_ms.p95,
  latency_p99_ms: ({ latency_ms }) => latency_ms.p99,
  latency_max_ms: ({ latency_ms }) => latency_ms.max,
};

/** Returns the judged expectations, or why a run does not count. */
function judgeRuns(
  { check, specs }: { check: RunCheck; specs: readonly RunSpec[] },
  runs: readonly ChecksRun[],
): JudgedExpectation[] | string {
  for (const [place, { result }] of runs.entries()) {
    const spec = specs[place]!;
    const fault = faultOfRun(spec, { result, marks: spec.actions.length, wasHidden: false });
    if (fault !== null) return `seed ${String(spec.seed)}: ${fault}`;
  }
  const { counters = {}, sha256, ...figures } = check.expect;
  const judgeValues = (figure: string, bound: Bound, values: readonly number[]) =>
    judgeBound(figure, bound, meanOf(values, check.confidence), basisOf(check, values.length, 'seeds'));
  const results = runs.map(({ result }) => result);
  return [
    ...Object.entries(figures).map(([figure, bound]) =>
      judgeValues(
        figure,
        bound,
        results.map(({ totals }) => totalsOf[figure as RunFigure](totals)),
      ),
    ),
    ...Object.entries(counters).map(([name, bound]) =>
      judgeValues(
        `counters.${name}`,
        bound,
        results.map((result) => result.counters[name]!),
      ),
    ),
    ...(sha256 === undefined ? [] : [judgeDigest(sha256, runs[0]!.sha256)]),
  ];
}

function judgeDigest(wanted: string, sha256: string): JudgedExpectation {
  const isEqual = sha256 === wanted;
  return {
    figure: 'sha256',
    outcome: isEqual ? 'holds' : 'fails',
    value: sha256,
    interval: null,
    sentence: `sha256 is ${sha256}${isEqual ? ', as expected' : `; expected ${wanted}`}`,
  };
}

/** Returns the judged expectations, or why a run does not count. */
function judgePairs(
  check: ComparisonCheck,
  plan: Plan,
  runs: readonly ChecksRun[],
): JudgedExpectation[] | string {
  const pairs = Array.from(
    { length: plan.repeats },
    () => [null, null] as [MeasuredPart | null, MeasuredPart | null],
  );
  for (const [place, run] of plan.runs.entries()) {
    const report = { result: runs[place]!.result, marks: run.spec.actions.length, wasHidden: false };
    const outcome = outcomeOfRun(plan, run, report);
    if (!outcome.ok)
      return `${plan.designs[run.design]!.title}, seed ${String(run.spec.seed)}: ${outcome.reason}`;
    pairs[run.repeat]![run.design] = outcome.measured;
  }
  const estimateOf = (value: (measured: MeasuredPart) => number) => {
    const estimate = ratioOfPairs(
      pairs.map((pair) => pair.map((measured) => value(measured!)) as unknown as Pair),
      check.confidence,
    );
    return estimate && { value: estimate.ratio, interval: estimate.interval };
  };
  const estimates = {
    tps_ratio: () => estimateOf(({ tps }) => tps),
    latency_p99_ratio: () => estimateOf(({ p99_ms }) => p99_ms ?? 0),
  };
  return Object.entries(check.expect).map(([figure, bound]) =>
    judgeBound(
      figure,
      bound,
      estimates[figure as ComparisonFigure](),
      basisOf(check, plan.repeats, 'pairs of runs'),
    ),
  );
}

interface Estimate {
  value: number;
  interval: readonly [low: number, high: number] | null;
}

/** Returns the mean of independent runs and its Student's t interval. */
function meanOf(values: readonly number[], confidence = CONFIDENCE): Estimate {
  const value = mean(values)!;
  const spread = variance(values);
  if (spread === undefined) return { value, interval: null };
  const halfWidth = studentT(values.length - 1, confidence) * Math.sqrt(spread / values.length);
  return { value, interval: [value - halfWidth, value + halfWidth] };
}

const basisOf = ({ confidence = CONFIDENCE }: Check, count: number, of: string) =>
  `${formatFigure(confidence * 100)} % interval, ${String(count)} ${of}`;

/** With an interval, all of it must be within the bound. */
function judgeBound(
  figure: string,
  bound: Bound,
  estimate: Estimate | null,
  basis: string,
): JudgedExpectation {
  if (estimate === null) {
    const sentence = `${figure} is unknown, because a design completed no transaction`;
    return { figure, outcome: 'fails', value: null, interval: null, sentence };
  }
  const { value, interval } = estimate;
  const [low, high] = interval ?? [value, value];
  const { at_least = -Infinity, at_most = Infinity } = bound;
  const isWithin = low >= at_least && high <= at_most;
  const isOutside = high < at_least || low > at_most;
  const outcome: ExpectationOutcome = isWithin ? 'holds' : isOutside ? 'fails' : 'undecided';
  const range = interval === null ? '' : ` (${figureInWords(low)} to ${figureInWords(high)}: ${basis})`;
  const more = outcome === 'undecided' ? '; the interval contains the bound, so use more seeds' : '';
  const sentence = `${figure} is ${figureInWords(value)}${range}; expected ${boundInWords(bound)}${more}`;
  return { figure, outcome, value, interval, sentence };
}

function boundInWords({ at_least, at_most }: Bound): string {
  const parts = [
    ...(at_least === undefined ? [] : [`at least ${at_least.toLocaleString('en')}`]),
    ...(at_most === undefined ? [] : [`at most ${at_most.toLocaleString('en')}`]),
  ];
  return parts.join(' and ');
}

/** Five digits: a bound can be close. */
const figureInWords = (value: number) => value.toLocaleString('en', { maximumSignificantDigits: 5 });
