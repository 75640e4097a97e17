import { expect, test } from 'vitest';

import { ImportRefused } from './reader';
import { separatedText, someRows, tableText, verticalText } from './test-fixtures';
import { linesOf, readText, sampleNames, sampleOf } from './test-fixtures/read';
import { importForms } from './text-import';

const claims = (text: string) =>
  importForms.filter((form) => form.recognizes(linesOf(text))).map(({ id }) => id);

test.each(sampleNames)('exactly one form claims %s', (name) => {
  expect(claims(sampleOf(name))).toHaveLength(1);
});

test.each([
  ['events_waits', tableText(someRows, { Uptime: 10 })],
  ['events_waits', separatedText(someRows)],
  ['events_waits', separatedText(someRows, ';')],
  ['events_waits', separatedText(someRows, ',', '"')],
  ['events_waits', verticalText(someRows)],
  ['innodb_status', '----------\nSEMAPHORES\n----------\n0 queries inside InnoDB, 0 queries in queue'],
  ['innodb_mutex', 'Type\tName\tStatus\nInnoDB\trwlock: dict0dict.cc:1037\twaits=6'],
])('only %s claims its text', (id, text) => {
  expect(claims(text)).toEqual([id]);
});

test.each(['Uptime\t12', '1;2;3 4', '12 words, and more of them', '{"a": 1}', ''])(
  'no form claims %s',
  (text) => {
    expect(claims(text)).toEqual([]);
  },
);

test.each(sampleNames)('%s may end or break anywhere: it is read or refused', (name) => {
  const text = sampleOf(name);
  const form = importForms.find((one) => one.recognizes(linesOf(text)))!;
  for (let at = 0; at <= text.length; at += 7) {
    for (const broken of [text.slice(0, at), `${text.slice(0, at)}\0\u202E${text.slice(at + 3)}`]) {
      try {
        readText(form, broken);
      } catch (error) {
        expect(error).toBeInstanceOf(ImportRefused);
      }
    }
  }
});

test.each(importForms.map((form) => [form.id, form] as const))('%s survives long lines', (_, form) => {
  const long = 200_000;
  for (const piece of ['a', '<', '(', ' ', '1', ',', ';', 'a b', '#0 ', '0x1 ', '(1 per sec.)']) {
    const line = piece.repeat(Math.ceil(long / piece.length));
    form.recognizes([line, `#0  0x1 ${line}`, `3 ${line}`, `${line} 3`]);
    for (const begin of ['', 'transactions: ', '#0  0x1 in ', '3 ', '--- mutex:\n1 1 @ ', 'a;']) {
      for (const end of ['', ' 3', ':']) {
        try {
          readText(form, `${begin}${line}${end}`);
        } catch (error) {
          expect(error).toBeInstanceOf(ImportRefused);
        }
      }
    }
  }
});
