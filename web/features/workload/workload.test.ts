import { expect, test } from 'vitest';

import { defaultRunSpec } from '../../contract/run-spec';
import { fil_mutex, machine } from '../../contract/test-fixtures';
import { LINKED_SOURCE_MAX } from '../../contract/run-spec-pairs';
import { waitForState } from '../../contract/test-fixtures/wait-for-state';
import { chosenFile } from '../../session/test-fixtures/chosen-file';
import { sourceOfTemplate } from './templates';
import { compiled } from '../../analysis/workload-language/test-fixtures';
import { calls, ownNames } from '../../analysis/workload-language/declared-names';
import { engineKinds } from '../../analysis/workload-language/latch-kinds';
import { placeInWords } from './declared-panel';
import { editingForTest, SMALL_WORKLOAD } from './test-fixtures';
import { sourceShown } from './workload-editing';
import { workloadLanguage } from './workload-language-support';
import { parseWorkload, workloadPairs } from './workload-link';
import { draftFrom } from './workload-state';

test('what the source declares is known as it is typed, and stays while there are errors', async () => {
  const { editing } = editingForTest();
  await waitForState(() => expect(editing.workload.compiled?.program.title).toBe('One mutex'));
  editing.edit(SMALL_WORKLOAD);
  await waitForState(() => expect(editing.workload.compiled?.program.title).toBe('Two words'));
  editing.edit(SMALL_WORKLOAD.replace('work(1us)', 'wrk(1us)'));
  await waitForState(() =>
    expect(editing.workload.checked?.errors).toMatchObject([{ line: 3, suggestion: 'work' }]),
  );
  expect(editing.workload.compiled?.program.title).toBe('Two words');
});

test('of sources typed in a row, the last one is compiled', async () => {
  const { editing } = editingForTest();
  for (const title of ['a', 'ab', 'abc']) editing.edit(SMALL_WORKLOAD.replace('Two words', title));
  await waitForState(() => expect(editing.workload.compiled?.program.title).toBe('abc'));
  expect(editing.workload.checked?.source).toBe(sourceShown(editing.workload));
});

test('a draft is stored with each change and read again; what the device stores may be anything', () => {
  const { editing, told } = editingForTest();
  editing.open('sharded-counter');
  editing.edit(SMALL_WORKLOAD);
  expect(draftFrom(told.stored.at(-1)!)).toEqual({ template: 'sharded-counter', source: SMALL_WORKLOAD });
  editing.reset();
  expect(draftFrom(told.stored.at(-1)!)).toEqual({ template: 'sharded-counter', source: null });
  for (const text of [null, 'x', '[]', 'null', '7', '{"version":2}']) expect(draftFrom(text)).toBeNull();
  expect(draftFrom('{"version":1,"template":"no-such","source":null}')).toBeNull();
  expect(draftFrom('{"version":1,"template":"one-mutex","source":7}')).toBeNull();
});

test('a file is saved under the title, and opens as it was written', async () => {
  const { editing, told } = editingForTest();
  editing.edit(SMALL_WORKLOAD);
  await waitForState(() => expect(editing.workload.compiled?.source).toBe(SMALL_WORKLOAD));
  editing.save();
  expect(told.saved[0]!.name).toBe('two-words.workload');
  expect(await told.saved[0]!.text).toBe(SMALL_WORKLOAD);
  editing.open('one-mutex');
  await editing.openFile(
    chosenFile('two-words.workload', `\uFEFF${SMALL_WORKLOAD.replaceAll('\n', '\r\n')}`),
  );
  expect(sourceShown(editing.workload)).toBe(SMALL_WORKLOAD);
  expect(told.shown).toBe(1);
});

test.each([
  ['empty.workload', ' \n', ''],
  ['image.workload', [0x89, 0x50, 0x00], 'not text: it contains zero bytes'],
  ['latin.workload', [0x77, 0xe4], 'not text in UTF-8'],
  ['large.workload', 'x'.repeat(400_001), '400001 bytes'],
])('%s is refused by name, and the source stays', async (name, content, value) => {
  const { editing } = editingForTest();
  await expect(editing.openFile(chosenFile(name, content))).rejects.toMatchObject({
    errors: [{ field: 'file', value }],
  });
  expect(editing.state.fileRefused).toMatchObject({ name });
  expect(sourceShown(editing.workload)).toBe(sourceOfTemplate('one-mutex'));
});

const spec = defaultRunSpec(fil_mutex.manifest, machine);

test('a link has the template, or the source unless that is too long', () => {
  expect(workloadPairs({ template: 'one-mutex', source: null })).toEqual([
    ['workload.template', 'one-mutex'],
  ]);
  const source = `${SMALL_WORKLOAD}// ä & = #\n`;
  const [[key, encoded]] = workloadPairs({ template: 'one-mutex', source }) as [[string, string]];
  const pairs = [...new URLSearchParams(`${key}=${encoded}`)];
  expect(parseWorkload({ pairs, spec })).toEqual({ ok: true, value: { linkedWorkload: { source } } });
  const long = 'x'.repeat(LINKED_SOURCE_MAX + 1);
  expect(workloadPairs({ template: 'one-mutex', source: long })).toEqual([
    ['workload.template', 'one-mutex'],
  ]);
});

test('a link may name a report instead', () => {
  const pairs = workloadPairs({ template: 'trx-sys-90643', source: null });
  expect(pairs).toEqual([['workload.template', 'trx-sys-90643']]);
  const linkedWorkload = { template: 'trx-sys-90643', source: null };
  expect(parseWorkload({ pairs, spec })).toEqual({ ok: true, value: { linkedWorkload } });
});

test('a link to no such template is refused', () => {
  expect(parseWorkload({ pairs: [['workload.template', '../../etc/passwd']], spec })).toMatchObject({
    ok: false,
    errors: [{ field: 'workload.template' }],
  });
  expect(parseWorkload({ pairs: [], spec })).toEqual({ ok: true, value: {} });
});

test.each([
  ['  hold ', ['LatchName'], ['innodb_mutex', 'work']],
  ['latch a : ', ['KnobName', 'KindName', 'innodb_mutex'], ['work', 'LatchName', 'lab_latch', 'mcs']],
  ['latch a : "m', ['mcs', 'wrong/abba'], ['innodb_mutex', 'KindName']],
  ['  in_turn = "ticket-f', ['ticket-futex'], ['innodb_mutex']],
  ['workload "m', [], ['mcs', 'work']],
  ['device log : ', ['nvme', 'network'], ['innodb_mutex']],
  ['thread flusher ', ['every', 'once'], ['work']],
  ['thread x[2] e', ['every', 'once'], ['work']],
  ['  futex_wake(', ['WordName'], ['work', 'LatchName']],
  ['  wait(', ['ConditionName'], ['QueueName', 'work']],
  ['  broadcast(', ['ConditionName'], ['WordName']],
  ['  send(', ['QueueName'], ['ConditionName', 'work']],
  ['  uint x = receive(', ['QueueName'], ['WordName']],
  ['  await(', ['BarrierName'], ['QueueName', 'work']],
  ['  io(', ['DeviceName'], ['WordName']],
  ['  count(', ['CounterName'], ['transactions']],
  ['  check(counted(', ['CounterName', 'transactions'], ['WordName']],
  ['latch a[8] : innodb_', ['innodb_mutex'], ['work']],
  ['fetch_add(', ['WordName'], ['work', 'LatchName']],
  [
    '  wo',
    ['work', 'workload', 'LatchName', 'ParameterName', 'WordName', 'word', 'action', 'counter', 'at_end'],
    [],
  ],
])('after “%s” completion offers what may stand there', (line, offered, others) => {
  const language = workloadLanguage(editingForTest().editing);
  const labels = language.wordsAt({ line, declared: (nodes) => [...nodes] }).map(({ label }) => label);
  expect(labels).toEqual(expect.arrayContaining(offered));
  for (const other of others) expect(labels).not.toContain(other);
  expect(language.units.map(({ label }) => label)).toEqual(expect.arrayContaining(['us', 'KiB', 'pct']));
});

test('of units, times are offered first, and microseconds before others', () => {
  const { units } = workloadLanguage(editingForTest().editing);
  const usual = units.filter(({ boost = 0 }) => boost > 0).toSorted((a, b) => b.boost! - a.boost!);
  expect(usual.map(({ label }) => label)).toEqual(['us', 'ms', 'ns', 'KiB']);
});

test('every call, name and kind of the language is offered, and explained under the pointer', () => {
  const { wordsAt, explained } = workloadLanguage(editingForTest().editing);
  const offered = wordsAt({ line: '', declared: () => [] }).map(({ label }) => label);
  for (const name of [...calls, ...ownNames, ...engineKinds.map((kind) => kind.name)]) {
    expect(offered).toContain(name);
    expect(explained.find(({ label }) => label === name)?.detail, name).toMatch(/../);
  }
});

test('words are listed with their cache lines', () => {
  const program = compiled(`workload "w";
word own; word many[4]; line { word head; word tail; } line { word packed[8]; } thread word mine;
thread line { word next; word waits; }
knob layout { packed; apart; } line if (layout == packed) { word count; word mask; }
thread client[2] { transaction { } }`);
  expect(program.words?.map((word) => `${word.name}: ${placeInWords(word, program)}`)).toEqual([
    'own: a line of its own',
    'many: a line for each element',
    'head: one line, with tail',
    'tail: one line, with head',
    'packed: one line',
    'mine: a line for each thread',
    'next: a line for each thread, with waits',
    'waits: a line for each thread, with next',
    'count: on the line of mask if layout == packed',
    'mask: on the line of count if layout == packed',
  ]);
});
