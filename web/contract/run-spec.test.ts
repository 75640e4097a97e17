import { describe, expect, test } from 'vitest';

import { engine_limits } from './engine-limits.ts';
import { defaultRunSpec, parseRunSpec } from './run-spec.ts';
import { server_fields } from './servers.ts';
import { fil_mutex, machine, scenarios } from './test-fixtures.ts';

const minimal = { version: 1, scenario: 'fil-mutex-69276' };
const parse = (input: unknown) => parseRunSpec(input, scenarios, machine);

function errorsOf(input: unknown) {
  const parsed = parse(input);
  return parsed.ok ? [] : parsed.errors;
}

test('everything but version and scenario has a default', () => {
  const { manifest } = fil_mutex;
  expect(parse(minimal)).toEqual({
    ok: true,
    value: {
      ...minimal,
      design: {
        tablespace_lookup: 'global_mutex',
        buffer_pool_mutex: 'one_mutex',
        spin_delay_generator: 'global',
      },
      platform: 'threads',
      threads: 8,
      seed: 1,
      duration_s: null,
      parameters: Object.fromEntries(
        manifest.parameters.map((parameter) => [parameter.id, parameter.default]),
      ),
      actions: [],
    },
  });
});

test.each([
  [2, 8],
  [16, 16],
  [200, 64],
])('a machine of %d cores gets %d clients', (cores, threads) => {
  expect(defaultRunSpec(fil_mutex.manifest, { ...machine, cores }).threads).toBe(threads);
});

describe('on the virtual server', () => {
  const virtual = { ...minimal, platform: 'virtual' };

  test('the defaults are those of the report', () => {
    const { manifest } = fil_mutex;
    expect(parse(virtual)).toMatchObject({
      value: {
        threads: manifest.threads.virtual_default,
        server: manifest.virtual_server,
        parameters: { rows_per_table: 75_000 },
        duration_s: null,
      },
    });
    // The engine fills in omitted fields, so that a spec means the same on the command line.
    expect(parse(virtual)).not.toHaveProperty('value.interval_s');
    expect(defaultRunSpec(manifest, machine, 'virtual').interval_s).toBe(0.02);
  });

  test('a server may have values of one’s own', () => {
    const server = { based_on: 'xeon-2020', pause_ps: 43_000 };
    expect(parse({ ...virtual, server, threads: 1024 })).toMatchObject({ value: { server, threads: 1024 } });
  });

  test.each<[string, object, { field: string; value: string; allowed: RegExp }]>([
    ['an unknown server', { server: 'pdp-11' }, { field: 'server', value: 'pdp-11', allowed: /xeon-2020/ }],
    ['no server', { server: 7 }, { field: 'server', value: '7', allowed: /based_on/ }],
    [
      'after an unknown server',
      { server: { based_on: 'x' } },
      { field: 'server.based_on', value: 'x', allowed: /xeon-2020/ },
    ],
    [
      'an unknown value',
      { server: { based_on: 'xeon-2020', colour: 1 } },
      { field: 'server.colour', value: '1', allowed: /pause_ps/ },
    ],
    [
      'a value out of range',
      { server: { based_on: 'xeon-2020', pause_ps: 100_001 } },
      { field: 'server.pause_ps', value: '100001', allowed: /integer from 0 to 100000/ },
    ],
    [
      'too many CPUs, with siblings',
      { server: { based_on: 'xeon-2020', sockets: 8, cores_per_socket: 32, threads_per_core: 2 } },
      { field: 'server.cores_per_socket', value: '32', allowed: /at most 16: a server has at most 256 CPUs/ },
    ],
    [
      'too many cores together',
      { server: { based_on: 'xeon-2020', sockets: 8, cores_per_socket: 64 } },
      { field: 'server.cores_per_socket', value: '64', allowed: /at most 32: a server has at most 256 CPUs/ },
    ],
    ['too many clients', { threads: 1025 }, { field: 'threads', value: '1025', allowed: /1 to 1024/ }],
    ['no interval', { interval_s: 0 }, { field: 'interval_s', value: '0', allowed: /0.001 to 60/ }],
    ['no events', { events_max: 0 }, { field: 'events_max', value: '0', allowed: /integer from 1/ }],
  ])('%s is named', (_, change, { field, value, allowed }) => {
    expect(errorsOf({ ...virtual, ...change })).toEqual([
      { field, value, allowed: expect.stringMatching(allowed) as string },
    ]);
  });

  describe('a what-if', () => {
    const latch = 'fil_system->mutex';

    test('is taken as it is', () => {
      const what_if = {
        costs: { pause_ps: 50, wake_latency_ps: 0 },
        latches: [
          { latch, site: 'fil_space_acquire', section_percent: 20 },
          { latch: 'buf_pool->mutex', hand_over: 'free' },
        ],
        from_s: 0.02,
      };
      expect(parse({ ...virtual, what_if })).toMatchObject({ ok: true, value: { what_if } });
    });

    test.each<[string, object, string, RegExp]>([
      ['an unknown cost', { costs: { cores: 50 } }, 'costs.cores', /^one of work_percent, .*pause_ps/],
      ['how many there are', { costs: { sockets: 50 } }, 'costs.sockets', /^one of work_percent/],
      ['a percent out of range', { costs: { pause_ps: 201 } }, 'costs.pause_ps', /integer from 0 to 200/],
      [
        'a cost out of its range',
        { costs: { work_percent: 1 } },
        'costs.work_percent',
        /from 10 to [0-9]+; this/,
      ],
      ['an unknown latch', { latches: [{ latch: 'x' }] }, 'latches[0].latch', /fil_system->mutex/],
      ['another latch’s site', { latches: [{ latch, site: 'trx_purge' }] }, 'latches[0].site', /fil_space/],
      [
        'a site of a whole latch',
        { latches: [{ latch, site: 'fil_space_acquire', hand_over: 'free' }] },
        'latches[0].site',
        /no site with/,
      ],
      [
        'a section out of range',
        { latches: [{ latch, section_percent: -1 }] },
        'latches[0].section_percent',
        /0 to 200/,
      ],
      ['a moment before the run', { latches: [{ latch }], from_s: -1 }, 'from_s', /from 0 to 3600/],
      ['a dear hand-over', { latches: [{ latch, hand_over: 'dear' }] }, 'latches[0].hand_over', /^free$/],
    ])('%s is named', (_, what_if, field, allowed) => {
      expect(errorsOf({ ...virtual, what_if })).toEqual([
        expect.objectContaining({
          field: `what_if.${field}`,
          allowed: expect.stringMatching(allowed) as string,
        }),
      ]);
    });

    test.each([{}, { costs: {} }, { latches: [] }])('that supposes nothing is none: %j', (what_if) => {
      expect(errorsOf({ ...virtual, what_if })).toMatchObject([
        { field: 'what_if', allowed: 'at least one cost or latch' },
      ]);
    });

    test('is of the virtual server alone', () => {
      expect(errorsOf({ ...minimal, what_if: { costs: { pause_ps: 50 } } })).toMatchObject([
        { field: 'what_if', allowed: 'omitted: virtual only' },
      ]);
    });
  });

  test('a page without threads names the platforms it has', () => {
    const parsed = parseRunSpec({ ...minimal, platform: 'threads' }, scenarios, {
      ...machine,
      platforms: ['virtual'],
    });
    expect(parsed).toMatchObject({ errors: [{ field: 'platform', value: 'threads', allowed: 'virtual' }] });
  });
});

test('a full spec is taken unchanged', () => {
  const full = {
    ...defaultRunSpec(fil_mutex.manifest, machine),
    design: {
      tablespace_lookup: 'atomic_word',
      buffer_pool_mutex: 'one_mutex',
      spin_delay_generator: 'global',
    },
    duration_s: 0.5,
    actions: [
      { at_s: 0, action: 'one_table' },
      { at_s: 0.25, knob: 'tablespace_lookup', variant: 'sharded_mutex' },
    ],
  };
  expect(parse(full)).toEqual({ ok: true, value: full });
});

test('a design may be a preset', () => {
  expect(parse({ ...minimal, design: 'fixed' })).toMatchObject({
    value: { design: { tablespace_lookup: 'atomic_word' } },
  });
});

describe('bad input is named by field, value and what is allowed', () => {
  test.each<[string, unknown, { field: string; value: string; allowed: RegExp }]>([
    ['no object', 7, { field: 'run spec', value: '7', allowed: /an object/ }],
    ['null', null, { field: 'run spec', value: 'null', allowed: /an object/ }],
    ['no version', { scenario: 'x' }, { field: 'version', value: 'missing', allowed: /^1$/ }],
    [
      'a newer version',
      { ...minimal, version: 2 },
      { field: 'version', value: '2', allowed: /^1 \(written by a newer/ },
    ],
    ['an older version', { ...minimal, version: 0 }, { field: 'version', value: '0', allowed: /^1$/ }],
    ['no scenario', { version: 1 }, { field: 'scenario', value: 'missing', allowed: /fil-mutex-69276/ }],
    [
      'another scenario',
      { ...minimal, scenario: 'x' },
      { field: 'scenario', value: 'x', allowed: /fil-mutex/ },
    ],
    ['an unknown field', { ...minimal, colour: 3 }, { field: 'colour', value: '3', allowed: /seed/ }],
    [
      'a preset that is none',
      { ...minimal, design: 'best' },
      { field: 'design', value: 'best', allowed: /fixed/ },
    ],
    [
      'an unknown knob',
      { ...minimal, design: { purge: 'x' } },
      { field: 'design.purge', value: 'x', allowed: /tablespace_lookup/ },
    ],
    [
      'an unknown variant',
      { ...minimal, design: { tablespace_lookup: 'magic' } },
      { field: 'design.tablespace_lookup', value: 'magic', allowed: /global_mutex, .*atomic_word/ },
    ],
    [
      'platform',
      { ...minimal, platform: 'quantum' },
      { field: 'platform', value: 'quantum', allowed: /one of threads, virtual/ },
    ],
    [
      'no threads',
      { ...minimal, threads: 0 },
      { field: 'threads', value: '0', allowed: /integer from 1 to 64/ },
    ],
    ['many threads', { ...minimal, threads: 65 }, { field: 'threads', value: '65', allowed: /1 to 64/ }],
    ['half a thread', { ...minimal, threads: 2.5 }, { field: 'threads', value: '2.5', allowed: /integer/ }],
    ['text threads', { ...minimal, threads: '8x' }, { field: 'threads', value: '8x', allowed: /integer/ }],
    ['a seed below 0', { ...minimal, seed: -1 }, { field: 'seed', value: '-1', allowed: /integer from 0/ }],
    [
      'no time',
      { ...minimal, duration_s: 0 },
      { field: 'duration_s', value: '0', allowed: /from 0.000001 to 3600/ },
    ],
    [
      'more intervals than a result may have',
      { ...minimal, duration_s: 36.1, interval_s: 0.001 },
      { field: 'interval_s', value: '0.001', allowed: /at most 36000 intervals/ },
    ],
    ['much time', { ...minimal, duration_s: 3601 }, { field: 'duration_s', value: '3601', allowed: /3600/ }],
    [
      'a parameter too small',
      { ...minimal, parameters: { tables: 0 } },
      { field: 'parameters.tables', value: '0', allowed: /an integer from 1 to 64/ },
    ],
    [
      'an unknown parameter',
      { ...minimal, parameters: { tablez: 1 } },
      { field: 'parameters.tablez', value: '1', allowed: /tables, rows_per_table/ },
    ],
    ['parameters', { ...minimal, parameters: 3 }, { field: 'parameters', value: '3', allowed: /an object/ }],
    ['actions', { ...minimal, actions: 'now' }, { field: 'actions', value: 'now', allowed: /a list/ }],
    [
      'an action without time',
      { ...minimal, actions: [{ action: 'one_table' }] },
      { field: 'actions[0].at_s', value: 'missing', allowed: /0 to 3600/ },
    ],
    [
      'an unknown action',
      { ...minimal, actions: [{ at_s: 1, action: 'dance' }] },
      { field: 'actions[0].action', value: 'dance', allowed: /one_table/ },
    ],
    [
      'an action that is nothing',
      { ...minimal, actions: [{ at_s: 1 }] },
      { field: 'actions[0]', value: '{"at_s":1}', allowed: /either an action, or a knob and a variant/ },
    ],
    [
      'a knob without variant',
      { ...minimal, actions: [{ at_s: 1, knob: 'tablespace_lookup' }] },
      { field: 'actions[0].variant', value: 'missing', allowed: /global_mutex/ },
    ],
    [
      'a variant without knob',
      { ...minimal, actions: [{ at_s: 1, action: 'one_table', variant: 'x' }] },
      { field: 'actions[0].variant', value: 'x', allowed: /^one of at_s, action$/ },
    ],
  ])('%s', (_, input, { field, value, allowed }) => {
    expect(errorsOf(input)).toEqual([{ field, value, allowed: expect.stringMatching(allowed) as string }]);
  });

  test('all faults at once', () => {
    const fields = errorsOf({ ...minimal, threads: 0, seed: -1, parameters: { tables: 0, x: 1 } });
    expect(fields.map(({ field }) => field).toSorted()).toEqual([
      'parameters.tables',
      'parameters.x',
      'seed',
      'threads',
    ]);
  });
});

test('what an error advises is accepted, whatever else the server has', () => {
  const { max: cores_max } = server_fields.find(({ id }) => id === 'cores_per_socket')!;
  const { max: sockets_max } = server_fields.find(({ id }) => id === 'sockets')!;
  for (let sockets = 1; sockets <= sockets_max; sockets += 1) {
    const withCores = (cores_per_socket: number) =>
      parse({
        ...minimal,
        platform: 'virtual',
        server: { based_on: 'xeon-2020', sockets, cores_per_socket },
      });
    const refused = withCores(cores_max);
    const advised = refused.ok ? cores_max : Number(/at most (\d+)/.exec(refused.errors[0]!.allowed)![1]);
    expect(advised).toBeLessThanOrEqual(cores_max);
    expect(withCores(advised), `${sockets} sockets`).toMatchObject({ ok: true });
  }
});

test('as many timed actions as the engine takes, and no more', () => {
  const actions = (count: number) => Array.from({ length: count }, () => ({ at_s: 1, action: 'one_table' }));
  const { timed_actions_max: most } = engine_limits;
  expect(parse({ ...minimal, actions: actions(most) })).toMatchObject({ ok: true });
  expect(parse({ ...minimal, actions: actions(most + 1) })).toMatchObject({
    errors: [{ field: 'actions', allowed: `a list of at most ${most} actions` }],
  });
});
