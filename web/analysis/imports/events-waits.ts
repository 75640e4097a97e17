// Reads snapshots of performance_schema.events_waits_summary_global_by_event_name, with status
// variables that were printed beside them.
import {
  ImportRefused,
  type CounterRow,
  type ImportForm,
  type StatusValue,
  type WaitCounters,
} from './reader';
import { isGrowth } from './snapshots';
import { headerColumns, ResultTables, type ResultRow } from './result-tables';

const EVENT = 'EVENT_NAME';
const COUNT = 'COUNT_STAR';
const WAIT = 'SUM_TIMER_WAIT';
const events = [EVENT, COUNT] as const;
const status = ['VARIABLE_NAME', 'VALUE'] as const;
const statusOfSchema = ['VARIABLE_NAME', 'VARIABLE_VALUE'] as const;
/** Columns that describe the server, alone or with others. */
const ofServer = [['@@VERSION'], ['VERSION()'], ['@@HOSTNAME']] as const;
/** The heading of a result with one of them alone, which has no separators. */
const ALONE = /^(?:@@version|version\(\)|@@hostname)$/i;

/** Tables with several rows per event have one of these columns; their rows are added up. */
const partsOfEvent = ['USER', 'HOST', 'THREAD_ID', 'OBJECT_INSTANCE_BEGIN'] as const;

/** Servers have fewer than two thousand. */
export const EVENTS_MAX = 20_000;

export const tooManyEvents = (line: number) =>
  new ImportRefused(
    line,
    'one more event',
    `at most ${EVENTS_MAX.toLocaleString('en')} different events in a snapshot`,
  );

/** Largest value of a BIGINT UNSIGNED. */
const COUNTER_MAX = 2n ** 64n - 1n;
const COUNTER_DIGITS_MAX = 20;

export const eventsWaits: ImportForm = {
  id: 'events_waits',
  title: 'performance_schema.events_waits_summary_global_by_event_name',
  recognizes: (head) =>
    head.some(
      (text) =>
        headerColumns(text, events) !== null ||
        isTableHeader(text) ||
        /^\s*EVENT_NAME: \S/i.test(text) ||
        WITHOUT_HEADER.test(text),
    ),
  open: () => {
    const reader = new EventsWaits();
    return {
      line: (text, number) => reader.line(text, number),
      end: (lines) => reader.end(lines),
    };
  },
};

const isTableHeader = (text: string) =>
  text.startsWith('|') && events.every((name) => text.toUpperCase().includes(name));

const WITHOUT_HEADER = /^"?(?:wait|idle|stage|statement)(?:\/[^\t,;]+)?"?[\t,;]"?\d/;

class EventsWaits {
  readonly #tables = new ResultTables([events, status, statusOfSchema, ...ofServer], (row) => {
    this.#onRow(row);
  });
  readonly #snapshots: Snapshot[] = [];
  /** Variables before the first snapshot, or of the next one. */
  #status = new Map<string, StatusValue>();
  /** The column that the last line names alone; null: none. */
  #alone: string | null = null;

  line(text: string, number: number): void {
    const alone = this.#alone;
    this.#alone = ALONE.test(text.trim()) ? text.trim().toLowerCase() : null;
    if (this.#alone !== null) {
      this.#tables.line('', number);
      return;
    }
    if (alone !== null) {
      this.#note(alone, { value: text.trim(), line: number });
      return;
    }
    if (!this.#tables.isInResult && WITHOUT_HEADER.test(text))
      throw new ImportRefused(number, text, 'a line with the names of the columns before the rows');
    this.#tables.line(text, number);
  }

  end(lines: number): WaitCounters[] {
    this.#tables.end(lines);
    if (this.#snapshots.length === 0)
      throw new ImportRefused(lines, 'the end of the text', `rows with ${EVENT} and ${COUNT}`);
    return this.#snapshots.map((snapshot) => snapshot.counters());
  }

  #onRow(row: ResultRow): void {
    const { values, line } = row;
    if (events.every((name) => values.has(name))) this.#onEvent(row);
    else if (values.has(status[0])) this.#onStatus(values, line);
    // One row of other columns, such as @@hostname, describes the server.
    else for (const [name, value] of values) this.#note(name.toLowerCase(), { value, line });
  }

  #onEvent({ values, line, result }: ResultRow): void {
    let snapshot = this.#snapshots.at(-1);
    if (snapshot?.result !== result) {
      this.#dropMiddle();
      snapshot = new Snapshot(result, this.#status);
      this.#status = new Map();
      this.#snapshots.push(snapshot);
    }
    snapshot.add(
      rowOf(values, line),
      partsOfEvent.some((name) => values.has(name)),
    );
  }

  /**
   * Only the first and the last snapshot count, so a text may have thousands. A snapshot is dropped
   * if its counters lie between those of its neighbors; otherwise it stays, to be refused.
   */
  #dropMiddle(): void {
    const last = this.#snapshots.slice(-3).map((snapshot) => snapshot.counters());
    if (last.length === 3 && isGrowth(last[0]!, last[1]!) && isGrowth(last[1]!, last[2]!))
      this.#snapshots.splice(-2, 1);
  }

  #onStatus(values: ReadonlyMap<string, string>, line: number): void {
    const value = values.get(status[1]) ?? values.get(statusOfSchema[1]);
    if (value === undefined) return;
    this.#note(values.get(status[0])!.toLowerCase(), { value, line });
  }

  /** A variable that a snapshot has already belongs to the next one. */
  #note(name: string, value: StatusValue): void {
    const current = this.#snapshots.at(-1)?.status;
    if (current === undefined || current.has(name)) this.#status.set(name, value);
    else current.set(name, value);
  }
}

class Snapshot {
  readonly result: number;
  readonly status: Map<string, StatusValue>;
  readonly #rows = new Map<string, CounterRow>();

  constructor(result: number, status: Map<string, StatusValue>) {
    this.result = result;
    this.status = status;
  }

  add(row: CounterRow, isPart: boolean): void {
    const before = this.#rows.get(row.event);
    if (before !== undefined && !isPart)
      throw new ImportRefused(row.line, row.event, `each event once; it is in line ${before.line}, too`);
    if (before === undefined && this.#rows.size === EVENTS_MAX) throw tooManyEvents(row.line);
    this.#rows.set(row.event, before === undefined ? row : sumOf(before, row));
  }

  counters(): WaitCounters {
    return { kind: 'counters', rows: [...this.#rows.values()], status: this.status };
  }
}

const sumOf = (a: CounterRow, b: CounterRow): CounterRow => ({
  ...a,
  count: a.count + b.count,
  waitPs: a.waitPs === null || b.waitPs === null ? null : a.waitPs + b.waitPs,
  minPs: null,
  maxPs: null,
});

function rowOf(values: ReadonlyMap<string, string>, line: number): CounterRow {
  const event = values.get(EVENT)!;
  if (!/^[a-z_]+(?:\/\S.*)?$/.test(event))
    throw new ImportRefused(
      line,
      `${EVENT} ${event}`,
      'the name of an event, such as wait/synch/mutex/sql/LOCK_open',
    );
  const read = (column: string) => {
    const text = values.get(column);
    return text === undefined ? null : counter(text, column, line);
  };
  const row = {
    ...{ event, line, count: read(COUNT)!, waitPs: read(WAIT) },
    ...{ minPs: read('MIN_TIMER_WAIT'), maxPs: read('MAX_TIMER_WAIT') },
  };
  if (row.waitPs === null)
    throw new ImportRefused(line, `no ${WAIT}`, `the columns ${EVENT}, ${COUNT} and ${WAIT}`);
  requireOrder(row, read('AVG_TIMER_WAIT'));
  return row;
}

/**
 * A digit that is missing or repeated usually breaks this order. The server reads the values of a row
 * one after the other while threads change them, so only gross differences count.
 */
function requireOrder(row: CounterRow, avgPs: bigint | null): void {
  const { count, waitPs, minPs, maxPs, line } = row;
  const refuse = (value: string, allowed: string) => {
    throw new ImportRefused(line, value, allowed);
  };
  if (maxPs === null || maxPs === 0n) return;
  if (waitPs! < maxPs) refuse(`${WAIT} ${waitPs}`, `at least MAX_TIMER_WAIT, ${maxPs}`);
  if (avgPs !== null && avgPs > 2n * maxPs)
    refuse(`AVG_TIMER_WAIT ${avgPs}`, `at most MAX_TIMER_WAIT, ${maxPs}`);
  if (minPs !== null && minPs > maxPs) refuse(`MIN_TIMER_WAIT ${minPs}`, `at most MAX_TIMER_WAIT, ${maxPs}`);
  if (waitPs! > 2n * maxPs * count)
    refuse(`${WAIT} ${waitPs}`, `at most ${count} times MAX_TIMER_WAIT, ${maxPs}`);
}

/** Reads a counter. Separators of thousands differ between countries, so they are refused. */
export function counter(text: string, column: string, line: number): bigint {
  if (!/^\d+$/.test(text))
    throw new ImportRefused(line, `${column} ${text}`, 'a whole number in digits, without separators');
  const value = text.length > COUNTER_DIGITS_MAX ? COUNTER_MAX + 1n : BigInt(text);
  if (value > COUNTER_MAX) throw new ImportRefused(line, `${column} ${text}`, `at most ${COUNTER_MAX}`);
  return value;
}
