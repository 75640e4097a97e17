import { readFileSync } from 'node:fs';
import path from 'node:path';

import { expect, test } from 'vitest';

import { lab_limits } from '../../contract/lab-program';
import { script_limits } from '../../contract/workload-operations';
import { calls, ownNames } from './declared-names';
import { engineKinds } from './latch-kinds';
import { compiled, errorsOf } from './test-fixtures';

const reference = readFileSync(
  path.join(import.meta.dirname, '../../../docs/reference/workload-language.md'),
  'utf8',
);

test('the example of the reference compiles', () => {
  const example = /```c\n([^`]+)```/.exec(reference)![1]!;
  expect(compiled(example)).toMatchObject({
    unit: 'statements',
    groups: [
      { name: 'client' },
      { name: 'flusher', runs: 'every' },
      { runs: 'on_action', title: 'DROP TABLE' },
      { runs: 'at_end' },
    ],
  });
});

test('the kinds of the reference compile', () => {
  const kinds = /```c\n(kind [^`]+)```/.exec(reference)![1]!;
  const { kinds: programs } = compiled(
    `workload "w"; ${kinds} thread t { transaction { hold mu { } hold si { } } }`,
  );
  expect(programs?.map(({ name }) => name)).toEqual(['go_mutex', 'mcs', 'ticket-futex']);
});

const exampleAfter = (heading: string) =>
  new RegExp(`\\n## ${heading}\\n[^]*?\`\`\`c\\n([^\`]+)\`\`\``).exec(reference)![1]!;

test('the functions of the reference compile', () => {
  const source = `workload "w"; latch rows[16] : innodb_mutex; ${exampleAfter('Functions')}`;
  expect(compiled(source).names).toEqual(['update']);
});

test('the conditions and arrivals of the reference compile', () => {
  const conditions = exampleAfter('Conditions, queues and barriers');
  expect(
    compiled(`workload "w"; ${conditions} thread t { transaction { post(); take(); } }`).words,
  ).toHaveLength(3);
  expect(errorsOf(`workload "w"; latch LOCK_cache : innodb_mutex; ${exampleAfter('Arrivals')}`)).toEqual([]);
});

test.each([...engineKinds.map(({ name }) => name), ...calls, ...ownNames])(
  'the reference explains %s',
  (name) => {
    expect(reference).toMatch(new RegExp(`\`${name}[\`(]`));
  },
);

test('the kinds that can be shared are those of the engine', () => {
  for (const { name, can_be_shared } of engineKinds) {
    const row = new RegExp(`^\\| \`${name}[(\`].*$`, 'm').exec(reference)![0];
    expect(row.trim().endsWith(can_be_shared ? 'yes    |' : 'no     |'), row).toBe(true);
  }
});

test('its limits are those of the engine', () => {
  const limit = (words: string) => {
    const row = new RegExp(`^\\| ${words} +\\| ([\\d,]+) +\\|$`, 'm').exec(reference);
    return Number(row?.[1]?.replaceAll(',', ''));
  };
  expect(limit('source lines')).toBe(script_limits.source_lines_max);
  expect(limit('instructions')).toBe(script_limits.instructions_max);
  expect(limit('parameters')).toBe(script_limits.parameters_max);
  expect(limit('knobs')).toBe(script_limits.knobs_max);
  expect(limit('variants of a knob')).toBe(script_limits.variants_max);
  expect(limit('designs')).toBe(script_limits.designs_max);
  expect(limit('latches and arrays of latches')).toBe(script_limits.latches_max);
  expect(limit('latches of an array')).toBe(script_limits.elements_max);
  expect(limit('kinds in the latch language')).toBe(script_limits.kinds_max);
  expect(limit('groups of threads')).toBe(script_limits.groups_max);
  expect(limit('threads of a group')).toBe(script_limits.threads_max);
  expect(limit('counters')).toBe(script_limits.counters_max);
  expect(limit('devices')).toBe(script_limits.devices_max);
  expect(limit('words and arrays of words')).toBe(lab_limits.words_max);
  expect(limit('words of an array')).toBe(lab_limits.elements_max);
  expect(limit('words on a line')).toBe(lab_limits.words_on_line_max);
  expect(limit('latches, and words on which threads sleep')).toBe(script_limits.waited_for_max);
  expect(limit('cache lines of latches in the latch language')).toBe(script_limits.lines_max);
  expect(limit('numbers in a queue')).toBe(lab_limits.elements_max);
  expect(limit('exponents of `zipf`')).toBe(script_limits.zipf_exponents_max);
  expect(limit('named parts')).toBe(script_limits.names_max);
  expect(limit('places that take a latch')).toBe(script_limits.holds_max);
  expect(limit('latches held at once')).toBe(script_limits.held_max);
  expect(limit('characters of a name')).toBe(script_limits.name_length_max);
  expect(limit('characters of a title, question or origin')).toBe(script_limits.title_length_max);
});

const head =
  'workload "w"; const N = 2; const D = 40us; const P = 1pct; param p = 40us from 1us to 10ms; param size_ = 1GiB from 1KiB to 2GiB;' +
  'knob k { a = innodb_rw_lock "x"; b = none; } knob shards { few = 2; many = N * 4; } knob how { one; two; }' +
  'design third { k = b; } latch m : pthread_mutex; latch rw : k; latch arr[shards] : semaphore(2); latch s : sharded_rw_lock(32);' +
  'word hits; word slots[8] = 1; line { word l0; word l1; } thread word own; thread line { word l2; }' +
  'counter misses; device log : nvme; device net : network(200us); line if (how == one) { word number; word mask[1]; }' +
  'thread every_ every 1s { work(1ms); } thread once_ once { work(1ms); } action drop "DROP TABLE" { hold m { } }' +
  'condition came; condition each[8]; queue jobs[shards]; barrier all_in(threads);' +
  'at_end { check(counted(misses) == 0); check(load(hits) <= counted(transactions)); }';
const withBody = (body: string) =>
  `${head} thread t[2] { arrive(exponential(p)); transaction { ${body} } think(1us); } thread u { return; }`;

test.each([
  'in "draw" uint r = uniform(8); hold arr[r % shards] { }',
  'exclusive rw { } shared s { } try shared rw { } else work(1us);',
  'try hold m { } else { work(1us); }',
  'sleep(1.5ms); check(1); uint x = 0xff; x = x + me + index + threads; duration d = D; size z = 4KiB;',
  'repeat (3) { if (chance(0.5pct)) break; else continue; } while (0) work(1ns); return;',
  'uint q = 4ms / 1us; q = 1GiB / 4KiB; work(2us * q); work(q * 2us); work(2us / 2); check(1us < 2us);',
  'work(exponential(p)); if (chance(P)) work(1min);',
  'fetch_add(hits, 1); store(own[me], load(slots[7])); if (compare_exchange(l1, 0, 1) == 0) yield();',
  'pause(); pause(3); fence(); uint o = exchange(l2[me], 5); o = fetch_sub(hits, o); fetch_xor(hits, 1);',
  'count(misses); count(misses, 10); io(log, 4KiB); io(net, 4KiB); while (load(hits) == 0) futex_wait(hits, 0);',
  'uint n = futex_wake(hits, 1); fetch_add(number, n); futex_wake(hits, 0xffffffff);',
  'hold m { while (load(hits) == 0) wait(came); } signal(came); broadcast(each[me]); led_by(me); led_by(0);',
  'send(jobs, 3); uint x = receive(jobs); await(all_in); work(lognormal(D, 150pct)); x = zipf(16, 99pct);',
  'if (k == b) work(1us); if (how != two) work(1us); if (shards == many) work(1us);',
])('the compiler takes what the reference says: %s', (body) => {
  expect(errorsOf(withBody(body))).toEqual([]);
});

test.each([
  ['work(4KiB);', 'a duration'],
  ['hold m { hold m { } } uint y = b;', 'b is not declared'],
  ['shared m { }', 'which no one shares'],
  ['hold m { think(1us); }', 'think is time between transactions'],
  ['work(1us * 1us);', '* does not take'],
  ['uint x = hits;', 'hits is a word: write load(hits)'],
  ['uint x = 1us % 2;', '% does not take'],
])('and refuses what it says: %s', (body, sentence) => {
  expect(errorsOf(withBody(body))[0]?.sentence).toContain(sentence);
});

test('designs, units and variants are as the reference says', () => {
  const program = compiled(withBody(''));
  expect(program.designs.map(({ id, variants }) => [id, variants])).toEqual([
    ['original', [0, 0, 0]],
    ['third', [1, 0, 0]],
    ['fixed', [1, 1, 1]],
  ]);
  expect(program.knobs[2]!.variants.map(({ value }) => value)).toEqual([0, 1]);
  expect(program.latches[2]).toMatchObject({ name: 'arr', elements: 8 });
  expect(program.parameters.map(({ unit }) => unit)).toEqual(['us', 'KiB']);
  expect(compiled('workload "w"; thread t { transaction { } }')).toMatchObject({ unit: 'transactions' });
});
