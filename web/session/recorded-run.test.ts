import { describe, expect, test } from 'vitest';

import { undo_read, machine } from '../contract/test-fixtures';
import type { RunSpec } from '../contract/run-spec';
import { defaultRunSpec } from '../contract/run-spec';
import { recordedRunOf } from './recorded-run';
import { firstRunSpec } from './first-run';

const fewCores = { ...machine, cores: 2 };
const first = firstRunSpec(undo_read.manifest, fewCores);
const recorded = undo_read.front_run!.runs[0]!;
const seenIn = (change: Partial<RunSpec>) => recordedRunOf(undo_read, { ...first, ...change }, fewCores);

describe('the recorded run of a card', () => {
  test('is the first run that the card starts, in its own figures', () => {
    const { history, ...told } = seenIn({})!;
    expect(told).toMatchObject({ kind: 'recorded', threads: 32, design: 'MySQL 8.0 to 9.7 (the bug)' });
    expect(history.endS).toBe(recorded.intervals.at(-1)!.t_s);
    expect(history.column('transactions_per_s').at(-1)).toBe(recorded.intervals.at(-1)!.tps);
    expect(history.column('p99_ns').at(-1)).toBeCloseTo(recorded.intervals.at(-1)!.latency_ms.p99 * 1e6);
  });

  test.each([
    ['of another size', { parameters: { ...first.parameters, rows: 1000 } }],
    ['with other clients', { threads: 31 }],
    ['of another design', { design: undo_read.manifest.designs.mariadb! }],
    ['with another seed', { seed: 2 }],
    ['whose intervals are others', { interval_s: 0.1 }],
    ['that supposes something', { what_if: { costs: { pause: 50 } } }],
    ['on real threads', { platform: 'threads' }],
    ['in which the UPDATE comes sooner', { actions: [{ at_s: 0.1, action: 'update_k' }] }],
  ] satisfies [string, Partial<RunSpec>][])('is no run %s', (_, change) => expect(seenIn(change)).toBeNull());

  test('is told as far as the run that begins is the same', () => {
    const commit = { at_s: 1.5, action: 'commit_all' };
    expect(seenIn({ actions: [...first.actions, commit] })!.history.endS).toBe(1.4);
    expect(seenIn({ duration_s: 0.7 })!.history.endS).toBe(0.7);
  });

  test('is not that of a scenario without a card', () => {
    const spec = defaultRunSpec(undo_read.manifest, fewCores, 'virtual');
    expect(recordedRunOf({ ...undo_read, front_run: null }, spec, fewCores)).toBeNull();
  });
});
