import { expect, test } from 'vitest';

import { labGallery } from '../lab-gallery.ts';
import { compile } from '../latch-language/compile.ts';
import { compiled, errorsOf } from './test-fixtures.ts';

const mutex = `kind own {
  word state;
  void enter() { while (exchange(state, 1) != 0) pause(); }
  void exit() { store(state, 0); }
}`;
const rwLock = `kind own_rw { word state; void enter() { } void exit() { } void enter_shared() { } void exit_shared() { } }`;

/** Line 1 has the declarations. */
const workload = (declarations: string, body = '', clients = 4) =>
  `${declarations} workload "w"; thread client[${clients}] { transaction { ${body} } }`;
const errorsIn = (declarations: string, body = '') =>
  errorsOf(workload(declarations, body)).map(({ sentence }) => sentence);

test('a kind of the file has its lines, a latch of the lab has none', () => {
  const program = compiled(
    workload(`${mutex}\nlatch a : own; latch b : "mcs"; latch c[3] : "mcs";`, 'hold a { }'),
  );
  expect(program.kinds?.map(({ name }) => name)).toEqual(['own', 'mcs']);
  expect(program.latches.map(({ kind }) => kind)).toEqual([
    { kind: 'lab_latch', program: 0 },
    { kind: 'lab_latch', program: 1 },
    { kind: 'lab_latch', program: 1 },
  ]);
  const [own, mcs] = program.kinds!;
  expect(own!.program.source_lines.every((line) => line === 3 || line === 4)).toBe(true);
  expect(own!.program.words).toMatchObject([{ name: 'state', source_line: 2 }]);
  const alone = compile(labGallery.sourceOf('mcs')!).program!;
  expect(mcs!.program).toMatchObject({ code: alone.code, functions: alone.functions });
  expect(mcs!.program.source_lines).toEqual(alone.source_lines.map(() => 0));
  expect(mcs!.program.words.every(({ source_line }) => source_line === 0)).toBe(true);
});

test('variants of a knob name kinds of the file and of the lab', () => {
  const knob = 'knob policy { barging = own; in_turn = "ticket-futex"; none_ = none; } latch m : policy;';
  const program = compiled(workload(`${mutex} ${knob}`, 'hold m { }'));
  expect(program.knobs[0]!.variants.map(({ kind }) => kind)).toEqual([
    { kind: 'lab_latch', program: 0 },
    { kind: 'lab_latch', program: 1 },
    { kind: 'none' },
  ]);
});

test('a workload without such latches has no kinds', () => {
  expect(compiled(workload('latch m : innodb_mutex;')).kinds).toBeUndefined();
});

test.each([...labGallery.names])('the latch %s of the lab can be named', (name) => {
  expect(compiled(workload(`latch m : "${name}";`, '', 1)).kinds).toHaveLength(1);
});

test('a kind can be shared if it has enter_shared', () => {
  const shared = (kind: string) => errorsIn(`${mutex} ${rwLock} latch m : ${kind};`, 'shared m { }');
  expect(shared('own_rw')).toEqual([]);
  expect(shared('"rw-ticket"')).toEqual([]);
  expect(shared('own')).toEqual(['m may be own, which no one shares: write hold']);
  expect(shared('"mcs"')).toEqual(['m may be mcs, which no one shares: write hold']);
});

test.each([
  ['latch m : "mcz";', '"mcz" is not a latch of the lab; did you mean "mcs"?', '"mcs"'],
  ['latch m : mcs;', 'mcs is a latch of the lab: write "mcs"', '"mcs"'],
  ['latch m : ticket-futex;', 'ticket-futex is a latch of the lab: write "ticket-futex"', '"ticket-futex"'],
  [
    'latch m : "innodb_mutex";',
    '"innodb_mutex" is no latch of the lab: write innodb_mutex, without quotes',
    'innodb_mutex',
  ],
  [`${mutex} latch m : "own";`, '"own" is no latch of the lab: write own, without quotes', 'own'],
  [
    'kind mcs { void enter() { } void exit() { } } latch m : "mcs";',
    'the file has its own mcs: write mcs, without quotes',
    'mcs',
  ],
  [
    'latch m : "mcs"; kind mcs { void enter() { } void exit() { } }',
    'the name mcs is already used for a latch of the lab: choose another name',
    undefined,
  ],
  [`${mutex} latch m : own(3);`, 'write own, without ( )', 'own'],
  [`${mutex} latch m : owm;`, 'owm is not a kind of latch; did you mean own?', 'own'],
  ['latch m : lab_latch;', expect.stringMatching(/^lab_latch is not a kind of latch/) as string, undefined],
  ['latch m : "peterson";', 'peterson is for at most 2 threads; this workload has 4', undefined],
  [
    `latch own : innodb_mutex;\n${mutex}`,
    'the name own is already used in line 1: choose another name',
    undefined,
  ],
  [
    'kind work { void enter() { } void exit() { } }',
    'the name work is already used by the language: choose another name',
    undefined,
  ],
  ['kind k { void enter() { } }', 'a latch needs void exit() { }', undefined],
  [
    'kind k { void enter() { } void exits() { } }',
    'a latch has the functions enter, exit, enter_shared, exit_shared, client, at_end, not exits; did you mean exit?',
    'exit',
  ],
  [
    'kind k { void enter() { hold m { } } void exit() { } }',
    'a latch has no hold: it belongs to workloads',
    undefined,
  ],
  [
    'kind k { word a; void enter() { a = 1; } void exit() { } }',
    'a is a word: write store(a, 1)',
    'store(a, 1)',
  ],
])('%s', (declarations, sentence, suggestion) => {
  expect(errorsOf(workload(declarations))).toMatchObject([
    suggestion === undefined ? { sentence } : { sentence, suggestion },
  ]);
});

test('a latch in the latch language cannot be tried', () => {
  expect(errorsIn('latch m : "mcs";', 'try hold m { }')).toEqual([
    'm may be mcs, which cannot be tried: write hold',
  ]);
  expect(errorsIn(`${mutex} knob k { a = innodb_mutex; b = own; } latch m : k;`, 'try hold m { }')).toEqual([
    'm may be own, which cannot be tried: write hold',
  ]);
});

test('an unknown latch lists those of the lab', () => {
  expect(errorsIn('latch m : "abacus";')[0]).toMatch(
    /^"abacus" is not a latch of the lab: write one of "anderson", /,
  );
});

test('errors in a kind have their place in the file', () => {
  expect(
    errorsOf(
      `workload "w";\nkind k {\n  void enter() { wait(); }\n  void exit() { }\n}\nthread t { transaction { } }`,
    ),
  ).toMatchObject([
    { at: '3:18', sentence: 'unknown function wait; docs/reference/latch-language.md lists all functions' },
  ]);
  expect(
    errorsOf(`workload "w";\nkind k {\n  void enter() { }\n}\nthread t { transaction { } }`),
  ).toMatchObject([{ at: '4:1', sentence: 'a latch needs void exit() { }' }]);
});

test.each([
  ['kind k { void enter() { } void exit() { }', /^expected \} /],
  ['kind { void enter() { } void exit() { } }', /^expected a name /],
  ['kind k { void enter() { } void exit() }', /^expected (a body in \{ \}|\{) /],
  ['kin k { void enter() { } void exit() { } }', /^unexpected kin; did you mean kind\?$/],
  ['kind k { vod enter() { } void exit() { } }', /^unexpected vod; did you mean void\?$/],
])('the syntax error of %s is named', (declarations, sentence) => {
  expect(errorsIn(declarations)[0]).toMatch(sentence);
});

test('a workload has at most 8 of them', () => {
  const kinds = Array.from({ length: 9 }, (_, i) => `kind k${i} { void enter() { } void exit() { } }`);
  expect(errorsIn(kinds.join(' '))).toEqual(['a workload has at most 8 kinds in the latch language']);
});

test('latches in the latch language have at most a million cache lines, of the largest kind and all threads', () => {
  const kind = (name: string, words: string) => `kind ${name} { ${words} void enter() { } void exit() { } }`;
  const source = (declarations: string) =>
    `workload "w"; ${kind('big', 'word a[64];')} ${kind('wide', 'thread word b; line { word c; word d[4]; }')} knob k { small = big; none_ = none; }\n${declarations}\nthread t[8] { transaction { } } at_end { }`;
  const sentencesOf = (declarations: string) =>
    errorsOf(source(declarations)).map(({ at, sentence }) => `${at} ${sentence}`);
  expect(sentencesOf('latch x[15600] : k; latch y[100] : wide;')).toEqual([]);
  expect(sentencesOf('latch x[15600] : k; latch y[161] : wide; latch z : big;')).toEqual([
    '2:27 latches in the latch language have at most 1000000 cache lines in all; up to here there are 1000010',
  ]);
});
