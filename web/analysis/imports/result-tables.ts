// Reads results of SQL statements as the mysql client prints them: tables, values between tabs or
// commas, and one column per line (\G).
import { dsvFormat } from 'd3-dsv';

import { printable } from '../../contract/fault';
import { ImportRefused } from './reader';

/** One row of a result. */
export interface ResultRow {
  line: number;
  /** By the name of the column in capitals. */
  values: ReadonlyMap<string, string>;
  /** Counts the results of the text; rows with the same number have the same columns. */
  result: number;
}

interface Header {
  line: number;
  columns: readonly string[];
}

/** A result in progress. */
type Result =
  | { form: 'table'; header: Header | null; isEnded: false; begunAt: number }
  | { form: 'separated'; header: Header; separator: string }
  | { form: 'vertical'; header: Header | null; values: Map<string, string>; begunAt: number };

const BORDER = /^\+(?:-+\+)+$/;
const VERTICAL_ROW = /^\*{10,} (\d+)\. row \*{10,}$/;
const FIELD = /^ *([^:\s][^:]*): ?(.*)$/;
const separators = ['\t', ',', ';'] as const;

/** Rows beyond it are no result of a table with one row per event. */
const COLUMNS_MAX = 200;

/** Returns the cells of a line of values, without their quotation marks. */
export function cellsOf(text: string, separator: string): string[] {
  if (separator === '\t') return text.split('\t');
  return (dsvFormat(separator).parseRows(text)[0] ?? []).map((cell) => cell.trim());
}

/** Returns the columns of a line that has all of these names; null if it has not. */
export function headerColumns(
  text: string,
  wanted: readonly string[],
): { separator: string; columns: string[] } | null {
  const upper = text.toUpperCase();
  if (!wanted.every((name) => upper.includes(name))) return null;
  for (const separator of separators) {
    if (!text.includes(separator)) continue;
    const columns = cellsOf(upper, separator);
    if (wanted.every((name) => columns.includes(name))) return { separator, columns };
  }
  return null;
}

/** Returns whether a line begins a table or a vertical row. */
export const beginsResult = (text: string) =>
  BORDER.test(text.trimEnd()) || VERTICAL_ROW.test(text.trimEnd());

/**
 * Reads the results of a text line by line. Lines outside of results, such as prompts, are left out.
 * `headers` lists sets of column names: a line that has all names of a set begins a result of
 * separated values.
 */
export class ResultTables {
  readonly #headers: readonly (readonly string[])[];
  readonly #onRow: (row: ResultRow) => void;
  #result: Result | null = null;
  #results = 0;

  constructor(headers: readonly (readonly string[])[], onRow: (row: ResultRow) => void) {
    this.#headers = headers;
    this.#onRow = onRow;
  }

  /** Whether the next line may be a row of the last header. */
  get isInResult(): boolean {
    return this.#result !== null;
  }

  line(text: string, line: number): void {
    const trimmed = text.trimEnd();
    const result = this.#result;
    if (result?.form === 'table') this.#tableLine(result, trimmed, line);
    else if (result?.form === 'vertical') this.#verticalLine(result, trimmed, line);
    else if (result?.form === 'separated') this.#separatedLine(result, text.replace(/\r$/, ''), line);
    else this.#outside(text.replace(/\r$/, ''), line);
  }

  end(lines: number): void {
    const result = this.#result;
    if (result?.form === 'table')
      throw new ImportRefused(
        lines,
        'the end of the text',
        `the last border of the table that begins at line ${result.begunAt}: it is cut off`,
      );
    if (result?.form === 'vertical') this.#endVertical(result, lines);
    this.#result = null;
  }

  #outside(text: string, line: number): void {
    const trimmed = text.trim();
    if (BORDER.test(trimmed)) {
      this.#results += 1;
      this.#result = { form: 'table', header: null, isEnded: false, begunAt: line };
      return;
    }
    if (VERTICAL_ROW.test(trimmed)) {
      this.#beginVertical(trimmed, line, null);
      return;
    }
    for (const wanted of this.#headers) {
      const found = headerColumns(text, wanted);
      if (found === null) continue;
      this.#results += 1;
      const header = { line, columns: found.columns };
      this.#result = { form: 'separated', header, separator: found.separator };
      return;
    }
  }

  #tableLine(result: Extract<Result, { form: 'table' }>, text: string, line: number): void {
    const { header, begunAt } = result;
    if (BORDER.test(text)) {
      if (header === null) throw new ImportRefused(line, text, 'the names of the columns');
      // The border below the names does not end the table.
      if (header.line === line - 1) return;
      this.#result = null;
      return;
    }
    if (!text.startsWith('|') || !text.endsWith('|') || text.length < 2)
      throw new ImportRefused(line, text, `a row of the table that begins at line ${begunAt}`);
    const cells = text.slice(1, -1).split('|');
    if (header === null) {
      const columns = cells.map((cell) => cell.trim().toUpperCase());
      if (columns.length > COLUMNS_MAX)
        throw new ImportRefused(line, `${columns.length} columns`, `at most ${COLUMNS_MAX}`);
      result.header = { line, columns };
      return;
    }
    this.#row(cells, header, line);
  }

  #separatedLine(result: Extract<Result, { form: 'separated' }>, text: string, line: number): void {
    const { header, separator } = result;
    if (text.trim() === '') {
      this.#result = null;
      return;
    }
    if (beginsResult(text) || this.#headers.some((wanted) => headerColumns(text, wanted) !== null)) {
      this.#result = null;
      this.#outside(text, line);
      return;
    }
    if (!text.includes(separator) && header.columns.length > 1 && isRemark(text)) {
      this.#result = null;
      return;
    }
    this.#row(cellsOf(text, separator), header, line);
  }

  #row(cells: readonly string[], { columns, line: headerLine }: Header, line: number): void {
    if (cells.length !== columns.length)
      throw new ImportRefused(
        line,
        `${cells.length} values`,
        `${columns.length} values, one for each column of line ${headerLine}`,
      );
    const values = new Map(columns.map((column, i) => [column, cells[i]!.trim()]));
    this.#onRow({ line, values, result: this.#results });
  }

  #beginVertical(text: string, line: number, before: Header | null): void {
    const [, number] = VERTICAL_ROW.exec(text)!;
    const isFirst = number === '1' || before === null;
    if (isFirst) this.#results += 1;
    this.#result = {
      ...{ form: 'vertical', values: new Map(), begunAt: line },
      header: isFirst ? null : before,
    };
  }

  #verticalLine(result: Extract<Result, { form: 'vertical' }>, text: string, line: number): void {
    const trimmed = text.trim();
    if (VERTICAL_ROW.test(trimmed)) {
      this.#endVertical(result, line - 1);
      this.#beginVertical(trimmed, line, result.header);
      return;
    }
    const [, name, value] = FIELD.exec(text) ?? [];
    const isField = name !== undefined && isColumnName(name);
    if (isField) {
      const column = name.trim().toUpperCase();
      if (result.values.has(column))
        throw new ImportRefused(line, text, `one value for ${printable(column)}, or the next row`);
      if (result.values.size >= COLUMNS_MAX)
        throw new ImportRefused(line, `${COLUMNS_MAX + 1} columns`, `at most ${COLUMNS_MAX}`);
      result.values.set(column, value!.trim());
      return;
    }
    if (trimmed !== '' && !isRemark(trimmed))
      throw new ImportRefused(line, text, `a column of the row that begins at line ${result.begunAt}`);
    this.#endVertical(result, line);
    this.#result = null;
  }

  #endVertical(result: Extract<Result, { form: 'vertical' }>, line: number): void {
    const { values, begunAt } = result;
    const columns = result.header?.columns;
    const missing = columns?.find((column) => !values.has(column));
    if (missing !== undefined)
      throw new ImportRefused(
        line,
        `no ${missing}`,
        `the columns of the rows before it: the row that begins at line ${begunAt} is cut off`,
      );
    result.header ??= { line: begunAt, columns: [...values.keys()] };
    this.#onRow({ line: begunAt, values, result: this.#results });
  }
}

const isColumnName = (name: string) => /^[A-Za-z_@][\w@.() ]*$/.test(name);

/** Returns whether the client, not the server, printed a line: a count, a prompt or a warning. */
const isRemark = (text: string) =>
  /^(?:\d+ rows? in set|Query OK|Empty set|mysql>|MariaDB \[|-+$|Bye$|mysql: \[|\[?Warning)/i.test(
    text.trim(),
  );
