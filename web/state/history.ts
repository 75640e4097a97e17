import { busy_states } from '../analysis/time-shares';

export const history_columns = [
  't_s',
  'transactions_per_s',
  'operations_per_s',
  'p50_ns',
  'p95_ns',
  'p99_ns',
  'max_ns',
  ...busy_states,
] as const;
export type HistoryColumn = (typeof history_columns)[number];
export type HistoryRow = Record<HistoryColumn, number | null>;

const ROWS_MAX = 12_000;

/** Rows as they are read: those of a run that goes on, or of one that is over. */
export interface HistoryRows {
  readonly length: number;
  /** All values of a column, oldest first. A view, valid until the next append. */
  column: (name: HistoryColumn) => Float64Array;
  /** Run time of the newest row; 0 before the first. */
  readonly end_s: number;
}

/** What the charts draw: columns of numbers over run time. NaN means that nothing is known: the line has a gap. */
export class History implements HistoryRows {
  readonly #columns = new Map(history_columns.map((name) => [name, new Float64Array(ROWS_MAX)]));
  readonly #listeners = new Set<() => void>();
  #length = 0;

  get length(): number {
    return this.#length;
  }

  column(name: HistoryColumn): Float64Array {
    return this.#columns.get(name)!.subarray(0, this.#length);
  }

  get end_s(): number {
    return this.#length === 0 ? 0 : this.#columns.get('t_s')![this.#length - 1]!;
  }

  append(row: HistoryRow): void {
    if (this.#length === ROWS_MAX) this.#dropOlderHalf();
    for (const [name, values] of this.#columns) values[this.#length] = row[name] ?? Number.NaN;
    this.#length += 1;
    this.#notify();
  }

  /** The rows so far, which stay when this history goes on or is cleared. */
  copy(): HistoryRows {
    const { length, end_s } = this;
    const columns = new Map(history_columns.map((name) => [name, this.column(name).slice()]));
    return { length, end_s, column: (name) => columns.get(name)! };
  }

  /** Ends the lines here; the next row starts new ones. */
  appendGap(): void {
    if (this.#length === 0) return;
    const nothing = Object.fromEntries(history_columns.map((name) => [name, null])) as HistoryRow;
    this.append({ ...nothing, t_s: this.end_s });
  }

  clear(): void {
    this.#length = 0;
    this.#notify();
  }

  /** Returns the function that ends the subscription. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #dropOlderHalf(): void {
    const kept = ROWS_MAX / 2;
    for (const values of this.#columns.values()) values.copyWithin(0, ROWS_MAX - kept);
    this.#length = kept;
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}
