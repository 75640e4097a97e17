import { describe, expect, test } from 'vitest';

import { latchesOf } from './latches-of.ts';
import { defaultRunSpec, parseRunSpec } from './run-spec.ts';
import { fil_mutex, machine, scenarios } from './test-fixtures.ts';
import { grant_program, lab_program, plain_program } from './workload-fixture.ts';
import { isSameScenario, manifestOfWorkload, scenarioOfWorkload } from './workload-manifest.ts';

const workload = { source: 'workload "x";', program: grant_program };
const minimal = { version: 1, scenario: 'workload', workload };
const parse = (input: unknown) => parseRunSpec(input, scenarios, machine);

function errorsOf(input: unknown) {
  const parsed = parse(input);
  return parsed.ok ? [] : parsed.errors;
}

describe('the spec of a workload', () => {
  test('has the defaults of its program', () => {
    expect(parse(minimal)).toEqual({
      ok: true,
      value: {
        ...minimal,
        design: { grant_lock: 'one_rw_lock', pages: 'few' },
        platform: 'threads',
        threads: 64,
        seed: 1,
        duration_s: null,
        parameters: { statement: 40 },
        actions: [],
      },
    });
    expect(parse({ ...minimal, platform: 'virtual' })).toMatchObject({
      value: { threads: 200, server: 'server-2025' },
    });
  });

  test('takes its actions at stated times', () => {
    const action = {
      name: 'drop_table',
      threads: 1,
      has_transaction: false,
      runs: 'on_action',
      title: 'DROP TABLE',
      code: [0, 1],
    };
    const program = { ...grant_program, groups: [...grant_program.groups, action] };
    const actions = [{ at_s: 0.5, action: 'drop_table' }];
    expect(parse({ ...minimal, workload: { program }, actions })).toMatchObject({
      ok: true,
      value: { actions },
    });
  });

  test('keeps its program as it is, so that its scenario is kept', () => {
    const parsed = parse(minimal);
    expect(parsed.ok && parsed.value.workload?.program).toBe(grant_program);
  });

  test('follows from its manifest alone', () => {
    const { manifest } = scenarioOfWorkload(workload);
    expect(defaultRunSpec(manifest, machine, 'virtual')).toMatchObject({ scenario: 'workload', workload });
  });

  test('without knobs has an empty design', () => {
    const plain = { ...minimal, workload: { program: plain_program } };
    expect(parse(plain)).toMatchObject({ ok: true, value: { design: {}, parameters: {} } });
    expect(parse({ ...plain, design: 'original' })).toMatchObject({ ok: true, value: { design: {} } });
    expect(errorsOf({ ...plain, design: 'fixed' })).toMatchObject([
      { field: 'design', value: 'fixed', allowed: 'an object of knobs and variants, or a preset: original' },
    ]);
  });

  test('has the what-if of its own latches and sites', () => {
    const virtual = { ...minimal, platform: 'virtual' };
    const ofLatch = (latch: object) => ({ ...virtual, what_if: { latches: [latch] } });
    const section = { latch: 'LOCK_grant', site: 'check_grant', section_percent: 50 };
    expect(parse(ofLatch(section))).toMatchObject({ ok: true });
    expect(errorsOf(ofLatch({ ...section, site: 'elsewhere' }))).toMatchObject([
      { field: 'what_if.latches[0].site', allowed: 'check_grant' },
    ]);
    expect(errorsOf(ofLatch({ ...section, latch: 'fil_system->mutex' }))).toMatchObject([
      { field: 'what_if.latches[0].latch', allowed: 'one of LOCK_grant, LOCK_open' },
    ]);
    expect(Object.keys(latchesOf(manifestOfWorkload(grant_program)))).toEqual(['LOCK_grant', 'LOCK_open']);
  });

  test('a part that takes a latch twice is one site', () => {
    const [hold] = grant_program.holds;
    const twice = { ...grant_program, holds: [hold!, { ...hold!, shared: false }] };
    expect(latchesOf(manifestOfWorkload(twice)).LOCK_grant).toEqual(['check_grant']);
  });

  const program = (change: object) => ({
    ...minimal,
    workload: { program: { ...grant_program, ...change } },
  });
  const [knob] = grant_program.knobs;
  const server = (change: object) => ({ ...grant_program.groups[0], ...change });
  const [parameter] = grant_program.parameters;
  test.each<[string, object, { field: string; allowed: RegExp }]>([
    [
      'no workload',
      { ...minimal, workload: undefined },
      { field: 'workload', allowed: /^an object with source/ },
    ],
    [
      'a text',
      { ...minimal, workload: 'x' },
      { field: 'workload', allowed: /^an object with source, program$/ },
    ],
    [
      'no program',
      { ...minimal, workload: {} },
      { field: 'workload.program', allowed: /^an object with title/ },
    ],
    [
      'another field',
      { ...minimal, workload: { ...workload, colour: 1 } },
      { field: 'workload.colour', allowed: /^one of source, program$/ },
    ],
    ['no title', program({ title: '' }), { field: 'workload.program.title', allowed: /not empty/ }],
    [
      'a knob with one variant',
      program({ knobs: [{ ...knob, variants: [knob!.variants[0]] }] }),
      { field: 'workload.program.knobs[0].variants', allowed: /at least 2/ },
    ],
    [
      'an unknown kind',
      program({ latches: [{ ...grant_program.latches[1], kind: { kind: 'magic' } }] }),
      { field: 'workload.program.latches[0].kind.kind', allowed: /one of none, innodb_mutex/ },
    ],
    [
      'two knobs of one name',
      program({ knobs: [knob, knob] }),
      { field: 'workload.program.knobs', allowed: /different ids/ },
    ],
    [
      'a default out of range',
      program({ parameters: [{ ...parameter, default: 0 }] }),
      { field: 'workload.program.parameters[0].default', allowed: /1 to 10000/ },
    ],
    [
      'a design of no variant',
      program({ designs: [{ id: 'original', variants: [0, 7] }] }),
      { field: 'workload.program.designs[0].variants[1]', allowed: /below 2/ },
    ],
    [
      'a design that is too short',
      program({ designs: [{ id: 'original', variants: [0] }] }),
      { field: 'workload.program.designs[0].variants', allowed: /a list of 2 numbers/ },
    ],
    [
      'a hold of no latch',
      program({ holds: [{ latch: 2, shared: true, site: 0 }] }),
      { field: 'workload.program.holds[0].latch', allowed: /below 2/ },
    ],
    [
      'a hold in no part',
      program({ holds: [{ latch: 0, shared: true, site: 1 }] }),
      { field: 'workload.program.holds[0].site', allowed: /below 1/ },
    ],
    [
      'a kind of none',
      program({ latches: [{ ...grant_program.latches[1], kind: { kind: 'lab_latch', program: 0 } }] }),
      { field: 'workload.program.latches[0].kind.program', allowed: /below 0, the number of kinds/ },
    ],
    [
      'a variant that is a kind of none',
      program({
        knobs: [
          {
            ...knob,
            variants: [{ ...knob!.variants[0], kind: { kind: 'lab_latch', program: 1 } }, knob!.variants[1]],
          },
          grant_program.knobs[1],
        ],
        kinds: [{ name: 'mcs', program: lab_program }],
      }),
      {
        field: 'workload.program.knobs[0].variants[0].kind.program',
        allowed: /below 1, the number of kinds/,
      },
    ],
    [
      'a program of an engine’s kind',
      program({ latches: [{ ...grant_program.latches[1], kind: { kind: 'innodb_mutex', program: 0 } }] }),
      { field: 'workload.program.latches[0].kind.program', allowed: /omitted: only of kind lab_latch/ },
    ],
    [
      'a kind without a program',
      program({ kinds: [{ name: 'mcs' }] }),
      { field: 'workload.program.kinds[0].program', allowed: /lab compile/ },
    ],
    [
      'a rate without a period',
      program({ groups: [server({ runs: 'every' }), grant_program.groups[1]] }),
      { field: 'workload.program.groups[0].period', allowed: /an integer from 1000000 to/ },
    ],
    [
      'a period that is too short',
      program({ groups: [server({ runs: 'every', period: 1 }), grant_program.groups[1]] }),
      { field: 'workload.program.groups[0].period', allowed: /an integer from 1000000 to/ },
    ],
    [
      'a period of threads that run once',
      program({ groups: [server({ runs: 'once', period: 1e6 }), grant_program.groups[1]] }),
      { field: 'workload.program.groups[0].period', allowed: /omitted: only if runs is every/ },
    ],
    [
      'an action without a title',
      program({ groups: [server({ runs: 'on_action' }), grant_program.groups[1]] }),
      { field: 'workload.program.groups[0].title', allowed: /a text/ },
    ],
    [
      'an action of two threads',
      program({ groups: [server({ runs: 'on_action', title: 'x', threads: 2 }), grant_program.groups[1]] }),
      { field: 'workload.program.groups[0].threads', allowed: /^1$/ },
    ],
    [
      'clients that run once',
      program({ groups: [{ ...grant_program.groups[1], runs: 'once' }] }),
      { field: 'workload.program.groups[0].has_transaction', allowed: /false/ },
    ],
    [
      'two checks at the end',
      program({ groups: [server({ runs: 'at_end' }), server({ runs: 'at_end' }), grant_program.groups[1]] }),
      { field: 'workload.program.groups', allowed: /at most one runs at_end/ },
    ],
    [
      'an unknown way to run',
      program({ groups: [server({ runs: 'twice' }), grant_program.groups[1]] }),
      { field: 'workload.program.groups[0].runs', allowed: /one of every, once, on_action, at_end/ },
    ],
    [
      'a counter with another one’s name',
      program({ counters: ['misses', 'misses'] }),
      { field: 'workload.program.counters', allowed: /different names/ },
    ],
    [
      'an action of none',
      { ...minimal, actions: [{ at_s: 1, action: 'drop_table' }] },
      { field: 'actions[0].action', allowed: /^none$/ },
    ],
    [
      'no original',
      program({ designs: [{ id: 'fixed', variants: [1, 1] }] }),
      { field: 'workload.program.designs[0].id', allowed: /^original$/ },
    ],
    [
      'no transaction',
      program({ groups: [grant_program.groups[0]] }),
      { field: 'workload.program.groups', allowed: /one has the transaction/ },
    ],
    [
      'a site without a name',
      program({ holds: [{ latch: 0, shared: true, site: 1 }] }),
      { field: 'workload.program.holds[0].site', allowed: /below 1/ },
    ],
    [
      'a knob of none',
      { ...minimal, design: { x: 'y' } },
      { field: 'design.x', allowed: /grant_lock, pages/ },
    ],
    [
      'a value out of range',
      { ...minimal, parameters: { statement: 0 } },
      { field: 'parameters.statement', allowed: /1 to 10000/ },
    ],
  ])('%s is named', (_, input, { field, allowed }) => {
    expect(errorsOf(input)[0]).toMatchObject({ field, allowed: expect.stringMatching(allowed) as string });
  });

  test('of a bug has no workload', () => {
    const spec = { ...minimal, scenario: fil_mutex.manifest.id };
    expect(errorsOf(spec)).toMatchObject([
      { field: 'workload', allowed: 'omitted: only of scenario workload' },
    ]);
  });
});

test('two workloads are the same scenario if their programs are equal', () => {
  const one = { scenario: 'workload', workload };
  const again = { scenario: 'workload', workload: { program: structuredClone(grant_program) } };
  const other = { scenario: 'workload', workload: { program: plain_program } };
  expect(isSameScenario(one, again)).toBe(true);
  expect(isSameScenario(one, other)).toBe(false);
  expect(isSameScenario({ scenario: 'a' }, { scenario: 'a', workload: null })).toBe(true);
});
