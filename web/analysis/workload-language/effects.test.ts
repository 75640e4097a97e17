// Tests of futex words, counters, devices, and lines that words share sometimes.
import { expect, test } from 'vitest';

import { script_limits } from '../../contract/workload-operations.ts';
import { carriedOut, compiled, errorsOf } from './test-fixtures.ts';

const declared =
  'knob layout { packed; apart; } latch m : innodb_mutex; word w; word slots[4]; counter misses; counter rows; device log : nvme;';
/** Line 2 has the declarations. */
const workload = (body: string, declarations = '') =>
  `workload "w"; ${declared}\n${declarations}\nthread client[4] { transaction { ${body} } }`;
const errorsIn = (body: string, declarations = '') =>
  errorsOf(workload(body, declarations)).map(({ sentence }) => sentence);
const done = (body: string, declarations = '') =>
  carriedOut(compiled(workload(body, declarations))).slice(1, -1);

test.each([
  ['futex_wait(w, 3);', ['futex_wait w 3']],
  ['uint n = futex_wake(slots[2], 1); work(1ps * n);', ['futex_wake slots[2] 1', 'work 1']],
  ['futex_wake(w, 4294967295);', ['futex_wake w 4294967295']],
  ['count(misses); count(rows, 10);', ['count misses 1', 'count rows 10']],
  ['uint n = 4; count(rows, n * 2);', ['count rows 8']],
  ['io(log, 4KiB); size s = 1KiB; io(log, s * 3);', ['io log 4096', 'io log 3072']],
  ['uint count = 1; uint io = 2; count(misses, count + io);', ['count misses 3']],
])('%s', (body, expected) => {
  expect(done(body)).toEqual(expected);
});

test('counters have numbers after that of transactions', () => {
  const program = compiled(workload('count(misses); count(rows);'));
  expect(program.counters).toEqual(['misses', 'rows']);
  expect(compiled('workload "w"; thread t { transaction { } }')).not.toHaveProperty('counters');
});

test('devices have kinds of the model', () => {
  const program = compiled(
    workload('io(net, 1B);', 'device a : ssd; device b : hdd; device net : network(200us);'),
  );
  expect(program.devices).toEqual([
    { name: 'log', kind: 'nvme' },
    { name: 'a', kind: 'ssd' },
    { name: 'b', kind: 'hdd' },
    { name: 'net', kind: 'network', latency: 200_000_000 },
  ]);
  expect(carriedOut(program)[1]).toBe('io net 1');
  expect(compiled('workload "w"; thread t { transaction { } }')).not.toHaveProperty('devices');
});

test('words share a line while a variant is in force', () => {
  const program = compiled(workload('', 'line if (layout == apart) { word a; word b = 2; }'));
  expect(program.shared_lines).toEqual([{ words: [2, 3], knob: 0, variant: 1 }]);
  expect(program.words).toMatchObject([
    { name: 'w', line: 0 },
    { name: 'slots', line: 1 },
    { name: 'a', line: 2 },
    { name: 'b', line: 3, initial: 2 },
  ]);
  expect(compiled(workload(''))).not.toHaveProperty('shared_lines');
});

test('elements of arrays share lines one by one', () => {
  const lines =
    'line if (layout == packed) { word a[4]; word b[4]; } thread line if (layout == apart) { word c; word d; }';
  const program = compiled(workload('', lines));
  expect(program.shared_lines).toEqual([
    { words: [2, 3], knob: 0, variant: 0 },
    { words: [4, 5], knob: 0, variant: 1 },
  ]);
  expect(program.words?.slice(2)).toMatchObject([
    { line: 2, elements: 4, packed: false },
    { line: 3, elements: 4, packed: false },
    { line: 4, per_thread: true },
    { line: 5, per_thread: true },
  ]);
});

test.each([
  ['futex_wait(w);', 'futex_wait got 1 arguments: write futex_wait(word, expected)'],
  ['futex_wait(m, 1);', 'futex_wait needs a word, such as w; m is not a word'],
  ['uint x = futex_wait(w, 0);', 'futex_wait() returns no value: write it as a separate statement'],
  ['futex_wake(w, 1us);', 'futex_wake takes a number, such as 4; 1us is a duration'],
  ['count(missed);', 'missed is not a counter; did you mean misses?'],
  ['count(w);', 'w is not a counter: write one of misses, rows'],
  ['count(transactions);', 'transactions are counted already: declare a counter of your own'],
  ['count();', 'count got 0 arguments: write count(counter) or count(counter, number)'],
  ['count(misses, 1us);', 'count takes a number, such as 4; 1us is a duration'],
  ['uint x = count(misses);', 'count() returns no value: write it as a separate statement'],
  ['misses++;', 'misses is a counter: write count(misses)'],
  ['uint x = misses;', 'misses is a counter: at_end reads it, as counted(misses)'],
  ['io(log);', 'io got 1 arguments: write io(log, 4KiB)'],
  ['io(log, 4);', 'io takes a size, such as 4KiB; 4 is a number'],
  ['io(lag, 4KiB);', 'lag is not a device; did you mean log?'],
  ['io(m, 4KiB);', 'm is not a device: write one of log'],
  ['uint x = io(log, 4KiB);', 'io() returns no value: write it as a separate statement'],
  ['uint x = log;', 'log is a device: write io(log, 4KiB)'],
])('%s is refused', (body, sentence) => {
  expect(errorsIn(body)).toEqual([sentence]);
});

test.each([
  ['counter transactions;', 'transactions are counted already: choose another name'],
  ['counter m;', 'the name m is already used in line 1: choose another name'],
  ['device d : nvmee;', 'nvmee is not a kind of device; did you mean nvme?'],
  ['device d : 4KiB;', '4KiB is not a kind of device: write one of nvme, ssd, hdd, network'],
  ['device d : nvme(4);', 'write nvme, without ( )'],
  ['device d : network;', 'network needs one duration: write network(200us)'],
  ['device d : network(1ps);', 'a network has a latency from 1ns to 4s, not 1ps'],
  ['device d : network(5s);', 'a network has a latency from 1ns to 4s, not 5s'],
  ['device d : network(4);', '4 is a number: a duration is needed here'],
  ['line if (layout) { word a; word b; }', 'a line depends on one variant of a knob: write layout == packed'],
  [
    'line if (layout != packed) { word a; word b; }',
    'a line depends on one variant of a knob: write layout == packed',
  ],
  [
    'line if (layout == pack) { word a; word b; }',
    'pack is not a variant of layout: write one of packed, apart',
  ],
  ['line if (layot == packed) { word a; word b; }', 'layot is not a knob; did you mean layout?'],
  ['line if (layout == packed) { word a; }', 'a line that is shared sometimes needs at least two words'],
  [
    'line if (layout == packed) { word a; word b[3]; }',
    'b needs as many elements as a: element i of one shares the line with element i of the other',
  ],
  ['line if (layout == packed) { word a; thread word b; }', 'write thread line if (…) { … }'],
  [
    'kind k { line if (layout == packed) { word a; word b; } void enter() { } void exit() { } }',
    'a latch has no knobs: write line { … }',
  ],
])('%s is refused', (declarations, sentence) => {
  expect(errorsIn('', declarations)).toEqual([sentence]);
});

test.each([
  ['counter;', 'expected a name after counter'],
  ['countr hits;', 'unexpected countr; did you mean counter?'],
  ['device d nvme;', 'expected : after device d'],
  ['device d : ;', 'expected a name after device d :'],
  ['line if { word a; word b; }', 'expected ( ) after line if'],
])('the syntax error of %s is named', (declarations, sentence) => {
  expect(errorsIn('', declarations)[0]).toBe(sentence);
});

test('limits are named', () => {
  const many = (count: number, one: (number: number) => string) =>
    Array.from({ length: count }, (_, i) => one(i)).join(' ');
  const { counters_max, devices_max } = script_limits;
  expect(
    errorsIn(
      '',
      many(counters_max - 1, (i) => `counter c${i};`),
    ),
  ).toEqual([`a workload has at most ${counters_max} counters`]);
  expect(
    errorsIn(
      '',
      many(devices_max, (i) => `device d${i} : ssd;`),
    ),
  ).toEqual([`a workload has at most ${devices_max} devices`]);
  expect(errorsIn('', `line if (layout == packed) { ${many(17, (i) => `word a${i};`)} }`)).toEqual([
    'a cache line holds at most 16 words, got 17',
  ]);
});
