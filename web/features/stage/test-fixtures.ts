// A story and a course that are drawn here, not recorded.
import type { StageStory } from '../../contract/scenario-files/stage';
import { History } from '../../recording/history';
import type { Course } from '../../session/course';

export const story = {
  spec: { design: 'original', interval_s: 1 },
  break: { title: 'Break', actions: ['break_it'] },
  pace: 1,
  course: {
    duration_s: 10,
    steps: [
      { at_s: 2, step: 'break' },
      { at_s: 6, step: 'fixed' },
    ],
  },
} as unknown as StageStory;

const nothing = {
  ...{ p50_ns: null, p95_ns: null, p99_ns: null, max_ns: null, operations_per_s: null },
  ...{ running: null, stalled: null, spinning: null, waiting: null },
  ...{ following: null, ready: null, sleeping: null, io: null },
};

/** A history with one row per second. */
export function historyOf(rates: readonly number[]): History {
  const history = new History();
  let transactions = 0;
  history.show(
    rates.map((rate, tS) => {
      transactions += rate;
      return { t_s: tS, from_s: tS, transactions, transactions_per_s: rate, ...nothing };
    }),
  );
  return history;
}

const pictures = [0, 1, 2, 3, 6, 7].map((tS) => ({ tS, states: { running: tS }, queue: null, cause: null }));
export const course = {
  history: historyOf([100, 100, 100, 0, 5, 5, 60, 60, 60, 60, 60]),
  pictures,
} as unknown as Course;
