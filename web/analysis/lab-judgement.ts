// Judges an attempt at a latch-lab exercise: which engine runs its checks need and, given their
// outcomes, which checks hold. The page and the command line share it.
import type {
  CheckOutcome,
  ContestOutcome,
  JudgedCheck,
  Judgement,
  RefusedOutcome,
  WorkloadOutcome,
  WorkloadPart,
} from '../contract/lab-results.ts';
import {
  contest_measures,
  START,
  workload_measures,
  type ContestCheck,
  type ContestMeasure,
  type LabContestSpec,
  type ExerciseCheck,
  type LabCheckOptions,
  type LabExercise,
  type WorkloadCheck,
  type WorkloadMeasure,
  type WorkloadSpec,
} from '../contract/lab-exercise.ts';
import type { Manifest } from '../contract/manifest.ts';
import { lab_functions, lab_operations } from '../contract/lab-program.ts';
import {
  boundInWords,
  contestInWords,
  figure,
  memoryInWords,
  wantedBy,
  workloadInWords,
} from './lab-exercise-words.ts';
import { parser } from './latch-language/latch-parser.ts';
import { readTree } from './latch-language/read-tree.ts';
import type { LabFunction, LabProgram } from '../contract/latch-program.ts';

/** Name of the reader's own latch in a run. Other names are `start` or a latch of lab/latches. */
export const ATTEMPT = 'attempt';

export type LabRun = { id: string; latch: string } & (
  | { kind: 'check'; options: LabCheckOptions }
  | { kind: 'contest'; contest: LabContestSpec }
  // If `isWithLatch`, the run spec has this latch and the check's `design`. Otherwise `latch`
  // names a design or a variant (`knob.variant`), and the run spec has no latch.
  | { kind: 'workload'; workload: WorkloadSpec; isWithLatch: boolean }
);

export type RunOutcome = CheckOutcome | ContestOutcome | WorkloadOutcome | RefusedOutcome;

/** Outcomes by run id. */
type RunOutcomes = ReadonlyMap<string, RunOutcome>;

export interface Written {
  source: string;
  program: LabProgram;
}

/**
 * Returns the runs of all checks without duplicates. Workloads come last, because an engine that
 * has run one cannot run contests. Among the others, runs of the attempt come first.
 */
export function runsOf(checks: readonly ExerciseCheck[]): LabRun[] {
  const runs = checks.flatMap(runsOfCheck);
  const distinct = [...new Map(runs.map((run) => [run.id, run])).values()];
  const place = ({ kind, latch }: LabRun) => 2 * Number(kind === 'workload') + Number(latch !== ATTEMPT);
  return distinct.sort((a, b) => place(a) - place(b));
}

/** Judges the attempt. `start` is the latch that the exercise begins with. */
export function judge(
  { checks }: Pick<LabExercise, 'checks'>,
  attempt: Written,
  start: Written,
  outcomes: RunOutcomes,
): Judgement {
  const judged = checks.map((check) => ({
    kind: check.kind,
    ...judgeCheck(check, attempt, start, outcomes),
  }));
  return { holds: judged.every(({ holds }) => holds), checks: judged };
}

type Verdict = Omit<JudgedCheck, 'kind'>;

function runsOfCheck(check: ExerciseCheck): LabRun[] {
  if (check.kind === 'right' || check.kind === 'faulty') return [checkRun(check)];
  if (check.kind !== 'contest' && check.kind !== 'workload') return [];
  const { of } = referenceOf(check);
  return [ATTEMPT, ...(of === null ? [] : [of])].map((latch) =>
    check.kind === 'contest' ? contestRun(latch, check.contest) : workloadRun(latch, check.workload),
  );
}

function checkRun({ threads, rounds, schedules, states, memory, starvation }: LabCheckOptions): LabRun {
  const given = Object.entries({ threads, rounds, schedules, states, memory, starvation });
  const options: LabCheckOptions = Object.fromEntries(given.filter(([, value]) => value !== undefined));
  return { id: idOf('check', ATTEMPT, options), latch: ATTEMPT, kind: 'check', options };
}

function contestRun(latch: string, contest: LabContestSpec): LabRun {
  return { id: idOf('contest', latch, contest), latch, kind: 'contest', contest };
}

function workloadRun(latch: string, workload: WorkloadSpec): LabRun {
  const isWithLatch = latch === ATTEMPT || latch === START;
  const { design, parameters, ...rest } = workload;
  const id = idOf('workload', latch, { ...rest, ...design, ...parameters });
  return { id, latch, kind: 'workload', workload, isWithLatch };
}

/** Returns the fields in which a workload's run differs from the run spec of its scenario. */
export function partOfWorkload(
  { workload, latch, isWithLatch }: Extract<LabRun, { kind: 'workload' }>,
  { designs }: Pick<Manifest, 'designs'>,
  written: Written | null,
): WorkloadPart {
  const { design, ...part } = workload;
  const original = designs.original!;
  const [knob, variant] = latch.split('.');
  const turned = variant === undefined ? designs[latch] : { ...original, [knob!]: variant };
  return {
    ...part,
    interval_s: part.duration_s,
    design: isWithLatch ? { ...original, ...design } : turned!,
    ...(written === null ? {} : { latch: { ...written } }),
  };
}

const idOf = (kind: LabRun['kind'], latch: string, options: object) =>
  [kind, latch, ...Object.entries(options).map(([name, value]) => `${name}=${String(value)}`)].join(' ');

function judgeCheck(check: ExerciseCheck, attempt: Written, start: Written, outcomes: RunOutcomes): Verdict {
  switch (check.kind) {
    case 'right':
      return judgeRight(check, attempt.program, start.program, outcomes);
    case 'faulty':
      return judgeFaulty(check, outcomes);
    case 'contest':
      return judgeContest(check, outcomes);
    case 'workload':
      return judgeWorkload(check, outcomes);
    case 'uses': {
      const missing = check.operations.filter((name) => !uses(attempt.program, name));
      return found(missing.length === 0, missing, 'is not used', 'Used', check);
    }
    case 'does_not_use': {
      const present = check.operations.filter((name) => uses(attempt.program, name));
      return found(present.length === 0, present, 'is used', 'Not used', check);
    }
    case 'keeps':
      return judgeKept(check, attempt, start);
  }
}

/** Returns the verdict on a list of names: `names` violate the check, or all is as required. */
function found(
  holds: boolean,
  names: readonly string[],
  is: string,
  ifAll: string,
  check: Extract<ExerciseCheck, { kind: 'uses' | 'does_not_use' }>,
): Verdict {
  if (!holds) return { holds, sentence: `${names.join(' and ')} ${is}; wanted: ${wantedBy(check)}.` };
  return { holds, sentence: `${ifAll}: ${check.operations.join(', ')}.` };
}

// --- the checker ---------------------------------------------------------------------------------

/**
 * Rejects a latch that supports fewer threads than the exercise: for one thread, any latch is
 * correct.
 */
function judgeRight(
  check: Extract<ExerciseCheck, { kind: 'right' }>,
  { threads_max }: LabProgram,
  start: LabProgram,
  outcomes: RunOutcomes,
): Verdict {
  const threadsWanted = start.threads_max ?? Infinity;
  if (threads_max !== undefined && threads_max < threadsWanted) {
    const wanted = threadsWanted === Infinity ? 'any number' : `${threadsWanted}`;
    return { holds: false, sentence: `The latch allows at most ${threads_max} threads; wanted: ${wanted}.` };
  }
  const outcome = checkOutcome(check, outcomes);
  if ('refused' in outcome) return refused(outcome, check);
  const sentence = capitalized(memoryInWords(check) + outcome.sentence);
  const isFairEnough = outcome.verdict === 'can_starve' && check.require_fair !== true;
  if (outcome.verdict === 'no_fault_found' || isFairEnough) return { holds: true, sentence };
  const wanted = check.require_fair === true ? 'no fault, no starvation' : 'no fault';
  return { holds: false, sentence: `${sentence} Wanted: ${wanted}.` };
}

function judgeFaulty(check: Extract<ExerciseCheck, { kind: 'faulty' }>, outcomes: RunOutcomes): Verdict {
  const outcome = checkOutcome(check, outcomes);
  if ('refused' in outcome) return refused(outcome, check);
  const foundFault = outcome.fault ?? outcome.starvation;
  const holds = foundFault?.kind === check.fault;
  const sentence = capitalized(memoryInWords(check) + outcome.sentence);
  const kind = foundFault ? ` Fault: ${foundFault.kind}.` : '';
  return { holds, sentence: `${sentence}${kind} Wanted: ${check.fault}.` };
}

// --- contests ------------------------------------------------------------------------------------

function judgeContest(check: ContestCheck, outcomes: RunOutcomes): Verdict {
  const outcome = contestOutcome(ATTEMPT, check.contest, outcomes);
  if ('refused' in outcome) return refused(outcome, check);
  const wanted = wantedBy(check);
  if (outcome.verdict !== 'sound')
    return { holds: false, sentence: `${outcome.sentence} Wanted: ${wanted}.` };
  const measured = measureOf(check.measure, outcome);
  if (measured === null) return { holds: false, sentence: `No measurement. Wanted: ${wanted}.` };
  const reference = referenceValue(check, outcomes);
  if (typeof reference === 'object') return refused(reference, check);
  const { times, of } = referenceOf(check);
  const foundHere = { measured, bound: times * reference, of };
  return verdictOfBound(check, foundHere, contestInWords(check.contest), contest_measures[check.measure]);
}

// --- workloads -----------------------------------------------------------------------------------

function judgeWorkload(check: WorkloadCheck, outcomes: RunOutcomes): Verdict {
  const outcome = workloadOutcome(ATTEMPT, check.workload, outcomes);
  if ('refused' in outcome) return refused(outcome, check);
  const broken = outcome.invariants.find(({ ok }) => !ok);
  if (broken !== undefined)
    return {
      holds: false,
      sentence: `Broken: ${broken.name}. ${broken.detail} Wanted: ${wantedBy(check)}.`,
    };
  const { times, of } = referenceOf(check);
  const reference = of === null ? null : workloadOutcome(of, check.workload, outcomes);
  if (reference !== null && 'refused' in reference) return refused(reference, check);
  const measureOfRun = workloadMeasureOf[check.measure];
  const measured = measureOfRun(outcome);
  const bound = times * (reference === null ? 1 : measureOfRun(reference));
  return verdictOfBound(
    check,
    { measured, bound, of },
    workloadInWords(check.workload),
    workload_measures[check.measure],
  );
}

const workloadMeasureOf: Record<WorkloadMeasure, (outcome: WorkloadOutcome) => number> = {
  transactions_per_s: ({ totals }) => totals.tps,
  latency_p95_ms: ({ totals }) => totals.latency_ms.p95,
  latency_p99_ms: ({ totals }) => totals.latency_ms.p99,
};

const workloadOutcome = (latch: string, workload: WorkloadSpec, outcomes: RunOutcomes) =>
  outcomeOf(workloadRun(latch, workload), outcomes) as WorkloadOutcome | RefusedOutcome;

// --- bounds --------------------------------------------------------------------------------------

function verdictOfBound(
  check: ContestCheck | WorkloadCheck,
  { measured, bound, of }: { measured: number; bound: number; of: string | null },
  where: string,
  unit: string,
): Verdict {
  const holds = check.at_least === undefined ? measured <= bound : measured >= bound;
  const thatIs = of === null ? '' : ` (${figure(bound)})`;
  const foundThere = `${capitalized(where)}: ${figure(measured)} ${unit}`;
  return { holds, sentence: `${foundThere}; wanted: ${boundInWords(check)}${thatIs}.` };
}

const capitalized = (text: string) => text[0]!.toUpperCase() + text.slice(1);

/** Returns the reference of a bound: a multiple of another latch's result, or of 1. */
function referenceOf({ at_least, at_most }: ContestCheck | WorkloadCheck): {
  times: number;
  of: string | null;
} {
  const bound = at_least ?? at_most!;
  return typeof bound === 'number' ? { times: bound, of: null } : bound;
}

function referenceValue(check: ContestCheck, outcomes: RunOutcomes): number | RefusedOutcome {
  const { of } = referenceOf(check);
  if (of === null) return 1;
  const outcome = contestOutcome(of, check.contest, outcomes);
  if ('refused' in outcome) return outcome;
  return measureOf(check.measure, outcome) ?? { refused: `no measurement of ${of}` };
}

const measures: Record<ContestMeasure, (outcome: ContestOutcome) => number | null> = {
  acquisitions_per_s: (it) => it.acquisitions_per_s,
  hand_over_ns: (it) => it.hand_over_ns,
  wait_median_ns: (it) => it.wait_ns.median,
  wait_p99_ns: (it) => it.wait_ns.p99,
  line_transfers_per_acquisition: (it) => it.line_transfers_per_acquisition,
  futex_waits_per_acquisition: (it) => (it.acquisitions === 0 ? null : it.futex_waits / it.acquisitions),
  overtaken_max: (it) => it.overtaken_max,
  in_order_percent: (it) => it.in_order_percent,
  fairness: (it) => it.fairness,
};

const measureOf = (measure: ContestMeasure, outcome: ContestOutcome) => measures[measure](outcome);

// --- the program ---------------------------------------------------------------------------------

function judgeKept(
  check: Extract<ExerciseCheck, { kind: 'keeps' }>,
  attempt: Written,
  start: Written,
): Verdict {
  const changed = check.functions.filter(
    (name) => functionText(attempt.source, name) !== functionText(start.source, name),
  );
  if (changed.length === 0) return { holds: true, sentence: `Unchanged: ${check.functions.join(', ')}.` };
  const [first] = changed;
  const isNew = functionText(start.source, first!) === null;
  const what = isNew ? 'is not part of the exercise' : 'was changed';
  return { holds: false, sentence: `${first!} ${what}; wanted: ${wantedBy(check)}.` };
}

/**
 * Returns a function's text without comments and white space; null if the source has no such
 * function. REQUIRES: a source without errors.
 */
function functionText(source: string, name: LabFunction): string | null {
  const tree = parser.parse(source);
  const place = readTree(tree, source).functions.find(({ named }) => named.name === name);
  if (place === undefined) return null;
  let [text, end] = ['', place.from];
  tree.iterate({
    ...{ from: place.from, to: place.to },
    enter: (node) => {
      if (!node.name.endsWith('Comment')) return;
      text += source.slice(end, Math.max(end, node.from));
      end = Math.max(end, node.to);
    },
  });
  return (text + source.slice(end, place.to)).replaceAll(/\s+/g, '');
}

/**
 * Reports whether the latch's functions (enter or exit, shared or exclusive, or a client's) use an
 * operation.
 */
function uses({ code, functions }: LabProgram, operation: string): boolean {
  const number = lab_operations.findIndex(({ name }) => name === operation);
  return lab_functions.some((name) => {
    const [begin, end] = functions[name] ?? [0, 0];
    for (let place = begin; place < end; place += 1) if (operationAt(code, place) === number) return true;
    return false;
  });
}

const operationAt = (code: readonly number[], place: number) => code[2 * place]! & 0xff;

// --- outcomes ------------------------------------------------------------------------------------

const checkOutcome = (check: LabCheckOptions, outcomes: RunOutcomes) =>
  outcomeOf(checkRun(check), outcomes) as CheckOutcome | RefusedOutcome;

const contestOutcome = (latch: string, contest: LabContestSpec, outcomes: RunOutcomes) =>
  outcomeOf(contestRun(latch, contest), outcomes) as ContestOutcome | RefusedOutcome;

function outcomeOf({ id }: LabRun, outcomes: RunOutcomes): RunOutcome {
  const outcome = outcomes.get(id);
  if (outcome === undefined) throw new Error(`No outcome for run ${id}.`);
  return outcome;
}

const refused = ({ refused: why }: RefusedOutcome, check: ExerciseCheck): Verdict => ({
  holds: false,
  sentence: `Could not run: ${why.replace(/\.$/, '')}. Wanted: ${wantedBy(check)}.`,
});
