import { describe, expect, test } from 'vitest';

import { undo_result } from './run-result-fixtures';
import { FILE_BYTES_MAX, parseRunResult } from './run-result-file';
import { scenarios } from './test-fixtures';

const textOf = (change: object) => JSON.stringify({ ...undo_result, ...change });
const parse = (text: string) => parseRunResult(text, scenarios);
const faultsOf = (text: string) => {
  const parsed = parse(text);
  return parsed.ok ? [] : parsed.errors;
};

test('a result is read back as it was written', () => {
  expect(parse(JSON.stringify(undo_result))).toEqual({ ok: true, value: undo_result });
});

test('what a later engine adds within version 1 is passed over', () => {
  expect(parse(textOf({ samples: [1, 2], counters: { ...undo_result.counters, new_counter: 5 } })).ok).toBe(
    true,
  );
});

test('samples of stacks, which only the command line takes, do no harm', () => {
  const stack_samples = { sampler: 'instant', count: 2, every_s: 0.001 };
  const parsed = parse(textOf({ spec: { ...undo_result.spec, stack_samples }, stack_samples: [] }));
  expect(parsed).toMatchObject({ ok: true, value: { spec: undo_result.spec } });
});

test('a result of real threads is read on a page that has none', () => {
  const spec = { ...undo_result.spec, platform: 'threads', server: undefined, threads: 4 };
  expect(
    parse(textOf({ spec, engine: { version: '0.1.0', platform: 'threads', build: 'Clang 19' } })).ok,
  ).toBe(true);
});

describe('refuses, by field, value and what is allowed,', () => {
  const { spec, intervals, counters } = undo_result;
  const too_few_counters = Object.fromEntries(Object.entries(counters).filter(([name]) => name !== 'errors'));
  const cases: [what: string, text: string, field: string, value: string, allowed: string][] = [
    ['an empty file', '', 'file', '', 'a run result'],
    ['broken JSON', '{"version":1,', 'file', 'no JSON (', 'a run result: JSON'],
    ['a text', 'hello', 'file', 'no JSON (', 'a run result'],
    ['a list', '[1,2]', 'file', '[1,2]', 'a run result'],
    ['foreign JSON', '{"traceEvents":[]}', 'version', 'missing', '1'],
    ['a newer version', textOf({ version: 2 }), 'version', '2', 'a newer Latchscope has written this'],
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
    expect(faults[0]!.value).toHaveLength(81);
  });
});
