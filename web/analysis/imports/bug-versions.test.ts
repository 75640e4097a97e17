import { expect, test } from 'vitest';

import { latch_catalogue } from '../../contract/all-known-latches';
import type { NamedServer } from '../../contract/import-report';
import { rangeInWords, versionsInWords, versionVerdict } from './bug-versions';
import { matchedEntry, openLatchCatalogue } from './latch-catalogue';

const catalogue = openLatchCatalogue(latch_catalogue);
const matched = (latch: string, server: NamedServer['server'], version: string | null) =>
  matchedEntry(catalogue, catalogue.findEntry(latch)!, { server, version });

const [xa, fil, binlog] = ['xa-gtid-99638', 'fil-mutex-69276', 'binlog-purge-104615'] as const;
const latchOf = { [xa]: 'LOCK_commit', [fil]: 'fil_system_mutex', [binlog]: 'LOCK_log' };

test.each([
  [xa, 'mysql', '8.0.18', true, 'Your 8.0.18 has it; fixed in MySQL 8.0.23'],
  [xa, 'percona', '8.0.18', true, 'Your 8.0.18 has it; fixed in MySQL 8.0.23'],
  [xa, 'mysql', '8.0.36', false, 'Your 8.0.36 does not have it: fixed in MySQL 8.0.23'],
  [xa, 'mysql', '8.0.16', false, 'Your 8.0.16 does not have it'],
  [xa, 'mysql', '5.5.62', false, 'Your 5.5.62 does not have it'],
  // Two numbers, as servers of Aurora print, may mean each version of the series.
  [xa, 'mysql', '8.0', null, 'Whether your 8.0 has it is not known'],
  [xa, 'mysql', null, null, 'Whether your MySQL has it is not known'],
  [xa, 'mariadb', '10.11.19', null, 'It was not checked in MariaDB'],
  [fil, 'mysql', '5.6.51', true, 'Your 5.6.51 has it; fixed in MySQL 8.0, by shards'],
  // The oldest and the newest version that were checked are 5.6.24 and 9.7.4.
  [fil, 'mysql', '5.5.62', null, 'Whether your 5.5.62 has it is not known'],
  [binlog, 'mysql', '8.4.0', true, 'Your 8.4.0 has it; no fix is known'],
  [binlog, 'mysql', '9.7.4', true, 'Your 9.7.4 has it; no fix is known'],
  [binlog, 'mysql', '9.8.0', null, 'Whether your 9.8.0 has it is not known'],
] as const)('%s in %s %s: %s', (scenario, server, version, has, words) => {
  const bug = matched(latchOf[scenario], server, version).bugs.find((one) => one.scenario === scenario)!;
  expect([bug.version_has_bug, versionVerdict(bug, { server, version })]).toEqual([has, words]);
});

test('the names in the version of the texts are known', () => {
  expect(matched('fil_system_mutex', 'mysql', '5.7.44').name_in_version?.code).toBe('fil_system->mutex');
  expect(matched('fil_system_mutex', 'mysql', '5.1.73').name_in_version).toBeNull();
  expect(matched('fil_system_mutex', 'mysql', null).name_in_version).toBeNull();
});

test('ranges of versions are in words', () => {
  const { bugs } = matched('LOCK_commit', 'mysql', null);
  expect(versionsInWords(bugs.find(({ scenario }) => scenario === xa)!)).toBe(
    'MySQL 8.0.17 to 8.0.22; fixed in MySQL 8.0.23',
  );
  expect(rangeInWords({ server: 'percona', from: '8.0', to: null })).toBe('Percona Server since 8.0');
  expect(rangeInWords({ server: 'mariadb', from: '10.5', to: '10.5' })).toBe('MariaDB 10.5');
});

test('without a server in the texts, there is no verdict', () => {
  const entry = matchedEntry(catalogue, catalogue.findEntry('LOCK_log')!, null);
  expect(entry.bugs[0]!.version_has_bug).toBeNull();
  expect(versionVerdict(entry.bugs[0]!, null)).toBeNull();
});
