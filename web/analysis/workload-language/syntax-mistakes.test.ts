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

const declared = `workload "x";
param step = 2ms from 1ms to 3ms "Step";
knob design "Design" {
  one = 1;
  two = 2;
}
latch L : innodb_mutex;
thread c[64] {
  transaction {
    in "a" work(step * design);
    in "b" hold L { work(1us); }
  }
}
`;

// While a line is written, it takes the next one for its end.
test.each([
  ['param step = 2ms from 1ms to 3ms "Step";', 'param wait =', 'expected a value after param wait ='],
  ['latch L : innodb_mutex;', 'latch LOCK_b :', 'expected a name after latch LOCK_b :'],
  ['    in "a" work(step * design);', '    in "a" work(', 'expected ); after in "a" work('],
  ['    in "a" work(step * design);', '    in "a" work(step', 'expected ); after in "a" work(step'],
  [
    '    in "b" hold L { work(1us); }',
    '    in "b" hold L { work(1',
    'expected ); } after in "b" hold L { work(1',
  ],
])('the line before %s is unfinished: %s', (next, unfinished, sentence) => {
  const source = declared.replace(next, `${unfinished}\n${next}`);
  expect(errorsOf(source).map((error) => error.sentence)).toEqual([sentence]);
});

test('the errors of two declarations are both found', () => {
  const source = declared.replace('2ms from', '2ms form').replace('work(step', 'work(step,, ');
  expect(errorsOf(source).map(({ at }) => at)).toEqual(['2:18', '10:22', '10:23']);
});
