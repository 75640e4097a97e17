import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';

import { phaseOf } from '../../analysis/pictures/test-fixtures';
import { all_scenarios } from '../../contract/all-scenarios';
import { defaultRunSpec } from '../../contract/run-spec';
import { machine } from '../../contract/test-fixtures';
import { textsOf } from '../../widgets/test-fixtures/reading';
import { drawBinlog, type DoorQueue } from './binlog-picture';

const { manifest } = all_scenarios.find((scenario) => scenario.manifest.bug === 104615)!;
const spec = defaultRunSpec(manifest, machine, 'virtual', { parameters: { max_binlog_size_kib: 1024 } });
const KIB = 1024;
const before = phaseOf({
  design: manifest.designs.original!,
  seconds: 0.25,
  counts: { binlog_bytes_written: 512 * KIB },
});
const totals = {
  binlog_bytes_written: 1536 * KIB,
  binlog_files_rotated: 1,
  binlog_files_purged: 12,
  slow_commits: 200,
  commit_gap_ms_max: 5828,
};
const frozen = phaseOf({ design: manifest.designs.original!, actions: ['expire_logs_1s'], totals });
const queue: DoorQueue = {
  when: 'in the longest wait',
  logHolder: 'client 42',
  indexHolder: 'client 7',
  behind: 198,
  waitedNs: 5.828e9,
};

function shown(seen: Partial<Parameters<typeof drawBinlog>[0]>) {
  const drawn = drawBinlog({ phases: [before, frozen], spec, manifest, ended: null, queue, ...seen })!;
  const { container } = render(drawn.drawing);
  const texts = (look: string) => textsOf(container.querySelectorAll(`.picture-${look}`));
  return { drawn, container, texts };
}

test('the half-full file, two doors and four edges; the gap as measured and by the rule', () => {
  const { drawn, container, texts } = shown({});
  expect(screen.getByRole('img', { name: /the two locks/ })).toBeVisible();
  expect(texts('title')).toEqual([
    'Active file: about 50.0\u202f% full',
    'Who waits for whom, in the longest wait',
    'Longest gap without a COMMIT',
  ]);
  expect(texts('strong')).toEqual([
    '198 clients',
    'LOCK_log',
    'LOCK_index',
    '12 files deleted',
    'A client’s COMMIT',
  ]);
  expect(container.querySelectorAll('.picture-tip')).toHaveLength(4);
  expect(container.querySelectorAll('.picture-cross')).toHaveLength(0);
  // 28 files of 226 ms each, less half a second to fill 1 MiB.
  expect(texts('value')).toEqual(['5.83 s', '5.83 s']);
  expect(drawn.words).toContain(
    'LOCK_log is held by client 42, which waits for LOCK_index, held by client 7; 198 clients wait for 5.83 s.',
  );
  expect(drawn.words).toContain('12 files were deleted.');
  expect(drawn.outcome).toBe('5.83 s without a COMMIT, 200 slow COMMITs');
});

test.each([
  ['rotate_when_index_busy', 'keep_writing', 'gives up and keeps writing'],
  ['unlink_under', 'no_lock', 'deletes without a lock'],
  ['purge_by', 'background_thread', 'a purge thread deletes'],
])('%s, turned to %s, removes one edge and leaves the three others', (knob, variant, said) => {
  const design = { ...manifest.designs.original!, [knob]: variant };
  const { container, texts } = shown({ phases: [phaseOf({ design, actions: ['expire_logs_1s'], totals })] });
  expect(texts('small')).toContain(said);
  expect(container.querySelectorAll('.picture-cross')).toHaveLength(1);
  expect(container.querySelectorAll('.picture-tip')).toHaveLength(3);
});

test('where nobody was seen to wait, no edge is drawn, and it is said', () => {
  const { drawn, container, texts } = shown({ phases: [before], queue: null });
  expect(texts('title')[1]).toBe('No thread waited for LOCK_index');
  expect(container.querySelectorAll('.picture-cross')).toHaveLength(2);
  expect(drawn.words).toContain('No thread waited for LOCK_index.');
  expect(drawBinlog({ phases: [], spec, manifest, ended: null, queue: null })).toBeNull();
});

test('a long run forgets who waited for whom; what it has counted is said', () => {
  const totalsOf = (binlogRotationsBlocked: number) => ({
    ...totals,
    binlog_rotations_blocked: binlogRotationsBlocked,
    slow_commits: 1,
  });
  const of = (blocked: number) =>
    shown({
      phases: [before, phaseOf({ design: manifest.designs.original!, totals: totalsOf(blocked) })],
      queue: null,
    });
  expect(of(1).drawn.words).toContain('One rotation waited for LOCK_index, holding LOCK_log. 12 files');
  expect(of(1).drawn.words).toContain('and one COMMIT was slow.');
  const twice = of(2);
  expect(twice.texts('title')[1]).toBe('2 rotations waited for LOCK_index, holding LOCK_log');
  expect(twice.texts('small')).not.toContain('no waiters seen');
});
