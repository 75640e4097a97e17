import { describe, expect, test } from 'vitest';

import { counters as counters_of_engine, layout } from './gen/telemetry-layout.ts';
import { undo_result } from './run-result-fixtures.ts';
import { parseRunResult } from './run-result-file.ts';
import { FILE_BYTES_MAX, result_limits } from './run-result-limits.ts';
import { scenarios, undo_read } from './test-fixtures.ts';

const textOf = (change: object) => JSON.stringify({ ...undo_result, ...change });
const parse = (text: string) => parseRunResult(text, scenarios);
const faultsOf = (text: string) => {
  const parsed = parse(text);
  return parsed.ok ? [] : parsed.errors;
};

test('a result is read back as it was written', () => {
  expect(parse(JSON.stringify(undo_result))).toEqual({ ok: true, value: undo_result });
});

test('fields that a later engine adds within version 1 are ignored', () => {
  expect(parse(textOf({ samples: [1, 2], counters: { ...undo_result.counters, new_counter: 5 } })).ok).toBe(
    true,
  );
});

test('samples of stacks are read, with the run spec that asks for them', () => {
  const spec = { ...undo_result.spec, stack_samples: { sampler: 'instant', count: 1, every_s: 0.001 } };
  const stack_samples = [{ t_s: 0.001, stacks: [{ frames: ['srv_worker_thread'], threads: 2 }] }];
  expect(parse(textOf({ spec, stack_samples }))).toMatchObject({ ok: true, value: { spec, stack_samples } });
  expect(faultsOf(textOf({ stack_samples: [{ t_s: 0, stacks: [{ frames: [] }] }] }))).toMatchObject([
    { field: 'stack_samples[0].stacks[0].threads', value: 'missing', allowed: 'an integer from 0 to 2^64' },
  ]);
  expect(
    faultsOf(textOf({ spec: { ...spec, stack_samples: { ...spec.stack_samples, count: 1001 } } })),
  ).toEqual([{ field: 'spec.stack_samples.count', value: '1001', allowed: 'an integer from 1 to 1000' }]);
});

test('what a run supposes is read, and refused where there is no such latch', () => {
  const latches = [{ latch: 'Fil_shard::m_mutex', section_percent: 100, hand_over: 'free' }];
  const spec = { ...undo_result.spec, what_if: { costs: { pause_ps: 50 }, latches } };
  expect(parse(textOf({ spec }))).toMatchObject({ ok: true, value: { spec } });
  expect(faultsOf(textOf({ spec: { ...spec, what_if: { latches: [{ latch: 'x' }] } } }))).toMatchObject([
    { field: 'spec.what_if.latches[0].latch', value: 'x' },
  ]);
});

test('a result of real threads is read on a page that has none', () => {
  const spec = { ...undo_result.spec, platform: 'threads', server: undefined, threads: 4 };
  expect(
    parse(textOf({ spec, engine: { version: '0.1.0', platform: 'threads', build: 'Clang 19' } })).ok,
  ).toBe(true);
});

test('where a latch of the reader’s was stopped is read, and refused where the bug has no such knob', () => {
  const latches_stopped = [{ knob: 'purge_latch', at_s: 0.004 }];
  expect(parse(textOf({ latches_stopped }))).toMatchObject({ ok: true, value: { latches_stopped } });
  expect(faultsOf(textOf({ latches_stopped: [{ knob: 'tablespace_lookup', at_s: 0 }] }))).toEqual([
    {
      field: 'latches_stopped[0].knob',
      value: 'tablespace_lookup',
      allowed: undo_read.manifest.knobs.map(({ id }) => id).join(', '),
    },
  ]);
});

describe('refuses, by field, value and what is allowed,', () => {
  const { spec, intervals, counters } = undo_result;
  const too_few_counters = Object.fromEntries(Object.entries(counters).filter(([name]) => name !== 'errors'));
  const cases: [what: string, text: string, field: string, value: string, allowed: string][] = [
    ['an empty file', '', 'file', '', 'a run result'],
    ['broken JSON', '{"version":1,', 'file', 'not JSON (', 'a run result: JSON'],
    ['a text', 'hello', 'file', 'not JSON (', 'a run result'],
    ['a list', '[1,2]', 'file', '[1,2]', 'a run result'],
    ['foreign JSON', '{"traceEvents":[]}', 'version', 'missing', '1'],
    ['a newer version', textOf({ version: 2 }), 'version', '2', 'written by a newer Latchscope'],
    ['another bug', textOf({ spec: { ...spec, scenario: 'x' } }), 'spec.scenario', 'x', 'undo-read-117533'],
    ['no spec', textOf({ spec: undefined }), 'spec', 'missing', 'a run spec'],
    [
      'an unknown design',
      textOf({ spec: { ...spec, design: { purge_latch: 'magic' } } }),
      'spec.design.purge_latch',
      'magic',
      'one of rw_lock',
    ],
    ['a lost list', textOf({ intervals: {} }), 'intervals', '{}', 'a list of intervals'],
    [
      'a negative rate',
      textOf({ intervals: [{ ...intervals[0], tps: -1 }] }),
      'intervals[0].tps',
      '-1',
      'from 0',
    ],
    [
      'a text for a number',
      textOf({ totals: { ...undo_result.totals, tps: 'many' } }),
      'totals.tps',
      'many',
      'a number from 0',
    ],
    [
      'half a count',
      textOf({ counters: { ...counters, errors: 0.5 } }),
      'counters.errors',
      '0.5',
      'an integer',
    ],
    [
      'a missing counter',
      textOf({ counters: too_few_counters }),
      'counters.errors',
      'missing',
      'an integer from 0',
    ],
    [
      'a share above 1',
      textOf({ cpu: { ...undo_result.cpu, io: 1.5 } }),
      'cpu.io',
      '1.5',
      'a number from 0 to 1',
    ],
    [
      'another platform than the spec’s',
      textOf({ engine: { version: '0.1.0', platform: 'threads' } }),
      'engine.platform',
      'threads',
      'that of the run spec: virtual',
    ],
    [
      'time that goes back',
      textOf({ intervals: [intervals[1], intervals[0]] }),
      'intervals[1].t_s',
      '0.005',
      'more than 0.01',
    ],
  ];
  test.each(cases)('%s', (_what, text, field, value, allowed) => {
    const [fault] = faultsOf(text);
    expect(fault).toMatchObject({ field });
    expect(fault!.value.startsWith(value), fault!.value).toBe(true);
    expect(fault!.allowed).toContain(allowed);
  });

  test('a file that is too large, without reading it', () => {
    expect(faultsOf(' '.repeat(FILE_BYTES_MAX + 1))).toEqual([
      { field: 'file', value: '32.0 MiB', allowed: 'up to 32 MiB' },
    ]);
  });

  test('many faults with the first few of them, and long values cut short', () => {
    const faults = faultsOf(textOf({ intervals: Array.from({ length: 1000 }, () => 'x'.repeat(1000)) }));
    expect(faults).toHaveLength(8);
    expect(faults[0]!.value).toMatch(/^x+… \(1,000 characters\)$/);
  });
});

const latch = (i: number) => ({
  ...undo_result.latches[0]!,
  latch: sized('latch', i),
  site: sized('site', i),
});
const sized = (begin: string, i: number, characters: number = result_limits.name_characters) =>
  `${begin} ${i} `.padEnd(characters, 'x');
const times = <Item>(count: number, item: (i: number) => Item) =>
  Array.from({ length: count }, (_, i) => item(i));
const parts = {
  intervals: (count: number) => times(count, (i) => ({ ...undo_result.intervals[0]!, t_s: i + 1 })),
  latches: (count: number) => times(count, latch),
  stacks: (count: number) => times(count, (i) => ({ frames: [sized('frame', i)], samples: 1 })),
  log: (count: number) => times(count, (i) => `line ${i}`),
  invariants: (count: number) => times(count, (i) => ({ name: `invariant ${i}`, ok: true, detail: '' })),
};

describe('a part of a result', () => {
  test.each(Object.keys(parts) as (keyof typeof parts)[])(
    '%s is opened up to its limit and no further',
    (part) => {
      const most = result_limits[part];
      expect(parse(textOf({ [part]: parts[part](most) }))).toMatchObject({ ok: true });
      const [value, allowed] = [most + 1, most].map((count) => count.toLocaleString('en'));
      expect(faultsOf(textOf({ [part]: parts[part](most + 1) }))).toEqual([
        { field: part, value: `${value} entries`, allowed: `up to ${allowed}` },
      ]);
    },
  );

  test('frames of a stack', () => {
    const stacks = (count: number) => [undo_result.stacks[0], { frames: times(count, String), samples: 1 }];
    expect(parse(textOf({ stacks: stacks(result_limits.frames) }))).toMatchObject({ ok: true });
    expect(faultsOf(textOf({ stacks: stacks(5_000) }))).toEqual([
      { field: 'stacks[1].frames', value: '5,000 entries', allowed: 'up to 64' },
    ]);
  });

  test('counters', () => {
    const own = Object.keys(undo_result.counters).length;
    const counters = (count: number) => ({
      ...undo_result.counters,
      ...Object.fromEntries(times(count - own, (i) => [sized('counter', i), 0])),
    });
    expect(parse(textOf({ counters: counters(result_limits.counters) }))).toMatchObject({ ok: true });
    expect(faultsOf(textOf({ counters: counters(result_limits.counters + 1) }))).toMatchObject([
      { field: 'counters', value: '1,001 entries', allowed: 'up to 1,000' },
    ]);
  });

  test.each([
    ['name', { stacks: [{ frames: ['f'.repeat(129)], samples: 1 }] }, 'stacks[0].frames[0]', '128'],
    [
      'name of a counter',
      { counters: { ...undo_result.counters, ['c'.repeat(129)]: 1 } },
      'counters.ccc',
      '128',
    ],
    ['line', { log: ['l'.repeat(501)] }, 'log[0]', '500'],
  ])('too long a %s', (_, change, field, most) => {
    const [fault] = faultsOf(textOf(change));
    expect(fault!.field.startsWith(field), fault!.field).toBe(true);
    expect(fault!.allowed).toContain(`up to ${most} characters`);
  });

  test('text with invisible characters', () => {
    expect(faultsOf(textOf({ log: ['[Note] \u202eready'] }))).toMatchObject([
      {
        field: 'log[0]',
        value: '[Note] \\u{202e}ready',
        allowed: expect.stringContaining('visible') as string,
      },
    ]);
  });
});

describe('a file that would cost much to read is refused unread', () => {
  test.each([
    ['lists within each other', '['.repeat(100_000), '100,000 lists and objects within each other', '16'],
    [
      'objects within each other',
      '{"a":'.repeat(100_000),
      '100,000 lists and objects within each other',
      '16',
    ],
    ['many values', `[${'[],'.repeat(2_000_000)}[]]`, '4,000,002 values', '3,000,000'],
  ])('%s', (_, text, value, allowed) => {
    expect(faultsOf(text)).toEqual([{ field: 'file', value, allowed: `up to ${allowed}` }]);
  });

  test('but not for brackets in a text', () => {
    expect(parse(textOf({ log: ['[{"\\'.repeat(100)] }))).toMatchObject({ ok: true });
  });
});

describe('integers beyond 2^53', () => {
  test('are read: busy_ps of many cores in an hour, for instance', () => {
    const text = textOf({}).replace('"busy_ps":0', '"busy_ps":18446744073709551615');
    expect(parse(text)).toMatchObject({ ok: true, value: { model: { busy_ps: 2 ** 64 } } });
  });

  test.each(['18446744073709560000', '1e300', '0.5', '-1'])(
    '%s is refused, since no counter can hold it',
    (value) => {
      const text = textOf({}).replace('"busy_ps":0', `"busy_ps":${value}`);
      expect(faultsOf(text)).toMatchObject([
        { field: 'model.busy_ps', allowed: 'an integer from 0 to 2^64' },
      ]);
    },
  );
});

test('a byte order mark does no harm', () => {
  expect(parse(`\uFEFF${textOf({})}`)).toMatchObject({ ok: true });
});

test('a field with a reserved name is named', () => {
  const text = textOf({}).replace('"spec":{', '"spec":{"__proto__":{"threads":1},');
  expect(faultsOf(text)).toMatchObject([{ field: 'spec.__proto__', value: '{"threads":1}' }]);
});

test('limits leave room above what the engine can write', () => {
  const { latch_sites, functions, threads } = layout;
  expect(result_limits.latches).toBeGreaterThan(2 * latch_sites.count);
  expect(result_limits.frames).toBeGreaterThan(2 * threads.fields.frames.count);
  expect(result_limits.name_characters).toBeGreaterThanOrEqual(2 * functions.fields.text.count);
  expect(result_limits.counters).toBeGreaterThan(2 * counters_of_engine.length);
});
