// Stores a run's history: one row of figures per reading.
import { busy_states } from '../contract/time-shares';
import { Listeners } from './listeners';

export const historyColumns = [
  't_s',
  // Start of the window of this row's rates and percentiles, in run time.
  'from_s',
  // Transactions that have ended since the run began.
  'transactions',
  'transactions_per_s',
  'operations_per_s',
  'p50_ns',
  'p95_ns',
  'p99_ns',
  'max_ns',
  ...busy_states,
] as const;
export type HistoryColumn = (typeof historyColumns)[number];
export type HistoryRow = Record<HistoryColumn, number | null>;

const ROWS_MAX = 12_000;

/** Rows of a run in progress, or of a finished run. */
export interface HistoryRows {
  readonly length: number;
  /** Returns all values of a column, oldest first: a view, valid until the next append. */
  column: (name: HistoryColumn) => Float64Array;
  /** Run time of the newest row; 0 before the first. */
  readonly endS: number;
  /** Changes with every change of the rows. */
  readonly changes: number;
}

const columnsFor = (rows: number) => new Map(historyColumns.map((name) => [name, new Float64Array(rows)]));

/**
 * The data of the charts: columns of numbers over run time. NaN means unknown; the line has a gap
 * there.
 */
export class History extends Listeners implements HistoryRows {
  #room = ROWS_MAX;
  #columns = columnsFor(ROWS_MAX);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  column(name: HistoryColumn): Float64Array {
    return this.#columns.get(name)!.subarray(0, this.#length);
  }

  get endS(): number {
    return this.#length === 0 ? 0 : this.#columns.get('t_s')![this.#length - 1]!;
  }

  append(row: HistoryRow): void {
    if (this.#length === this.#room) this.#thinOut();
    this.#write(row);
    this.notify();
  }

  /** Adds all rows of a finished run, however many there are. */
  show(rows: readonly HistoryRow[]): void {
    this.#makeRoom(Math.max(ROWS_MAX, rows.length));
    for (const row of rows) this.#write(row);
    this.notify();
  }

  /** Drops the rows after this moment of the run. */
  cutAfter(tS: number): void {
    const times = this.column('t_s');
    while (this.#length > 0 && times[this.#length - 1]! > tS) this.#length -= 1;
    this.notify();
  }

  /** Returns a copy of the rows so far. */
  copy(): HistoryRows {
    const { length, endS, changes } = this;
    const columns = new Map(historyColumns.map((name) => [name, this.column(name).slice()]));
    return { length, endS, changes, column: (name) => columns.get(name)! };
  }

  /** Ends the lines here; the next row starts new ones. */
  appendGap(): void {
    if (this.#length === 0) return;
    const nothing = Object.fromEntries(historyColumns.map((name) => [name, null])) as HistoryRow;
    const transactions = this.column('transactions').at(-1)!;
    this.append({ ...nothing, t_s: this.endS, transactions });
  }

  clear(): void {
    this.#makeRoom(ROWS_MAX);
    this.notify();
  }

  #write(row: HistoryRow): void {
    for (const [name, values] of this.#columns) values[this.#length] = row[name] ?? Number.NaN;
    this.#length += 1;
  }

  #makeRoom(room: number): void {
    this.#length = 0;
    if (room === this.#room) return;
    this.#room = room;
    this.#columns = columnsFor(room);
  }

  /**
   * Merges rows in pairs: keeps the later row with the larger maximum, so that a long run stays
   * complete at half the resolution. Gaps stay.
   */
  #thinOut(): void {
    const maxNs = this.#columns.get('max_ns')!;
    const rates = this.#columns.get('transactions_per_s')!;
    let kept = 0;
    for (let row = 0; row < this.#length; row += 1) {
      const hasLater = row % 2 === 0 && row + 1 < this.#length;
      if (hasLater && !Number.isNaN(rates[row + 1]!) && !Number.isNaN(rates[row]!)) {
        if (maxNs[row]! > maxNs[row + 1]!) maxNs[row + 1] = maxNs[row]!;
        continue;
      }
      for (const values of this.#columns.values()) values[kept] = values[row]!;
      kept += 1;
    }
    this.#length = kept;
    // If all rows are gaps, none of them is needed.
    if (kept === this.#room) this.#length = 0;
  }
}
