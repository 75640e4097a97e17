// Defines a recorded run as the page has seen it, and the form in which it is stored.
import type { QueuePicture } from '../analysis/client-queue';
import type { LatchQueue, QueueCause, StoredCourse } from '../contract/client-queue';
import type { Manifest } from '../contract/manifest';
import type { RunSpec } from '../contract/run-spec';
import { busy_states, type BusyState } from '../contract/time-shares';
import { History } from '../recording/history';
import { runMark, type RunMark } from '../recording/run-marks';

/** A recorded run. */
export interface Course {
  spec: RunSpec;
  marks: readonly RunMark[];
  history: History;
  pictures: readonly QueuePicture[];
}

/** The seen parts of a run. */
interface SeenRun {
  history: History;
  marks: readonly RunMark[];
  pictures: readonly QueuePicture[];
}

/** Converts a run that the page has seen. Rates are rounded to what a chart can show. */
export function storedCourse({ history, marks, pictures }: SeenRun): StoredCourse {
  const queues = new Table<LatchQueue>();
  const causes = new Table<QueueCause>();
  const states = busy_states.filter((state) => pictures.some((picture) => picture.states[state]));
  return {
    t_s: Array.from(history.column('t_s'), (value) => rounded(value, 9)),
    transactions: [...history.column('transactions')],
    rate: Array.from(history.column('transactions_per_s'), (value) =>
      Number.isNaN(value) ? null : rounded(value, 4),
    ),
    marks: marks.map(({ number, kind, subject, value, run_ns, step_ns, stopped_us, is_by_hand }) => ({
      ...{ number, kind, subject, value, run_ns, step_ns, stopped_us, is_by_hand },
    })),
    pictures: {
      t_s: pictures.map(({ tS }) => rounded(tS, 9)),
      states: Object.fromEntries(
        states.map((state) => [state, pictures.map((picture) => picture.states[state] ?? 0)]),
      ),
      queue: pictures.map(({ queue }) => queues.numberOf(queue)),
      cause: pictures.map(({ cause }) => causes.numberOf(cause)),
      queue_table: queues.entries,
      cause_table: causes.entries,
    },
  };
}

/** Numbers equal entries once. */
class Table<Entry> {
  readonly entries: Entry[] = [];
  readonly #numbers = new Map<string, number>();

  numberOf(entry: Entry | null): number {
    if (entry === null) return -1;
    const key = JSON.stringify(entry);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.entries.push(entry) - 1;
    this.#numbers.set(key, number);
    return number;
  }
}

export const rounded = (value: number, digits: number) => Number(value.toPrecision(digits));

/** Restores a stored run. */
export function courseOf(stored: StoredCourse, spec: RunSpec, manifest: Manifest): Course {
  const history = new History();
  const { pictures } = stored;
  const nothing = { p50_ns: null, p95_ns: null, p99_ns: null, max_ns: null, operations_per_s: null };
  const noShares = Object.fromEntries(busy_states.map((state) => [state, null])) as Record<BusyState, null>;
  history.show(
    stored.t_s.map((tS, i) => ({
      ...{ t_s: tS, from_s: tS, transactions: stored.transactions[i]! },
      ...{ transactions_per_s: stored.rate[i]!, ...nothing, ...noShares },
    })),
  );
  return {
    spec,
    history,
    marks: stored.marks.map((mark) => runMark(mark, manifest)),
    pictures: pictures.t_s.map((tS, i) => ({
      tS,
      states: Object.fromEntries(
        Object.entries(pictures.states).map(([state, counts]) => [state, counts[i]!]),
      ),
      queue: pictures.queue_table[pictures.queue[i]!] ?? null,
      cause: pictures.cause_table[pictures.cause[i]!] ?? null,
    })),
  };
}
