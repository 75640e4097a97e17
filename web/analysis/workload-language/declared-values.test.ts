import { expect, test } from 'vitest';

import { compiled, done, errorsOf, withBody } from './test-fixtures.ts';

test('a share may be a parameter', () => {
  const program = compiled(
    withBody('if (chance(split)) work(1us);', 'param split = 2pct from 0pct to 50pct "Splits";'),
  );
  expect(program.parameters).toMatchObject([
    { id: 'split', unit: 'pct', scale: 10_000, default: 2, min: 0, max: 50 },
  ]);
});

test('a knob of a mutex and an rw-lock can be shared', () => {
  const declared = 'knob lock { mutex = pthread_mutex; rw = innodb_rw_lock; } latch d : lock;';
  expect(compiled(withBody('shared d { }', declared)).holds).toMatchObject([{ shared: true }]);
  const neither = 'knob lock { a = pthread_mutex; b = innodb_mutex; } latch d : lock;';
  expect(errorsOf(withBody('shared d { }', neither)).map(({ sentence }) => sentence)).toEqual([
    'd may be pthread_mutex, which no one shares: write hold',
  ]);
});

test('a knob of numbers sizes words', () => {
  const declared = 'knob shards { few = 2; many = 8; } word history[shards];';
  expect(compiled(withBody('fetch_add(history[uniform(shards)], 1);', declared)).words).toMatchObject([
    { name: 'history', elements: 8 },
  ]);
});

test('nobody is the number 0', () => {
  expect(done('uint x = nobody; check(x == 0);')).toEqual(['check 1']);
  expect(errorsOf(withBody('uint nobody = 1;'))[0]!.sentence).toContain('already used by the language');
});

test('waits are in the enclosing part', () => {
  const { code, names } = compiled(
    withBody(
      'in "first" hold m { wait(came); } in "second" hold m { wait(came); } futex_wait(woken, 0);',
      'condition came; word woken;',
    ),
  );
  const sites = new Set(code.filter((_, place) => place % 2 === 1).map((immediate) => immediate >>> 24));
  expect([...sites].map((site) => names[site])).toEqual(['first', 'second', expect.anything()]);
});

test.each([
  [
    '',
    'param p = 15us from 20us to 10us;',
    'the bounds of p are in the wrong order: write from 10us to 20us',
  ],
  ['', 'param p = 5us from 1us to 4KiB;', 'p is a duration, and 4KiB is a size'],
  ['', 'word hold;', 'the name hold is already used by the language: choose another name'],
  ['', 'knob k { a; b; } design d { k = a; k = b; }', 'd sets k twice'],
  ['if (chance(101pct)) { }', '', 'a chance is at most 100pct, not 101pct'],
  ['uint x = uniform(0);', '', 'uniform draws from at least 1 number, not 0'],
  ['work(2h);', '', 'work takes at most 1h, not 2h'],
  ['lock(l);', 'latch l : innodb_mutex;', 'the language has no lock: to take l, write hold l { }'],
])('%s %s is refused', (body, declared, sentence) => {
  expect(errorsOf(withBody(body, declared)).map((error) => error.sentence)).toEqual([sentence]);
});
