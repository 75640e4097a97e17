import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { expect, test } from 'vitest';

import { openLatchCatalogue } from '../analysis/imports/latch-catalogue';
import {
  catalogueFaults,
  latch_catalogue_schema,
  type CatalogueContext,
  type LatchCatalogue,
} from '../contract/scenario-files/latch-catalogue';
import { schemaFaults } from '../contract/schema-faults';
import { readLatchCatalogue } from './latch-catalogue.ts';

const scenariosFolder = path.join(import.meta.dirname, '../../scenarios');
const catalogue = await readLatchCatalogue(scenariosFolder);

test('the page is built with the catalogue, which fits its schema and refers to what exists', () => {
  expect(catalogue.latches.length).toBeGreaterThan(50);
  expect(catalogue.bugs.map(({ scenario }) => scenario)).toContain('fil-mutex-69276');
});

test('each event that was counted in a real server has an entry', () => {
  const { findEntry } = openLatchCatalogue(catalogue);
  const events = new Set(measuredTexts().flatMap((text) => text.match(/wait\/synch\/[\w/:.]+/g) ?? []));
  expect(events.size).toBeGreaterThan(100);
  expect([...events].filter((event) => findEntry(event, 'mysql') === null)).toEqual([]);
  expect([...events].filter((event) => findEntry(event, 'mariadb') === null)).toEqual([]);
});

function measuredTexts(): string[] {
  return catalogue.bugs.flatMap(({ scenario }) => {
    const folder = path.join(scenariosFolder, scenario, 'measured');
    return readdirSync(folder).map((file) => readFileSync(path.join(folder, file), 'utf8'));
  });
}

test('from and to of each name are versions that were checked, or lie between two of them', () => {
  for (const { id, names } of catalogue.latches)
    for (const { server, from, to } of names)
      for (const version of [from, ...(to === null ? [] : [to])]) {
        const series = version.split('.').slice(0, 2).join('.');
        const checked = catalogue.checked.filter((one) => one.server === server);
        expect(
          checked.some((one) => `${one.version}.`.startsWith(`${series}.`)),
          `${id}: ${server} ${version}`,
        ).toBe(true);
      }
});

const aName = {
  server: 'mysql',
  from: '5.6',
  to: null,
  event: 'wait/synch/mutex/sql/LOCK_a',
  code: 'LOCK_a',
} as const;
const entry = (changed: object) => ({
  id: 'a',
  name: 'LOCK_a',
  kind: 'mutex',
  guards: 'One thing.',
  names: [aName],
  sleeps: false,
  symptoms: ['a'],
  sources: ['https://example.org/a'],
  ...changed,
});
const report = 'https://example.org/1';
const small = (...latches: object[]) => ({
  schema_version: 1,
  checked: [{ server: 'mysql', version: '5.6.24', how: 'source', source: 'a tree' }],
  bugs: [{ scenario: 'bug-1', report, broken: [{ server: 'mysql', from: '5.6', to: null }], fixed: null }],
  latches,
});

test.each([
  [{}, undefined],
  [{ sources: [] }, 'latches[0].sources'],
  [{ guards: 'word '.repeat(26).trim() }, 'latches[0].guards'],
  [{ names: [{ ...aName, from: 'five' }] }, 'latches[0].names[0].from'],
  [{ names: [{ ...aName, from: '5.7', to: '5.6.41' }] }, 'latches[0].names[0]'],
  [{ names: [{ ...aName, event: 'LOCK_a' }] }, 'latches[0].names[0].event'],
  [{ sleeps: true }, 'latches[0].sleeper'],
  [{ sleeper: 'a thread' }, 'latches[0].sleeper'],
])('the schema finds the fault of %j', (changed, field) => {
  expect(schemaFaults(latch_catalogue_schema, small(entry(changed)))[0]?.field).toBe(field);
});

const context: CatalogueContext = {
  reports: new Map([['bug-1', report]]),
  latches: { 'bug-1': ['LOCK_a'] },
};
const other = {
  id: 'b',
  name: 'LOCK_b',
  names: [{ ...aName, event: 'wait/synch/mutex/sql/b', code: 'LOCK_b' }],
};
const bugs = (scenario: string, latch: string) => ({ bugs: [{ scenario, latch, role: 'cause' }] });

test.each([
  [entry(bugs('bug-1', 'LOCK_a')), entry(other), undefined],
  [entry(bugs('bug-1', 'LOCK_z')), entry(other), 'a: the engine has no latch LOCK_z in bug-1'],
  [entry(bugs('bug-2', 'LOCK_a')), entry(other), 'a: the engine has no latch LOCK_a in bug-2'],
  [entry({}), entry({ ...other, id: 'a' }), 'a: the id a is that of a'],
  [entry({}), entry({ ...other, name: 'lock_A' }), 'b: the name lock_a is that of a'],
  [
    entry({}),
    entry({ ...other, names: [aName] }),
    `b: the event ${aName.event.toLowerCase()} of mysql is that of a`,
  ],
  [entry({}), entry({ ...other, names: [{ ...aName, server: 'mariadb', code: null }] }), undefined],
  [
    entry({ status_names: ['A'] }),
    entry({ ...other, status_names: ['a'] }),
    'b: the status name a is that of a',
  ],
  [
    entry({ created_in: [{ file: 'a.cc', as: 'mutex' }] }),
    entry({ ...other, created_in: [{ file: 'a.cc', as: 'mutex' }] }),
    'b: the file a.cc of a mutex is that of a',
  ],
  [
    entry({ created_in: [{ file: 'a.cc', as: 'mutex' }] }),
    entry({ ...other, created_in: [{ file: 'a.cc', as: 'rw-latch' }] }),
    undefined,
  ],
])('of %j and %j: %s', (one, two, fault) => {
  const document = small(one, two);
  expect(schemaFaults(latch_catalogue_schema, document)).toEqual([]);
  const faults = catalogueFaults(document as unknown as LatchCatalogue, context);
  expect(faults[0]).toBe(fault === undefined ? undefined : `latches: ${fault}`);
});

test('each bug has the address of its report, and none is missing', () => {
  const document = small(entry({})) as unknown as LatchCatalogue;
  const reports = new Map([
    ['bug-1', 'https://example.org/2'],
    ['bug-2', report],
  ]);
  expect(catalogueFaults(document, { ...context, reports })).toEqual([
    `bugs: bug-1 is no scenario with the report ${report}`,
    'bugs: bug-2 is missing',
  ]);
});
