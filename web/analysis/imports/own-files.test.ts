import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { undo_result } from '../../contract/run-result-fixtures';
import { beginsAsOwnFile } from '../../contract/run-result-text';
import { importReport } from './import-report';
import { OwnFileRefused, readOwnFile, requireOwnSize } from './own-files';

const reportOf = (text: string) => importReport([{ source: 'a.json', ...readOwnFile(text) }]);

test('a run result is named, with its latches by their waits', () => {
  const [row] = undo_result.latches;
  const slow = { ...row!, latch: 'Fil_shard::m_mutex', acquisitions: 4, wait_ns: 8000, hold_ns: 4000 };
  const report = reportOf(JSON.stringify({ ...undo_result, latches: [slow, { ...slow, site: 'b' }] }));
  expect(report).toMatchObject({
    files: [{ form: 'run_result', title: 'run result of Latchscope: undo-read-117533, virtual' }],
    ...{ basis: 'waits in a run of the model', interval_s: undo_result.intervals.at(-1)!.t_s },
    latches: [
      {
        ...{ name: 'Fil_shard::m_mutex', share: 1, count: 8, wait_s: 16e-6, mean_wait_us: 2 },
        hold: { mean_hold_us: 1, utilization: null, max_acquisitions_per_s: null },
        matched: { id: 'tablespace-map' },
      },
    ],
  });
});

test('a measured file is named, with its server and its latches by acquisitions', () => {
  const folder = `${import.meta.dirname}/../../../scenarios/fil-mutex-69276/measured`;
  const report = reportOf(readFileSync(`${folder}/mariadb-10.11.19-2-cores.json`, 'utf8'));
  expect(report).toMatchObject({
    files: [{ form: 'measured_file', title: 'measured file of Latchscope: fil-mutex-69276, mariadb-10.11' }],
    basis: 'acquisitions in measured runs',
    server: { server: 'mariadb', version: '10.11.19' },
  });
  expect(report.latches[0]).toMatchObject({ name: 'sql/THD::LOCK_thd_data', wait_s: null, hold: null });
  expect(report.latches.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1);
  // Conditions on which background threads sleep are no waiting.
  expect(report.apart.map(({ event }) => event)).toContain('wait/synch/cond/mysys/COND_timer');
});

test.each([
  ['{', 'not JSON'],
  ['{"version": 99}', 'version'],
  ['{"experiments": []}', 'scenario'],
  ['[1]', 'a run result'],
])('%s is refused with its fault', (text, words) => {
  expect(() => readOwnFile(text)).toThrow(OwnFileRefused);
  expect(() => readOwnFile(text)).toThrow(words);
});

test('own files are known by their beginning, and too much of one is refused', () => {
  expect(['{', ' \n{', '\uFEFF{}'].map(beginsAsOwnFile)).toEqual([true, true, true]);
  const others = ['| EVENT_NAME', '', 'x {', '[New LWP 1002]', '[ 10s ] thds: 16', '[Thread debugging'];
  expect(others.filter(beginsAsOwnFile)).toEqual([]);
  expect(() => requireOwnSize(33 * 2 ** 20)).toThrow('33.0 MiB; allowed: up to 32 MiB');
});
