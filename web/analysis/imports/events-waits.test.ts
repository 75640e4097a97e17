import { expect, test } from 'vitest';

import { ImportRefused, type WaitCounters } from './reader';
import { contentsOf, separatedText, someRows, tableText, verticalText } from './test-fixtures';

const rowsOf = (text: string, index = 0) =>
  (contentsOf(text)[index] as WaitCounters).rows.map(({ event, count, waitPs }) => [event, count, waitPs]);
const expected = someRows.map(([event, count, sum]) => [event, BigInt(count), BigInt(sum)]);

const faultOf = (text: string) => {
  try {
    contentsOf(text);
  } catch (error) {
    if (error instanceof ImportRefused) return error.fault;
    throw error;
  }
  return null;
};

test.each([
  ['a table', tableText(someRows)],
  ['values between tabs', separatedText(someRows)],
  ['CSV', separatedText(someRows, ',', '"')],
  ['CSV with semicolons and Windows line ends', separatedText(someRows, ';').replaceAll('\n', '\r\n')],
  ['one column per line', verticalText(someRows)],
  [
    'a table between a prompt and a remark',
    `mysql> select * from events_waits_summary_global_by_event_name;\n${tableText(someRows)}5 rows in set (0.00 sec)\n\nmysql> exit\nBye\n`,
  ],
  ['a byte order mark', `\uFEFF${separatedText(someRows)}`],
])('%s has the same rows', (_, text) => {
  expect(rowsOf(text)).toEqual(expected);
});

test('counters keep all their 64 bits', () => {
  const large = 18_446_744_073_709_551_557n;
  expect(rowsOf(tableText([['wait/synch/mutex/sql/LOCK_open', 3, large]]))[0]![2]).toBe(large);
});

test('status variables belong to the table that they stand beside', () => {
  const [first, second] = contentsOf(
    tableText(someRows, { Uptime: 10, Questions: 100 }) + tableText(someRows, { Uptime: 18, Questions: 900 }),
  ) as WaitCounters[];
  expect(first!.status.get('uptime')!.value).toBe('10');
  expect(second!.status.get('uptime')!.value).toBe('18');
  expect(second!.status.get('questions')!.value).toBe('900');
});

test('rows of one event per thread are added up', () => {
  const text =
    'THREAD_ID\tEVENT_NAME\tCOUNT_STAR\tSUM_TIMER_WAIT\n' +
    '1\twait/synch/mutex/sql/LOCK_open\t2\t30\n2\twait/synch/mutex/sql/LOCK_open\t3\t50\n';
  expect(rowsOf(text)).toEqual([['wait/synch/mutex/sql/LOCK_open', 5n, 80n]]);
});

const lines = tableText(someRows).split('\n');
test.each([
  ['a table without its last border', lines.slice(0, -2).join('\n'), /^line 8$/, /the end of the text/],
  ['a row that is cut off', lines.slice(0, 5).join('\n').slice(0, -9), /^line 5$/, /wait\/io\/table/],
  [
    'a line of values that is cut off',
    separatedText(someRows).split('\t').slice(0, 13).join('\t'),
    /^line 3$/,
    /3 values/,
  ],
  [
    'a vertical row that is cut off',
    verticalText(someRows).split('\n').slice(0, 10).join('\n'),
    /^line 10$/,
    /no SUM_TIMER_WAIT/,
  ],
  [
    'separators of thousands',
    separatedText(someRows).replace('\t4000\t', '\t4.000\t'),
    /^line 4$/,
    /COUNT_STAR 4\.000/,
  ],
  [
    'a decimal fraction',
    separatedText(someRows).replace('\t4000\t', '\t4000,5\t'),
    /^line 4$/,
    /COUNT_STAR 4000,5/,
  ],
  [
    'a negative counter',
    separatedText(someRows).replace('\t4000\t', '\t-4000\t'),
    /^line 4$/,
    /COUNT_STAR -4000/,
  ],
  [
    'a counter above 64 bits',
    separatedText(someRows).replace('\t4000\t', `\t${'9'.repeat(400)}\t`),
    /^line 4$/,
    /COUNT_STAR 9{9}/,
  ],
  [
    'a sum below the longest wait',
    separatedText(someRows).replace('\t6000000000000\t', '\t600\t'),
    /^line 4$/,
    /SUM_TIMER_WAIT 600/,
  ],
  ['an event twice', separatedText([...someRows, someRows[0]!]), /^line 7$/, /idle/],
  [
    'no line with the names of columns',
    separatedText(someRows).split('\n').slice(1).join('\n'),
    /^line 1$/,
    /idle/,
  ],
  ['no times', 'EVENT_NAME\tCOUNT_STAR\nidle\t5\n', /^line 2$/, /no SUM_TIMER_WAIT/],
  ['a zero byte', separatedText(someRows).replace('idle', 'id\0le'), /^line 2$/, /a zero byte/],
  ['another kind of text', '\n{"a": 1}\n', /^line 2$/, /^\{"a": 1\}$/],
  ['nothing', '', /^line 1$/, /^$/],
  [
    'a line of two million characters',
    `EVENT_NAME\tCOUNT_STAR\n${'x'.repeat(2_000_000)}`,
    /^line 2$/,
    /2,000,000 characters/,
  ],
])('%s is refused with its line and value', (_, text, field, value) => {
  const fault = faultOf(text);
  expect(fault?.field).toMatch(field);
  expect(fault?.value).toMatch(value);
  expect(fault?.allowed).not.toBe('');
});

test('a name from the text is no property of an object', () => {
  const text = separatedText([['__proto__', 1, 2]]);
  expect(rowsOf(text)).toEqual([['__proto__', 1n, 2n]]);
});
