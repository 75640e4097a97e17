// Puts the checks of an exercise into words.
import {
  contest_measures,
  START,
  workload_measures,
  type ContestCheck,
  type LabContestSpec,
  type ExerciseCheck,
  type LabCheckOptions,
  type WorkloadCheck,
  type WorkloadSpec,
} from '../contract/lab-exercise.ts';

/** Returns a check's requirement in words, to be read before the attempt is judged. */
export function wantedBy(check: ExerciseCheck): string {
  switch (check.kind) {
    case 'right':
      return `${memoryInWords(check)}no fault${check.require_fair === true ? ', no starvation' : ''}`;
    case 'faulty':
      return `${memoryInWords(check)}fault ${check.fault}`;
    case 'contest':
      return `${contestInWords(check.contest)}: ${boundInWords(check, contest_measures[check.measure])}`;
    case 'workload':
      return `${workloadInWords(check.workload)}: ${boundInWords(check, workload_measures[check.measure])}`;
    case 'uses':
      return `uses ${check.operations.join(', ')}`;
    case 'does_not_use':
      return `does not use ${check.operations.join(', ')}`;
    case 'keeps':
      return `${check.functions.join(', ')} unchanged`;
  }
}

/** Names the memory model, if a check applies to only one. */
export const memoryInWords = ({ memory = 'both' }: LabCheckOptions) =>
  ({ sc: 'without store buffers: ', tso: 'with store buffers: ', both: '' })[memory];

/**
 * Puts a bound into words. `unit` names the measured quantity, or is empty if the sentence has it
 * already.
 */
export function boundInWords({ kind, at_least, at_most }: ContestCheck | WorkloadCheck, unit = ''): string {
  const [leastOrMost, bound] = at_least === undefined ? ['at most', at_most!] : ['at least', at_least];
  const ofIt = unit === '' ? '' : ` ${unit}`;
  if (typeof bound === 'number') return `${leastOrMost} ${figure(bound)}${ofIt}`;
  const times = bound.times === 1 ? '' : `${bound.times} times `;
  return `${leastOrMost} ${times}as many${ofIt} as ${referenceInWords(kind, bound.of)}`;
}

function referenceInWords(kind: (ContestCheck | WorkloadCheck)['kind'], of: string): string {
  if (of === START) return 'start.latch';
  return kind === 'workload' ? `design ${of}` : of;
}

/** Returns text such as `with 16 threads (60 ns held, 200 ns of work between)`. */
export function contestInWords(contest: LabContestSpec): string {
  const { server, threads, hold_ns, think_ns, shared_percent } = contest;
  const details = [
    ...(hold_ns === undefined ? [] : [`${figure(hold_ns)} ns held`]),
    ...(think_ns === undefined ? [] : [`${figure(think_ns)} ns think time`]),
    ...(shared_percent === undefined ? [] : [`${shared_percent} % shared`]),
    ...(server === undefined ? [] : [server]),
  ];
  const withThreads = `with ${threadsInWords(threads)}`;
  return details.length === 0 ? withThreads : `${withThreads} (${details.join(', ')})`;
}

/** Returns text such as `in bug #69276 with 54 threads and your latch as tablespace_lookup`. */
export function workloadInWords({ scenario, design, threads, parameters = {} }: WorkloadSpec): string {
  const values = Object.entries(parameters).map(([name, value]) => `${name} ${figure(value)}`);
  const ofIt = [...(threads === undefined ? [] : [threadsInWords(threads)]), ...values];
  const withThese = ofIt.length === 0 ? '' : ` with ${ofIt.join(', ')}`;
  return `in bug #${scenario.split('-').at(-1)!}${withThese}, your latch in ${Object.keys(design).join(' and ')}`;
}

const threadsInWords = (threads: number) => (threads === 1 ? 'one thread' : `${threads} threads`);

/** Rounds to a whole number from 100 up, otherwise to three digits. */
export const figure = (value: number) =>
  value.toLocaleString(
    'en',
    Math.abs(value) >= 100 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 3 },
  );
