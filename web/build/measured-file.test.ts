// Tests the faults of measured files that the page reports.
import { readFileSync } from 'node:fs';
import path from 'node:path';

import { scenarios } from 'virtual:scenarios';
import { describe, expect, test } from 'vitest';

import { measuredFiles } from '../../research/real-servers/measured-file.mjs';
import { isMeasuredText } from '../contract/run-result-text';
import type { Measured } from '../contract/real-servers/measured-faults.mjs';
import type { Scenario } from '../contract/manifest';
import { parseMeasuredFile } from '../analysis/real-servers/measured-file';

const folder = path.join(import.meta.dirname, '../../scenarios');
const manifests = (scenarios as readonly Scenario[]).map(({ manifest }) => manifest);
const shown = manifests.find(({ id }) => id === 'undo-read-117533')!;

const FILE = 'mysql-9.7.4-2-cores.json';
const good = readFileSync(path.join(folder, shown.id, 'measured', FILE), 'utf8');
const FIL_SYSTEM = 'wait/synch/mutex/innodb/fil_system_mutex';

/** Fields that a test may break in any way. */
type Loose = Measured & Record<string, unknown>;

function broken(change: (document: Loose) => void): string {
  const document = JSON.parse(good) as Loose;
  change(document);
  return JSON.stringify(document);
}

const run = ({ experiments }: Loose) => experiments[0]!.runs[0]!;
const latch = (document: Loose) => run(document).phases[1]!.latches[FIL_SYSTEM]!;
const errorsOf = (text: string) => {
  const parsed = parseMeasuredFile(text, { manifests, shown });
  return parsed.ok ? [] : parsed.errors;
};

describe('every committed file', () => {
  for (const manifest of manifests) {
    test(`of ${manifest.id} can be dropped on its bug's page`, () => {
      for (const file of measuredFiles(folder, manifest.id)) {
        const text = readFileSync(file, 'utf8');
        expect(isMeasuredText(text)).toBe(true);
        expect(parseMeasuredFile(text, { manifests, shown: manifest })).toMatchObject({
          ok: true,
          value: { scenario: manifest.id },
        });
      }
    });
  }
});

test('a file gives what the page shows: server, machine, counts and operations per second', () => {
  const parsed = parseMeasuredFile(good, { manifests, shown: null });
  expect(parsed).toMatchObject({
    ok: true,
    value: { server: { name: 'mysql-9', version: '9.7.4-2', cores: 2 } },
  });
  if (!parsed.ok) return;
  const [undo] = parsed.value.server.experiments;
  expect(undo?.runs.map(({ clients }) => clients)).toEqual([1, 2, 4, 8]);
  expect(undo?.runs[3]?.operations_per_s).toBeCloseTo(111 / 2.091, 6);
  expect(JSON.stringify(parsed.value)).not.toContain('wait/synch');
});

// Faults that the schema reports.
const againstSchema: [what: string, change: (document: Loose) => void, field: string, allowed: string][] = [
  [
    'a negative count',
    (d) => (latch(d).acquisitions = -1),
    `experiments[0].runs[0].phases[1].latches.${FIL_SYSTEM}.acquisitions`,
    'an integer from 0',
  ],
  [
    'half an acquisition',
    (d) => (latch(d).acquisitions = 1.5),
    `experiments[0].runs[0].phases[1].latches.${FIL_SYSTEM}.acquisitions`,
    'an integer from 0',
  ],
  ['no clients', (d) => (run(d).clients = 0), 'experiments[0].runs[0].clients', 'an integer from 1'],
  [
    'a phase without time',
    (d) => (run(d).phases[0]!.seconds = 0),
    'experiments[0].runs[0].phases[0].seconds',
    'a number above 0',
  ],
  [
    'a server without a version',
    (d) => (d.server.version = 'new'),
    'server.version',
    'a version that begins',
  ],
  ['a server of another kind', (d) => (d.server.name = 'oracle-23'), 'server.name', 'mysql- or mariadb-'],
  ['a field too many', (d) => (d.owner = 'me'), 'owner', 'one of $schema, version, scenario'],
  ['no machine', (d) => delete (d as Partial<Loose>).machine, 'machine', 'an object with cpu_model, cores'],
  ['no command', (d) => (d.command = ''), 'command', 'a text that is not empty'],
  ['no experiments', (d) => (d.experiments = []), 'experiments', 'a list of at least 1'],
  ['a day that is none', (d) => (d.measured_at = 'today'), 'measured_at', 'a day, such as'],
  [
    'a latch that is no instrument',
    (d) => (run(d).phases[0]!.latches.luck = { acquisitions: 1 }),
    'experiments[0].runs[0].phases[0].latches.luck',
    'an instrument of performance_schema',
  ],
  [
    'a count that is a text',
    (d) => ((run(d).counts as Record<string, unknown>)['fil_system per undo record read'] = '1'),
    'experiments[0].runs[0].counts.fil_system per undo record read',
    'a number',
  ],
];

for (const [what, change, field, allowed] of againstSchema) {
  test(`${what} is named and refused`, () => {
    const text = broken(change);
    const [first] = errorsOf(text);
    expect(first?.field).toBe(field);
    expect(first?.allowed).toContain(allowed);
  });
}

const otherwise: [what: string, text: string, field: string, value: string, allowed: string][] = [
  [
    'a newer version',
    broken((d) => ((d as Record<string, unknown>).version = 2)),
    'version',
    '2',
    '1; this file is of a newer',
  ],
  [
    'another bug',
    readFileSync(path.join(folder, 'fil-mutex-69276/measured', FILE), 'utf8'),
    'scenario',
    'fil-mutex-69276 (bug #69276)',
    'undo-read-117533: the page shows bug #117533; open bug #69276 first',
  ],
  [
    'a bug that nobody knows',
    broken((d) => (d.scenario = 'luck')),
    'scenario',
    'luck',
    'one of fil-mutex-69276',
  ],
  [
    'more waits than acquisitions',
    broken((d) => (latch(d).waits = latch(d).acquisitions + 1)),
    `experiments[0].runs[0].phases[1].latches.${FIL_SYSTEM}.waits`,
    String(latch(JSON.parse(good) as Loose).acquisitions + 1),
    `${latch(JSON.parse(good) as Loose).acquisitions} or less, its acquisitions`,
  ],
  [
    'a count that its phases do not have',
    broken((d) => (run(d).counts['fil_system per undo record read'] = 2)),
    'experiments[0].runs[0].counts.fil_system per undo record read',
    '2',
    'as its phases have it',
  ],
  [
    'a count of an odd name',
    broken((d) => (run(d).counts.constructor = 2 as never)),
    'experiments[0].runs[0].counts.constructor',
    '2',
    'no such count',
  ],
  [
    'an experiment of another bug',
    broken((d) => (d.experiments[0]!.experiment = 'page_read')),
    'experiments[0].experiment',
    'page_read',
    'one of undo_read',
  ],
  [
    'the same clients twice',
    broken((d) => d.experiments[0]!.runs.push(run(d))),
    'experiments[0].runs',
    '1',
    'each number of clients once',
  ],
  [
    'a name that turns around',
    broken((d) => (d.machine.cpu_model = 'a\u202eb')),
    'machine.cpu_model',
    'a\\u{202e}b',
    'all of them visible',
  ],
  ['half a file', good.slice(0, 2000), 'file', 'not JSON', 'a measured file'],
  ['an empty file', '', 'file', '', 'a measured file'],
  ['a list', '[]', 'file', '[]', 'a measured file'],
  ['brackets', '['.repeat(100_000), 'file', '100,000 lists', 'up to 16'],
  ['a book', 'x'.repeat(2 ** 23), 'file', '8.0 MiB', 'up to 4 MiB'],
];

for (const [what, text, field, value, allowed] of otherwise) {
  test(`${what}: the field, the value and what is allowed are named`, () => {
    const [first] = errorsOf(text);
    expect(first?.field).toBe(field);
    expect(first?.value).toContain(value);
    expect(first?.allowed).toContain(allowed);
  });
}
