// Tests of conditions, arrivals, leaders, and draws with two arguments.
import { describe, expect, test } from 'vitest';

import { script_operations } from '../../contract/workload-code-operations.ts';
import { script_limits } from '../../contract/workload-operations.ts';
import { carriedOut, compiled, errorsOf } from './test-fixtures.ts';

const declared =
  'param gap = 100us from 1us to 1s; knob k { few = 2; many = 64; } latch m : innodb_mutex; word w; condition ready; condition done[8]; counter n;';
const workload = (body: string, before = '', declarations = '') =>
  `workload "w"; ${declared}\n${declarations}\nthread client[4] { ${before} transaction { ${body} } }`;
const errorsIn = (...of: Parameters<typeof workload>) =>
  errorsOf(workload(...of)).map(({ sentence }) => sentence);
const done = (body: string) => carriedOut(compiled(workload(body))).slice(1, -1);
const operations = (...of: Parameters<typeof workload>) =>
  compiled(workload(...of)).code.flatMap((packed, place) =>
    place % 2 === 0 ? [script_operations[packed & 0xff]!.name] : [],
  );

describe('conditions', () => {
  test.each([
    ['hold m { wait(ready); }', ['enter m at client', 'wait ready', 'leave m']],
    ['signal(ready);', ['fetch_add ready 0 to 1', 'futex_wake ready 1']],
    ['broadcast(done[3]);', ['fetch_add done[3] 0 to 1', 'futex_wake done[3] 4294967295']],
    ['uint i = 6; signal(done[i + 1]);', ['fetch_add done[7] 0 to 1', 'futex_wake done[7] 1']],
    ['hold m { in "x" wait(done[0]); }', ['enter m at client', 'in x', 'wait done[0]', 'out', 'leave m']],
    ['uint wait = 1; uint signal = 2; store(w, wait + signal);', ['store w 0 to 3']],
  ])('%s', (body, expected) => {
    expect(done(body)).toEqual(expected);
  });

  test('are words of the program, each on a line of its own', () => {
    expect(compiled(workload('')).words).toMatchObject([
      { name: 'w', line: 0, elements: 1 },
      { name: 'ready', line: 1, elements: 1 },
      { name: 'done', line: 2, elements: 8, packed: false },
    ]);
  });

  test('a function waits for its caller, who must hold a latch', () => {
    const functions = 'void until_ready() { while (load(w) == 0) wait(ready); }';
    expect(errorsIn('hold m { until_ready(); }', '', functions)).toEqual([]);
    expect(errorsIn('until_ready();', '', functions)).toEqual([
      'wait releases the latch taken last while it sleeps: write it inside hold L { } (called in line 3)',
    ]);
  });

  test.each([
    ['wait(ready);', 'wait releases the latch taken last while it sleeps: write it inside hold L { }'],
    ['hold m { wait(); }', 'wait got 0 arguments: write wait(ready)'],
    ['signal(w);', 'signal needs a condition, such as ready; w is not a condition'],
    ['signal(3);', 'signal needs a condition, such as ready; 3 is not a condition'],
    ['signal(ready_);', 'ready_ is not declared; did you mean ready?'],
    ['signal(done);', 'done has several elements: name one, such as done[0]'],
    ['signal(done[8]);', 'done has 8 elements: 0 to 7'],
    ['signal(ready[0]);', 'ready is a single condition: it has no elements'],
    ['uint x = ready;', 'ready is a condition: write wait(ready), signal(ready) or broadcast(ready)'],
    ['uint x = load(ready);', 'load needs a word, such as w; ready is not a word'],
    ['futex_wait(ready, 0);', 'futex_wait needs a word, such as w; ready is not a word'],
    ['uint x = signal(ready);', 'signal() returns no value: write it as a separate statement'],
    ['signals(ready);', 'unknown function signals; did you mean signal?'],
    ['ready = 1;', 'cannot assign to ready: only locals can be assigned'],
    ['hold ready { }', 'ready is not a latch: write one of m'],
  ])('%s is wrong', (body, sentence) => {
    expect(errorsIn(body)).toEqual([sentence]);
  });

  test('a word, or a condition, has one name', () => {
    expect(errorsIn('', '', 'condition w;')).toEqual([
      'the name w is already used in line 1: choose another name',
    ]);
    expect(errorsIn('', '', 'condition c[300];')[0]).toBe('a word has 1 to 256 elements, not 300');
    expect(
      errorsOf('workload "w"; word w; thread t { transaction { } } at_end { broadcast(w); }')[0],
    ).toMatchObject({ sentence: 'at_end only reads and checks: it has no broadcast' });
  });
});

describe('arrivals', () => {
  test.each([
    ['arrive(100us);', 'arrive 100000000'],
    ['arrive(exponential(100us));', 'arrive_exponential 100000000'],
    ['arrive(gap);', 'arrive 100000000'],
    ['arrive(exponential(gap / k));', 'arrive_exponential 50000000'],
    ['arrive(gap * threads);', 'arrive 400000000'],
    ['uint x = 1; arrive(1us);', 'arrive 1000000'],
  ])('%s', (before, expected) => {
    expect(carriedOut(compiled(workload('', before)))[0]).toBe(expected);
  });

  test.each([
    ['', 'arrive(1us); arrive(2us);', 'client has two arrivals: one is allowed'],
    ['arrive(1us);', '', 'arrive belongs directly in the body of the clients, before the transaction'],
    ['', 'if (1) arrive(1us);', 'arrive belongs directly in the body of the clients, before the transaction'],
    [
      '',
      'hold m { arrive(1us); }',
      'arrive belongs directly in the body of the clients, before the transaction',
    ],
    ['', 'arrive(4);', 'arrive takes a duration, such as 4us; 4 is a number'],
    ['', 'arrive(exponential(4KiB));', 'exponential takes a duration, such as 4us; 4KiB is a size'],
    ['', 'arrive(exponential());', 'exponential got 0 arguments: write exponential(4us)'],
    ['', 'arrive();', 'arrive got 0 arguments: write arrive(exponential(100us))'],
  ])('%s %s is wrong', (body, before, sentence) => {
    expect(errorsIn(body, before)[0]).toBe(sentence);
  });

  test.each(['lognormal(1us, 100pct)', '1us * uniform(3)', '1us * me', 'index * 1us', 'd', '1us * load(w)'])(
    'the interval %s would differ from client to client',
    (interval) => {
      expect(errorsIn('', `duration d = 1us; arrive(${interval});`)[0]).toMatch(
        /^all clients share one stream of requests: write its interval as arrive\(100us\)/,
      );
    },
  );

  test('belong to the clients, before their transaction, and to no function', () => {
    const others = (group: string) =>
      errorsOf(`workload "w"; ${group} thread t { transaction { } }`).map(({ sentence }) => sentence);
    const sentence = 'requests arrive at the clients: only a body with a transaction has arrive';
    expect(others('thread u { arrive(1us); sleep(1us); }')).toEqual([sentence]);
    expect(others('action a { arrive(1us); }')).toEqual([sentence]);
    expect(others('at_end { arrive(1us); }')).toEqual(['at_end only reads and checks: it has no arrive']);
    expect(others('void f() { arrive(1us); }')).toEqual([
      'arrive belongs directly in the body of the clients, before the transaction',
    ]);
    expect(errorsOf('workload "w"; thread t { transaction { } arrive(1us); }')[0]!.sentence).toBe(
      'arrive belongs before the transaction that the request begins',
    );
  });
});

describe('leaders', () => {
  test('a thread names its leader', () => {
    expect(done('uint leader = 3; led_by(leader); led_by(0);')).toEqual(['led_by 3', 'led_by 0']);
  });

  test.each([
    ['led_by();', '', 'led_by got 0 arguments: write led_by(4)'],
    ['led_by(1us);', '', 'led_by takes a number, such as 4; 1us is a duration'],
    ['', 'led_by(1);', 'led_by belongs in a transaction: it ends with it'],
    ['uint x = led_by(1);', '', 'led_by() returns no value: write it as a separate statement'],
  ])('%s %s is wrong', (body, before, sentence) => {
    expect(errorsIn(body, before)).toEqual([sentence]);
  });

  test('a function may name one, if a transaction calls it', () => {
    const functions = 'void f(uint x) { led_by(x); }';
    expect(errorsIn('f(2);', '', functions)).toEqual([]);
    expect(errorsIn('', 'f(2);', functions)).toEqual([
      'led_by belongs in a transaction: it ends with it (called in line 3)',
    ]);
  });
});

describe('draws with two arguments', () => {
  test('lognormal takes a mean and a coefficient of variation', () => {
    const program = compiled(workload('work(lognormal(gap, 150pct));'));
    const at = program.code.findIndex((packed, place) => place % 2 === 0 && (packed & 0xff) === lognormal);
    expect(program.constants).toContain(1_500_000);
    expect(carriedOut(program)).toContain('work 50000000');
    const [, a, b] = [8, 16, 24].map((bits) => (program.code[at]! >>> bits) & 0xff);
    expect(a).not.toBe(b);
  });
  const lognormal = script_operations.findIndex(({ name }) => name === 'lognormal');

  test('zipf has its exponent among the constants', () => {
    const { code, constants } = compiled(workload('const_ = zipf(1000, 99pct);'.replace('const_', 'uint x')));
    const zipf = script_operations.findIndex(({ name }) => name === 'zipf');
    const at = code.findIndex((packed, place) => place % 2 === 0 && (packed & 0xff) === zipf);
    expect(constants[code[at + 1]!]).toBe(990_000);
    expect(
      operations('hold m { uint y = zipf(k, 1pct) + zipf(me, 1000pct); }').filter((one) => one === 'zipf'),
    ).toHaveLength(2);
  });

  test.each([
    ['work(lognormal(1us));', 'lognormal got 1 arguments: write lognormal(40us, 150pct)'],
    ['work(lognormal(1us, 2));', 'lognormal takes a share, such as 2pct; 2 is a number'],
    ['work(lognormal(1, 2pct));', 'lognormal takes a duration, such as 1us; 1 is a number'],
    ['work(lognormal(1us, 1001pct));', 'a coefficient of variation is at most 1000pct, not 1001pct'],
    ['uint x = zipf(8);', 'zipf got 1 arguments: write zipf(1000, 99pct)'],
    [
      'uint x = zipf(8, 0.99);',
      'the exponent of zipf is a constant from 1pct to 1000pct, such as 99pct, not 0.99',
    ],
    [
      'uint x = zipf(8, 0.5pct);',
      'the exponent of zipf is a constant from 1pct to 1000pct, such as 99pct, not 0.5pct',
    ],
    [
      'uint x = zipf(8, 1001pct);',
      'the exponent of zipf is a constant from 1pct to 1000pct, such as 99pct, not 1001pct',
    ],
    ['uint x = zipf(8, k);', 'the exponent of zipf is a constant from 1pct to 1000pct, such as 99pct, not k'],
    ['uint x = zipf(0, 99pct);', 'zipf draws from 1 to 65536 numbers, not 0'],
    ['uint x = zipf(65537, 99pct);', 'zipf draws from 1 to 65536 numbers, not 65537'],
    ['uint x = zipf(1us, 99pct);', 'zipf takes a number, such as 4; 1us is a duration'],
    ['zipf(8, 99pct);', 'this does nothing: a statement is a call or an assignment'],
  ])('%s is wrong', (body, sentence) => {
    expect(errorsIn(body)).toEqual([sentence]);
  });

  test('a workload has a few exponents', () => {
    const most = script_limits.zipf_exponents_max;
    const draws = (exponents: number) =>
      Array.from({ length: exponents }, (_, i) => `uint x${i} = zipf(9, ${i + 1}pct); `).join(' ');
    expect(errorsIn(draws(most))).toEqual([]);
    expect(errorsIn(draws(most + 1))).toEqual([`a workload has at most ${most} exponents of zipf`]);
  });
});

test('words on which threads sleep count with the latches, and with the sites', () => {
  const { waited_for_max, sites_max } = script_limits;
  const all = (latches: number, conditions: number) => {
    const range = (length: number) => Array.from({ length }, (_, i) => i);
    const declarations = [
      ...range(latches).map((i) => `latch l${i} : none;`),
      ...range(conditions).map((i) => `condition c${i};`),
    ];
    const body = range(conditions).map((i) => `wait(c${i});`);
    return `workload "w"; ${declarations.join(' ')} thread t { transaction { hold l0 { ${body.join(' ')} } } }`;
  };
  expect(errorsOf(all(waited_for_max - 20, 20))).toEqual([]);
  expect(errorsOf(all(waited_for_max - 19, 20)).map(({ sentence }) => sentence)).toEqual([
    `a workload has at most ${waited_for_max} latches, and words or conditions on which threads sleep; this one has ${waited_for_max + 1}`,
  ]);
  const parts = (pairs: number) =>
    `workload "w"; word w; latch m[2] : none; latch l : none; thread t { transaction { ${Array.from(
      { length: pairs },
      (_, i) => `in "p${i >> 1}" hold ${i % 2 === 0 ? 'm[0]' : 'l'} { }`,
    ).join(' ')} futex_wait(w, 0); } }`;
  expect(errorsOf(parts(sites_max - 1))).toEqual([]);
  expect(errorsOf(parts(sites_max)).map(({ sentence }) => sentence)).toEqual([
    `a workload has at most ${sites_max} pairs of a latch or a word and a part that takes it or sleeps on it; this one has ${sites_max + 1}`,
  ]);
});

test('counters have no names of the engine', () => {
  expect(errorsIn('', '', 'counter page_gets;')).toEqual([
    'the engine has a counter page_gets: choose another name',
  ]);
});
