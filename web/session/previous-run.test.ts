import { describe, expect, test } from 'vitest';

import { pauseMark } from '../engine-client/test-fixtures/pause-mark';
import { History } from '../recording/history';
import { runMark, type RunMark } from '../recording/run-marks';
import { axesKey, designsInWords, previousRunInWords } from './previous-run';
import { defaultRunSpec } from '../contract/run-spec';
import { machine, undo_read } from '../contract/test-fixtures';

const { manifest } = undo_read;
const spec = { ...defaultRunSpec(manifest, machine), design: manifest.designs.original! };

function turned(knob: number, variant: string): RunMark {
  const value = manifest.knobs[knob]!.variants.findIndex(({ id }) => id === variant);
  return runMark({ ...pauseMark, kind: 'knob', subject: knob, value, run_ns: 1e9 }, manifest);
}

describe('the design of a previous run', () => {
  test('is that of the whole run', () => {
    expect(designsInWords(spec, [], manifest)).toBe('MySQL 8.0 to 9.7 (the bug)');
  });

  test('or the first and the last one', () => {
    const marks = manifest.knobs.map(({ id }, knob) => turned(knob, manifest.designs.fixed![id]!));
    expect(designsInWords(spec, marks, manifest)).toBe(
      'MySQL 8.0 to 9.7 (the bug) → A guard in 64 shards (the fix)',
    );
  });

  test('that is no preset is told by its variants', () => {
    const design = { undo_page_size_lookup: 'shard_rw_lock', purge_latch: 'sharded_view_guard' };
    expect(designsInWords({ ...spec, design }, [], manifest)).toBe(
      'Ask the shard, under an rw_lock + A guard in 64 shards and a page fix',
    );
  });
});

test('what the previous run supposed is told', () => {
  const run = {
    history: new History(),
    design: 'original',
    threads: 4,
    phases: [],
    kind: 'previous' as const,
  };
  expect(previousRunInWords({ ...run, whatIf: null })).toBe('previous run: original');
  expect(previousRunInWords({ ...run, whatIf: 'PAUSE 50 %' })).toBe(
    'previous run: original, what if PAUSE 50 %',
  );
});

test('runs on another platform have other axes', () => {
  expect(axesKey(spec)).toBe('undo-read-117533 on threads');
  expect(axesKey({ ...spec, platform: 'virtual' })).not.toBe(axesKey(spec));
});
