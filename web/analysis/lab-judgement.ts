// Judges an attempt at an exercise of the latch lab: which runs of the engine its checks need, and, given what these gave, which
// checks hold. For the page and the command line alike.
import {
  contest_measures,
  type ContestCheck,
  type ContestMeasure,
  type LabContestSpec,
  type ExerciseCheck,
  type LabCheckOptions,
  type LabExercise,
} from '../contract/lab-exercise.ts';
import type { LabCheckResult, LabContest, LabFault } from '../contract/lab-results.ts';
import { lab_functions, lab_operations } from '../contract/lab-program.ts';
import { boundInWords, contestInWords, figure, memoryInWords, wantedBy } from './lab-exercise-words.ts';
import { functionText } from './latch-language/function-text.ts';
import type { LabProgram } from './latch-language/program.ts';

/** The reader's own latch, as a run names it; others are `start` or the name of a latch of lab/latches. */
export const ATTEMPT = 'attempt';

export type LabRun = { id: string; latch: string } & (
  { kind: 'check'; options: LabCheckOptions } | { kind: 'contest'; contest: LabContestSpec }
);

/** Of what `lab check` gives, what is read here. */
export type CheckOutcome = Pick<LabCheckResult, 'verdict' | 'sentence'> & { fault?: Pick<LabFault, 'kind'> };

/** Of one contest of `lab bench`. */
export type ContestOutcome = Pick<
  LabContest,
  | 'verdict'
  | 'sentence'
  | 'acquisitions'
  | 'acquisitions_per_s'
  | 'hand_over_ns'
  | 'line_transfers_per_acquisition'
  | 'futex_waits'
  | 'overtaken_max'
  | 'in_order_percent'
  | 'fairness'
> & { wait_ns: Pick<LabContest['wait_ns'], 'median' | 'p99'> };

/** The engine would not begin: why. */
export interface RefusedOutcome {
  refused: string;
}

export type RunOutcome = CheckOutcome | ContestOutcome | RefusedOutcome;

/** By the id of the run. */
export type RunOutcomes = ReadonlyMap<string, RunOutcome>;

export interface Written {
  source: string;
  program: LabProgram;
}

export interface JudgedCheck {
  kind: ExerciseCheck['kind'];
  holds: boolean;
  /** What was found, and what is wanted. */
  sentence: string;
}

export interface Judgement {
  holds: boolean;
  checks: JudgedCheck[];
}

/** Each run once, also if several checks need it. Those of the attempt come first. */
export function runsOf(checks: readonly ExerciseCheck[]): LabRun[] {
  const runs = checks.flatMap(runsOfCheck);
  const distinct = [...new Map(runs.map((run) => [run.id, run])).values()];
  return distinct.sort((a, b) => Number(a.latch !== ATTEMPT) - Number(b.latch !== ATTEMPT));
}

/** `start` is the latch that the reader began with. */
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
  if (check.kind !== 'contest') return [];
  const { of } = referenceOf(check);
  return [ATTEMPT, ...(of === null ? [] : [of])].map((latch) => contestRun(latch, check.contest));
}

function checkRun({ threads, rounds, schedules, states, memory }: LabCheckOptions): LabRun {
  const given = Object.entries({ threads, rounds, schedules, states, memory });
  const options: LabCheckOptions = Object.fromEntries(given.filter(([, value]) => value !== undefined));
  return { id: idOf('check', ATTEMPT, options), latch: ATTEMPT, kind: 'check', options };
}

function contestRun(latch: string, contest: LabContestSpec): LabRun {
  return { id: idOf('contest', latch, contest), latch, kind: 'contest', contest };
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

/** That names are missing, or that all is as it is wanted. */
function found(
  holds: boolean,
  names: readonly string[],
  is: string,
  if_all: string,
  check: Extract<ExerciseCheck, { kind: 'uses' | 'does_not_use' }>,
): Verdict {
  if (!holds) return { holds, sentence: `${names.join(' and ')} ${is}; wanted: ${wantedBy(check)}.` };
  return { holds, sentence: `${if_all}: ${check.operations.join(', ')}.` };
}

// --- the checker ------------------------------------------------------------------------------------------------------

/** A latch for one thread would be right as well. */
function judgeRight(
  check: Extract<ExerciseCheck, { kind: 'right' }>,
  { threads_max }: LabProgram,
  start: LabProgram,
  outcomes: RunOutcomes,
): Verdict {
  const threads_wanted = start.threads_max ?? Infinity;
  if (threads_max !== undefined && threads_max < threads_wanted) {
    const wanted = threads_wanted === Infinity ? 'any number' : `${threads_wanted}`;
    return { holds: false, sentence: `The latch says: threads at most ${threads_max}; wanted: ${wanted}.` };
  }
  const outcome = checkOutcome(check, outcomes);
  if ('refused' in outcome) return refused(outcome, check);
  const sentence = capitalized(memoryInWords(check) + outcome.sentence);
  if (outcome.verdict === 'no_fault_found') return { holds: true, sentence };
  return { holds: false, sentence: `${sentence} Wanted: no fault.` };
}

function judgeFaulty(check: Extract<ExerciseCheck, { kind: 'faulty' }>, outcomes: RunOutcomes): Verdict {
  const outcome = checkOutcome(check, outcomes);
  if ('refused' in outcome) return refused(outcome, check);
  const holds = outcome.fault?.kind === check.fault;
  const sentence = capitalized(memoryInWords(check) + outcome.sentence);
  const kind = outcome.fault ? ` This is ${outcome.fault.kind}.` : '';
  return { holds, sentence: `${sentence}${kind} Wanted: ${check.fault}.` };
}

// --- contests ---------------------------------------------------------------------------------------------------------

function judgeContest(check: ContestCheck, outcomes: RunOutcomes): Verdict {
  const outcome = contestOutcome(ATTEMPT, check.contest, outcomes);
  if ('refused' in outcome) return refused(outcome, check);
  const wanted = wantedBy(check);
  if (outcome.verdict !== 'sound')
    return { holds: false, sentence: `${outcome.sentence} Wanted: ${wanted}.` };
  const measured = measureOf(check.measure, outcome);
  if (measured === null)
    return { holds: false, sentence: `There was nothing to measure. Wanted: ${wanted}.` };
  const reference = referenceValue(check, outcomes);
  if (typeof reference === 'object') return refused(reference, check);
  const bound = referenceOf(check).times * reference;
  const holds = check.at_least === undefined ? measured <= bound : measured >= bound;
  const that_is = referenceOf(check).of === null ? '' : ` (that is ${figure(bound)})`;
  const measured_in_words = `${figure(measured)} ${contest_measures[check.measure]}`;
  const where = capitalized(contestInWords(check.contest));
  return { holds, sentence: `${where}: ${measured_in_words}; wanted: ${boundInWords(check)}${that_is}.` };
}

const capitalized = (text: string) => text[0]!.toUpperCase() + text.slice(1);

/** A bound is so many times what a latch reaches, or so many times 1. */
function referenceOf({ at_least, at_most }: ContestCheck): { times: number; of: string | null } {
  const bound = at_least ?? at_most!;
  return typeof bound === 'number' ? { times: bound, of: null } : bound;
}

function referenceValue(check: ContestCheck, outcomes: RunOutcomes): number | RefusedOutcome {
  const { of } = referenceOf(check);
  if (of === null) return 1;
  const outcome = contestOutcome(of, check.contest, outcomes);
  if ('refused' in outcome) return outcome;
  return measureOf(check.measure, outcome) ?? { refused: `of ${of} there is nothing to measure` };
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

// --- the program ------------------------------------------------------------------------------------------------------

function judgeKept(
  check: Extract<ExerciseCheck, { kind: 'keeps' }>,
  attempt: Written,
  start: Written,
): Verdict {
  const changed = check.functions.filter(
    (name) => functionText(attempt.source, name) !== functionText(start.source, name),
  );
  if (changed.length === 0) return { holds: true, sentence: `As given: ${check.functions.join(', ')}.` };
  const [first] = changed;
  const is_new = functionText(start.source, first!) === null;
  const what = is_new ? 'is not part of the exercise' : 'has been changed';
  return { holds: false, sentence: `${first!} ${what}; wanted: ${wantedBy(check)}.` };
}

/** Whether enter or exit does, shared or not, or what a client does. */
function uses({ code, functions }: LabProgram, operation: string): boolean {
  const number = lab_operations.findIndex(({ name }) => name === operation);
  return lab_functions.some((name) => {
    const [begin, end] = functions[name] ?? [0, 0];
    for (let place = begin; place < end; place += 1) if (operationAt(code, place) === number) return true;
    return false;
  });
}

const operationAt = (code: readonly number[], place: number) => code[2 * place]! & 0xff;

// --- outcomes ---------------------------------------------------------------------------------------------------------

const checkOutcome = (check: LabCheckOptions, outcomes: RunOutcomes) =>
  outcomeOf(checkRun(check), outcomes) as CheckOutcome | RefusedOutcome;

const contestOutcome = (latch: string, contest: LabContestSpec, outcomes: RunOutcomes) =>
  outcomeOf(contestRun(latch, contest), outcomes) as ContestOutcome | RefusedOutcome;

function outcomeOf({ id }: LabRun, outcomes: RunOutcomes): RunOutcome {
  const outcome = outcomes.get(id);
  if (outcome === undefined) throw new Error(`No outcome of the run ${id}.`);
  return outcome;
}

const refused = ({ refused: why }: RefusedOutcome, check: ExerciseCheck): Verdict => ({
  holds: false,
  sentence: `It could not be run: ${why.replace(/\.$/, '')}. Wanted: ${wantedBy(check)}.`,
});
