import { expect, test } from 'vitest';

import { describeRun, fileName, nameInFiles } from './run-description';
import { undo_result } from '../contract/run-result-fixtures';
import { machine, undo_read } from '../contract/test-fixtures';
import { plain_program } from '../contract/workload-fixture';

const { manifest } = undo_read;
const { spec } = undo_result;
const state = { scenario: undo_read, marks: [], result: null, engine_version: null, opened: null, machine };

test('a run is told by its bug, design, machine, clients and seed', () => {
  const { title, conditions } = describeRun(spec, state);
  expect(title).toBe(`Bug #117533: ${manifest.title}`);
  expect(conditions).toMatch(
    /^design: MySQL 8\.0 to 9\.7 \(the bug\) · virtual server: .+ · 4 clients · seed 1$/,
  );
});

test('a result says who wrote it, and from which file it is', () => {
  expect(describeRun(spec, state).source).toBe('Latchscope');
  const opened = { ...state, result: undo_result, opened: { name: 'a.json' } };
  expect(describeRun(spec, opened).source).toBe('Latchscope 0.1.0, from a.json');
});

test('files are named after bug, design and platform', () => {
  expect(fileName(spec, manifest, 'csv')).toBe('latchscope-117533-original-virtual.csv');
  const own = { ...spec.design, purge_latch: 'sharded_rw_lock' };
  const name = fileName({ ...spec, design: own }, manifest, 'trace.json');
  expect(name).toBe(`latchscope-117533-${Object.values(own).join('+')}-virtual.trace.json`);
});

test('files of a workload are named after its title, if that has letters or digits', () => {
  const name = (title: string) =>
    nameInFiles({ scenario: 'workload', workload: { program: { ...plain_program, title } } });
  expect(name('LOCK_grant: a <read> lock')).toBe('lock-grant-a-read-lock');
  expect(name('锁')).toBe('workload');
  expect(name('x'.repeat(200))).toHaveLength(60);
});
