import { describe, expect, test } from 'vitest';

import type { ComparisonSettings, SweepSettings } from '../../contract/experiment-plan';
import { designTitle, namedDesigns } from '../../session/designs';
import { defaultComparison, defaultSweep, defaultCounts, planComparison, planSweep } from './experiment-plan';
import { measuredRunOf } from '../../session/measured-run';
import { defaultRunSpec, type RunSpec } from '../../contract/run-spec';
import { all_scenarios } from '../../contract/all-scenarios';
import { fil_mutex, machine, undo_read } from '../../contract/test-fixtures';

const undo = { manifest: undo_read.manifest, machine };
const fil = { manifest: fil_mutex.manifest, machine };
const undoSpec = defaultRunSpec(undo_read.manifest, machine, 'virtual');
const filSpec = defaultRunSpec(fil_mutex.manifest, machine, 'virtual');
const compare = (change: Partial<ComparisonSettings>, spec: RunSpec = undoSpec) =>
  planComparison(spec, { ...defaultComparison, ...change }, undo);
const sweep = (change: Partial<SweepSettings>, spec: RunSpec = filSpec) =>
  planSweep(spec, { ...defaultSweep, ...change }, fil);

function valueOf<T>(parsed: { ok: true; value: T } | { ok: false; errors: unknown }): T {
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
  return parsed.value;
}

describe('a run that is measured', () => {
  test('is what the manifest says of comparing', () => {
    const { virtual } = undo_read.manifest.comparison!;
    const { spec, fromS, repeats, reduced } = measuredRunOf(undoSpec, undo_read.manifest, machine);
    expect(spec).toMatchObject({
      duration_s: virtual.duration_s,
      actions: virtual.actions,
      threads: 32,
      parameters: undoSpec.parameters,
    });
    expect(spec.interval_s).toBeCloseTo(virtual.duration_s / 60, 9);
    expect([fromS, repeats, reduced]).toEqual([null, virtual.repeats, {}]);
  });

  test('keeps what the reader has set', () => {
    const own = {
      ...undoSpec,
      duration_s: 0.5,
      parameters: { ...undoSpec.parameters, rows: 2000 },
      actions: [{ at_s: 0.1, action: 'update_k' }],
    };
    const { spec, reduced } = measuredRunOf(own, undo_read.manifest, machine);
    expect(spec).toMatchObject({ duration_s: 0.5, actions: own.actions, parameters: { rows: 2000 } });
    expect(reduced).toEqual({});
  });

  test('that is shorter than usual has no actions after its end', () => {
    const { spec, fromS } = measuredRunOf({ ...undoSpec, duration_s: 0.0005 }, undo_read.manifest, machine);
    expect([spec.actions, fromS, spec.interval_s]).toEqual([[], null, 0.001]);
  });

  test('of a scenario that says nothing is some samples of its usual run', () => {
    const manifest = { ...fil_mutex.manifest };
    delete manifest.comparison;
    const run = measuredRunOf(filSpec, manifest, machine);
    expect([run.spec.duration_s, run.fromS]).toEqual([0.1, null]);
    const real = measuredRunOf(defaultRunSpec(manifest, machine, 'threads'), manifest, machine);
    expect([real.spec.duration_s, real.fromS]).toEqual([3, null]);
  });
});

describe('a step of a line over time', () => {
  const stepOf = (spec: RunSpec, { manifest } = undo) => {
    const plan = valueOf(planComparison(spec, defaultComparison, { manifest, machine }));
    return [plan.intervals_of_a_step, plan.intervals_of_a_step * plan.interval_s];
  };

  test('is at least as long as the scenario’s transactions need, and all are equal', () => {
    expect(stepOf(undoSpec)).toEqual([30, expect.closeTo(0.375, 6)]);
    const { virtual_sample_s } = undo_read.manifest;
    expect(stepOf(undoSpec)[1]).toBeGreaterThanOrEqual(virtual_sample_s!);
    expect(stepOf({ ...undoSpec, duration_s: 30 })[0]).toBe(1);
  });

  test('is an interval where transactions are short, on real threads, and in runs of less than two such steps', () => {
    expect(stepOf(filSpec, fil)[0]).toBe(1);
    expect(stepOf(defaultRunSpec(undo_read.manifest, machine, 'threads'))[0]).toBe(1);
    expect(stepOf({ ...undoSpec, duration_s: 0.5 })[0]).toBe(1);
  });
});

describe('a comparison', () => {
  test('is of the draft’s design and the fixed one, with five seeds', () => {
    const plan = valueOf(planComparison(filSpec, defaultComparison, fil));
    expect(plan.designs.map(({ title }) => title)).toEqual([
      'MySQL 5.6 (the bug)',
      'One atomic word (the fix)',
    ]);
    expect(plan.runs).toHaveLength(10);
    expect(new Set(plan.runs.map(({ spec }) => spec.seed))).toEqual(new Set([1, 2, 3, 4, 5]));
  });

  test('has as few seeds as the scenario says, where its runs take long', () => {
    expect(valueOf(compare({})).repeats).toBe(3);
    expect(valueOf(compare({ repeats: 4 })).repeats).toBe(4);
  });

  test('can be of any two designs', () => {
    const plan = valueOf(compare({ with: { purge_latch: 'sharded_rw_lock' }, repeats: 1 }));
    expect(plan.designs[1]).toEqual({
      title: '64 rw_locks',
      design: { undo_page_size_lookup: 'shard_mutex', purge_latch: 'sharded_rw_lock' },
    });
  });

  test.each<[string, Partial<ComparisonSettings>, object]>([
    ['no repeat', { repeats: 0 }, { field: 'repeats', value: '0', allowed: 'an integer from 1 to 50' }],
    ['half a repeat', { repeats: 2.5 }, { field: 'repeats', value: '2.5' }],
    ['text', { repeats: 'many' }, { field: 'repeats', value: 'many' }],
    ['a part before the start', { from_s: -1 }, { field: 'from_s', value: '-1' }],
    ['an unknown variant', { with: { purge_latch: 'x' } }, { field: 'with.purge_latch', value: 'x' }],
  ])('names %s', (_, change, error) => {
    expect(compare(change)).toMatchObject({ ok: false, errors: [error] });
  });
});

describe('a sweep', () => {
  test('goes through all thread counts before it begins again, in ascending order', () => {
    const plan = valueOf(sweep({ counts: '4, 1 2', repeats: 2, designs: ['original', 'fixed'] }));
    expect(plan.counts).toEqual([1, 2, 4]);
    expect(
      plan.runs.map(({ design, repeat, spec }) => `${repeat}:${spec.threads}${'AB'[design]}`).join(' '),
    ).toBe('0:1A 0:1B 0:2A 0:2B 0:4A 0:4B 1:1B 1:1A 1:2B 1:2A 1:4B 1:4A');
  });

  test.each<[string, Partial<SweepSettings>, object]>([
    [
      'no design',
      { designs: [] },
      { field: 'designs', value: 'none', allowed: /^1 to 4 of original, reporters_server, mysql_8_0, fixed/ },
    ],
    [
      'five designs',
      { designs: ['original', 'fixed', 'a', 'b', 'c'] },
      { field: 'designs', value: '5 designs', allowed: /^1 to 4/ },
    ],
    [
      'a design twice',
      { designs: ['fixed', 'fixed'] },
      { field: 'designs', value: 'fixed', allowed: /once/ },
    ],
    ['no count', { counts: ' ' }, { field: 'counts', value: 'nothing', allowed: /integers from 1 to 1024/ }],
    ['a word', { counts: '1, two' }, { field: 'counts', value: 'two', allowed: /integers/ }],
    ['too many threads', { counts: '1025' }, { field: 'counts', value: '1025', allowed: /1 to 1024/ }],
    ['no thread', { counts: '0,1' }, { field: 'counts', value: '0', allowed: /1 to 1024/ }],
    ['a count twice', { counts: '2,4,2' }, { field: 'counts', value: '2', allowed: /once/ }],
    [
      'too many runs',
      { counts: Array.from({ length: 24 }, (_, i) => i + 1).join(), repeats: 50 },
      { field: 'runs', value: '2400', allowed: /at most 500/ },
    ],
  ])('names %s', (_, change, { allowed, ...error }: { allowed?: RegExp }) => {
    const parsed = sweep(change);
    expect(parsed).toMatchObject({ ok: false, errors: [error] });
    expect(parsed.ok ? '' : parsed.errors[0]!.allowed).toMatch(allowed!);
  });

  test('names all faults at once', () => {
    const parsed = sweep({ counts: 'x', designs: [], repeats: 0 });
    expect(parsed.ok ? [] : parsed.errors.map(({ field }) => field)).toEqual([
      'designs',
      'counts',
      'repeats',
    ]);
  });

  test('by default ends with the report’s clients, or with twice the cores', () => {
    expect(defaultCounts(fil_mutex.manifest, 'virtual', machine)).toEqual([1, 2, 4, 8, 16, 32, 54]);
    expect(defaultCounts(fil_mutex.manifest, 'threads', machine)).toEqual([1, 2, 4, 8]);
    expect(defaultCounts(fil_mutex.manifest, 'threads', { ...machine, cores: 128 })).toEqual([
      1, 2, 4, 8, 16, 32, 64,
    ]);
  });
});

describe('designs', () => {
  test('have each one name: presets, then the original with one knob turned', () => {
    const ids = namedDesigns(fil_mutex.manifest).map(({ id }) => id);
    expect(ids).toEqual([
      'original',
      'reporters_server',
      'mysql_8_0',
      'fixed',
      'tablespace_lookup.release_by_pointer',
      'tablespace_lookup.sharded_mutex',
      'tablespace_lookup.single_lookup_pin',
      'spin_delay_generator.per_thread',
    ]);
  });

  test('without a name are told by their variants', () => {
    const title = designTitle(undo_read.manifest, {
      undo_page_size_lookup: 'shard_rw_lock',
      purge_latch: 'sharded_view_guard',
    });
    expect(title).toBe('Ask the shard, under an rw_lock + A guard in 64 shards and a page fix');
  });
});

test.each(all_scenarios.map(({ manifest }) => [manifest.id, manifest] as const))(
  'the designs of %s can be compared and swept on both platforms as they are',
  (_, manifest) => {
    for (const platform of ['virtual', 'threads'] as const) {
      const spec = defaultRunSpec(manifest, machine, platform);
      expect(planComparison(spec, defaultComparison, { manifest, machine }).ok).toBe(true);
      expect(planSweep(spec, defaultSweep, { manifest, machine }).ok).toBe(true);
    }
  },
);

describe('the reader’s latch', () => {
  const { manifest } = fil_mutex;
  const spec = defaultRunSpec(manifest, machine, 'virtual');
  const latch = { program: { functions: {} } };
  const yours = 'tablespace_lookup.yours';
  const swept = { ...defaultSweep, designs: ['original', yours] };
  const compared = { ...defaultComparison, with: { tablespace_lookup: 'yours' } };

  test('can be compared and swept where the run has one', () => {
    const context = { manifest, machine };
    expect(namedDesigns(manifest, latch).map(({ id }) => id)).toContain(yours);
    const plans = [
      planSweep({ ...spec, latch }, swept, context),
      planComparison({ ...spec, latch }, compared, context),
    ];
    for (const plan of plans) {
      if (!plan.ok) throw new Error(JSON.stringify(plan.errors));
      expect(plan.value.runs.every((run) => run.spec.latch === latch)).toBe(true);
    }
  });

  test('is refused without one', () => {
    expect(planSweep(spec, swept, { manifest, machine })).toMatchObject({
      errors: [{ field: 'designs', value: yours }],
    });
    expect(planComparison(spec, compared, { manifest, machine })).toMatchObject({
      errors: [{ field: 'with.tablespace_lookup', value: 'yours' }],
    });
  });
});
