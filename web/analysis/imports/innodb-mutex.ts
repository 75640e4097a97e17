// Reads SHOW ENGINE INNODB MUTEX: how often threads slept at each latch.
import { counter, EVENTS_MAX, tooManyEvents } from './events-waits';
import { ImportRefused, type CounterRow, type ImportForm, type WaitCounters } from './reader';
import { headerColumns, ResultTables } from './result-tables';

const columns = ['TYPE', 'NAME', 'STATUS'] as const;
const WAITS = /\b(?:os_)?waits=([^\s|]*)/;

export const innodbMutex: ImportForm = {
  id: 'innodb_mutex',
  title: 'SHOW ENGINE INNODB MUTEX',
  recognizes: (head) => head.some((text) => WAITS.test(text)) && head.some(isHeader),
  open: () => {
    const rows = new Map<string, CounterRow>();
    const tables = new ResultTables([columns], ({ values, line }) => {
      const status = values.get('STATUS');
      const name = values.get('NAME');
      if (status === undefined || name === undefined) return;
      const [, waits] = WAITS.exec(status) ?? [];
      if (waits === undefined) throw new ImportRefused(line, `Status ${status}`, 'waits=n or os_waits=n');
      const none = { waitPs: null, minPs: null, maxPs: null };
      add(rows, { event: latchOf(name), line, count: counter(waits, 'waits', line), ...none });
    });
    return {
      line: (text, number) => tables.line(text, number),
      end: (lines): WaitCounters[] => {
        tables.end(lines);
        if (rows.size === 0) throw new ImportRefused(lines, 'the end of the text', 'rows with waits=n');
        return [{ kind: 'counters', rows: [...rows.values()], status: new Map() }];
      },
    };
  },
};

const isHeader = (text: string) =>
  headerColumns(text, columns) !== null ||
  (text.startsWith('|') && columns.every((name) => text.toUpperCase().includes(name))) ||
  /^\s*Type: InnoDB/i.test(text);

/** Latches of one kind have one row each: the instances of the buffer pool, for example. */
function add(rows: Map<string, CounterRow>, row: CounterRow): void {
  const before = rows.get(row.event);
  if (before === undefined && rows.size === EVENTS_MAX) throw tooManyEvents(row.line);
  rows.set(row.event, before === undefined ? row : { ...before, count: before.count + row.count });
}

const latchOf = (name: string) => name.replace(/^(?:sum |combined )?(?:rwlock: )?&?/, '');
