// What the checks of an exercise want, in words.
import {
  contest_measures,
  START,
  type ContestCheck,
  type LabContestSpec,
  type ExerciseCheck,
  type LabCheckOptions,
} from '../contract/lab-exercise.ts';

/** What a check wants, to be read before anything is judged. */
export function wantedBy(check: ExerciseCheck): string {
  switch (check.kind) {
    case 'right':
      return `${memoryInWords(check)}no fault`;
    case 'faulty':
      return `${memoryInWords(check)}the fault ${check.fault}`;
    case 'contest':
      return `${contestInWords(check.contest)}: ${boundInWords(check, contest_measures[check.measure])}`;
    case 'uses':
      return `the operations ${check.operations.join(', ')}`;
    case 'does_not_use':
      return `none of the operations ${check.operations.join(', ')}`;
    case 'keeps':
      return `${check.functions.join(', ')} as given`;
  }
}

/** How stores take effect, if a check is about one way only. */
export const memoryInWords = ({ memory = 'both' }: LabCheckOptions) =>
  ({ sc: 'each store at once: ', tso: 'with store buffers: ', both: '' })[memory];

/** `unit`: what there is to be so much of, if it has to be said. */
export function boundInWords({ at_least, at_most }: ContestCheck, unit = ''): string {
  const [least_or_most, bound] = at_least === undefined ? ['at most', at_most!] : ['at least', at_least];
  const of_it = unit === '' ? '' : ` ${unit}`;
  if (typeof bound === 'number') return `${least_or_most} ${figure(bound)}${of_it}`;
  const times = bound.times === 1 ? '' : `${bound.times} times `;
  return `${least_or_most} ${times}as many${of_it} as ${latchInWords(bound.of)}`;
}

const latchInWords = (latch: string) => (latch === START ? 'start.latch' : latch);

/** Such as `with 16 threads (60 ns held, 200 ns of work between)`. */
export function contestInWords(contest: LabContestSpec): string {
  const { server, threads, hold_ns, think_ns, shared_percent } = contest;
  const details = [
    ...(hold_ns === undefined ? [] : [`${figure(hold_ns)} ns held`]),
    ...(think_ns === undefined ? [] : [`${figure(think_ns)} ns of work between`]),
    ...(shared_percent === undefined ? [] : [`${shared_percent} % shared`]),
    ...(server === undefined ? [] : [server]),
  ];
  const with_threads = threads === 1 ? 'with one thread' : `with ${threads} threads`;
  return details.length === 0 ? with_threads : `${with_threads} (${details.join(', ')})`;
}

/** Whole from 100 on, else of three digits. */
export const figure = (value: number) =>
  value.toLocaleString(
    'en',
    Math.abs(value) >= 100 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 3 },
  );
