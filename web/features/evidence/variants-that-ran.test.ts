import { expect, test } from 'vitest';

import type { Mark } from '../../contract/mark';
import { pauseMark } from '../../engine-client/test-fixtures/pause-mark';
import type { RunSpec } from '../../contract/run-spec';
import { undo_read } from '../../contract/test-fixtures';
import { runMark } from '../../recording/run-marks';
import { variantsThatRan } from './variants-that-ran';

const markOf = (mark: Partial<Mark>) => runMark({ ...pauseMark, kind: 'knob', ...mark }, undo_read.manifest);
const spec = {
  design: { undo_page_size_lookup: 'shard_mutex', purge_latch: 'rw_lock' },
} as unknown as RunSpec;

test('the variant of the start and those that were flipped to, of this knob only', () => {
  const marks = [
    markOf({ value: 2 }),
    markOf({ value: 0 }),
    markOf({ subject: 1, value: 1 }),
    markOf({ kind: 'action', value: 1 }),
  ];
  const run = { spec, marks };
  expect(variantsThatRan(run, 'undo_page_size_lookup')).toEqual(['shard_mutex', 'cached']);
  expect(variantsThatRan(run, 'purge_latch')).toEqual(['rw_lock', 'sharded_rw_lock']);
});

test('without a run, none', () => {
  expect(variantsThatRan({ spec: null, marks: [] }, 'purge_latch')).toEqual([]);
});
