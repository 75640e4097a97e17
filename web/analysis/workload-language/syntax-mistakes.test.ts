import { expect, test } from 'vitest';

import { errorsOf } from './test-fixtures';

const inTransaction = (body: string) =>
  `workload "x";\nlatch L : innodb_mutex;\nthread c[64] {\n  transaction {\n${body}\n  }\n}\n`;

test.each([
  ['/* never ends', '5:1', 'this comment does not end: add */', undefined],
  ['in "abc hold L { }', '5:4', 'this text does not end on its line: add "', undefined],
  ['#include <x>', '5:1', 'the language has no #include', undefined],
  ['uint x = 1 ? 2 : 3;', '5:12', 'the language has no ?: write if', undefined],
  ['do { work(1us); } while (0);', '5:1', 'the language has no do: write while', undefined],
  ['if (chance(5%)) work(1us);', '5:12', 'write a share as 5pct', '5pct'],
  ['work(1 us);', '5:6', 'a unit follows its number at once: write 1us', '1us'],
  ['work(1.5µs);', '5:6', 'write 1.5us', '1.5us'],
  ['uint café = 1;', '5:9', 'unexpected é: names have letters a to z, digits and _', undefined],
  ['Hold L { }', '5:1', 'unexpected Hold; did you mean hold?', 'hold'],
])('%s', (body, at, sentence, suggestion) => {
  const [error] = errorsOf(inTransaction(body));
  expect(error).toEqual({ at, sentence, ...(suggestion !== undefined && { suggestion }) });
});

test('a misspelled transaction is named', () => {
  expect(errorsOf('workload "x"; thread c[64] {\n  transactions { }\n}')[0]).toEqual({
    at: '2:3',
    sentence: 'unexpected transactions; did you mean transaction?',
    suggestion: 'transaction',
  });
});

test('a missing last brace is named', () => {
  expect(errorsOf('workload "x";\nthread c[64] { transaction { work(1us); }\n')).toEqual([
    {
      at: '2:42',
      sentence: 'expected } at the end, after ...ad c[64] { transaction { work(1us); }',
      suggestion: '}',
    },
  ]);
});

test('errors behind a mistake are found, too', () => {
  expect(errorsOf(inTransaction('work(1 us); hold L { work(2us) }')).map(({ at }) => at)).toEqual([
    '5:6',
    '5:31',
  ]);
});
