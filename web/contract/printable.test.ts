import { expect, test } from 'vitest';

import { describeFaults, isVisible, printable, PRINTABLE_CHARACTERS_MAX, toldFaults } from './fault.ts';

test.each([
  ['plain text', 'purge_latch: rw_lock', 'purge_latch: rw_lock'],
  ['text of any language', 'замо́к 🔒 قفل', 'замо́к 🔒 قفل'],
  ['nothing', '', ''],
  ['a line break', 'a\nb', 'a\\u{a}b'],
  ['a zero byte and a bell', '\0\x07', '\\u{0}\\u{7}'],
  ['what turns text around', 'a\u202eb\u2066c', 'a\\u{202e}b\\u{2066}c'],
  ['what has no width', 'a\u200bb\ufeff', 'a\\u{200b}b\\u{feff}'],
  ['a line separator', 'a\u2028b', 'a\\u{2028}b'],
  ['half of a surrogate pair', 'a\ud83d', 'a\\u{d83d}'],
])('%s', (_, text, printed) => {
  expect(printable(text)).toBe(printed);
  expect(isVisible(text)).toBe(text === printed);
});

test('a long text is cut and shows its length', () => {
  const printed = printable('x'.repeat(1_000_000));
  expect(printed).toMatch(/^x+… \(1,000,000 characters\)$/);
  expect(printed).toHaveLength(PRINTABLE_CHARACTERS_MAX);
});

test('no character is cut in two, and escapes do not exceed the limit', () => {
  for (const text of ['🔒'.repeat(100), '\u202e'.repeat(100), `a${'🔒'.repeat(100)}`]) {
    const printed = printable(text);
    expect(printed.length).toBeLessThanOrEqual(PRINTABLE_CHARACTERS_MAX);
    expect(isVisible(printed)).toBe(true);
  }
});

test('printing twice changes nothing more', () => {
  for (const text of ['x'.repeat(500), 'a\u202eb', '🔒'.repeat(100)]) {
    expect(printable(printable(text))).toBe(printable(text));
  }
});

const fault = { field: 'seed', value: '', allowed: 'an integer' };

test('faults are told in sentences, the first few of them', () => {
  expect(describeFaults([fault, { ...fault, value: 'x\n' }])).toEqual([
    'seed is empty; allowed: an integer',
    'seed is x\\u{a}; allowed: an integer',
  ]);
  const many = Array.from({ length: 4008 }, () => fault);
  expect(describeFaults(many)).toHaveLength(9);
  expect(describeFaults(many).at(-1)).toBe('and 4,000 more');
  expect(toldFaults(many)).toHaveLength(8);
});

test('a name of a field is printed as its value is', () => {
  const [told] = toldFaults([
    { field: `design.${'\u202e'.repeat(1000)}`, value: 'v'.repeat(1000), allowed: '' },
  ]);
  expect(told!.field).toMatch(/^design\.\\u\{202e\}.*\(1,007 characters\)$/);
  expect(told!.value.length).toBeLessThanOrEqual(PRINTABLE_CHARACTERS_MAX);
});
