import { expect, test } from 'vitest';

import { grant_program, lab_program, plain_program } from './workload-fixture.ts';
import { isBugScenario, scenarioInShort, scenarioInWords, scenarioTitle } from './scenario-names.ts';
import { fil_mutex } from './test-fixtures.ts';
import type { ScriptGroup } from './workload-program.ts';
import { manifestOfWorkload, scenarioOfWorkload } from './workload-manifest.ts';

test('knobs, designs and parameters follow from the program, with titles for people', () => {
  expect(manifestOfWorkload(grant_program)).toMatchObject({
    id: 'workload',
    title: 'LOCK_grant: a read lock that bounces',
    threads: { min: 1, max: 64, default: 64, virtual_default: 200 },
    virtual_server: 'server-2025',
    unit_of_work: { transaction: 'one statement', operation: 'statement', operation_counter: 'transactions' },
    knobs: [
      {
        id: 'grant_lock',
        title: 'Grant lock',
        question: 'How does a statement protect the grant tables?',
        variants: [
          { id: 'one_rw_lock', title: 'One rw lock', origin: 'MySQL 5.6' },
          {
            id: 'partitioned',
            explanation: expect.stringMatching(/^An rw-lock .*\(32 parts\)\.$/) as string,
          },
        ],
      },
      { question: 'Pages', variants: [{ explanation: 'The number 1.' }, { explanation: 'The number 8.' }] },
    ],
    designs: {
      original: { grant_lock: 'one_rw_lock', pages: 'few' },
      fixed: { grant_lock: 'partitioned', pages: 'many' },
    },
    design_titles: { original: 'Original', fixed: 'Fixed' },
    parameters: [{ id: 'statement', unit: 'us', explanation: 'From 1 us to 10,000 us; default: 40 us.' }],
    actions: [],
    sysbench_percentile: 95,
    workload: { program: grant_program },
  });
});

test('its actions are those of the groups that run on one, in order', () => {
  const action = (name: string, title: string): ScriptGroup => ({
    ...{ name, title, threads: 1, has_transaction: false },
    runs: 'on_action',
    code: [1, 2],
  });
  const groups = [
    ...grant_program.groups,
    action('drop_table', 'DROP TABLE'),
    action('flush_all', 'flush_all'),
  ];
  expect(manifestOfWorkload({ ...grant_program, groups }).actions).toEqual([
    { id: 'drop_table', title: 'DROP TABLE', explanation: 'Runs drop_table of the file once, from line 14.' },
    { id: 'flush_all', title: 'Flush all', explanation: 'Runs flush_all of the file once, from line 14.' },
  ]);
});

test('a variant names a latch in the latch language', () => {
  const kinds = [{ name: 'mcs', program: lab_program }];
  const ofLab = { id: 'a', origin: '', kind: { kind: 'lab_latch' as const, program: 0 } };
  const knob = {
    ...grant_program.knobs[0]!,
    variants: [ofLab, ofLab],
  };
  const { knobs } = manifestOfWorkload({ ...grant_program, kinds, knobs: [knob, grant_program.knobs[1]!] });
  expect(knobs[0]!.variants[0]!.explanation).toBe('The latch mcs, in the language of the latch lab.');
});

test('a workload without knobs has the original design alone', () => {
  const { knobs, designs } = manifestOfWorkload(plain_program);
  expect(knobs).toEqual([]);
  expect(designs).toEqual({ original: {} });
});

test.each([
  ['transactions', 'transaction'],
  ['queries', 'query'],
  ['searches', 'search'],
  ['victim’s sections', 'victim’s section'],
  ['access', 'access'],
])('one of %s is a %s', (unit, one) => {
  expect(manifestOfWorkload({ ...plain_program, unit }).unit_of_work.operation).toBe(one);
});

test('a workload has no number, and no part of a bug', () => {
  const scenario = scenarioOfWorkload({ program: plain_program });
  const { manifest } = scenario;
  expect([fil_mutex, scenario].filter(isBugScenario)).toEqual([fil_mutex]);
  expect(Object.keys(manifest).filter((field) => !(field in fil_mutex.manifest))).toEqual(['workload']);
  expect(manifest).not.toHaveProperty('bug');
  expect(scenarioTitle(manifest)).toBe('Workload: one mutex');
  expect([scenarioInWords(manifest), scenarioInShort(manifest)]).toEqual(['the workload', 'Workload']);
  expect(scenarioInWords(fil_mutex.manifest)).toBe('bug #69276');
});

test('the same workload is the same scenario', () => {
  const workload = { program: plain_program, source: 'a' };
  const scenario = scenarioOfWorkload(workload);
  expect(scenarioOfWorkload({ ...workload })).toBe(scenario);
  expect(scenarioOfWorkload({ program: plain_program, source: 'b' })).not.toBe(scenario);
});
