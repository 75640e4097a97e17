// Damages texts of servers' tools and imports them, alone and two at a time. Each must be refused
// with its place, or read: every figure is then a number.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import fc from 'fast-check';

import { moduleOfPage } from '../../tools/page-module.mjs';
import { repository } from '../../tools/processes.mjs';

const FOLDER = join(repository, 'web/analysis/imports/test-fixtures');
const imports = moduleOfPage('web/analysis/imports/for-tools.ts', { withScenarios: true });

const texts = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.txt'))
  .map((name) => readFileSync(join(FOLDER, name), 'utf8'));
const lines = texts.flatMap((text) => text.split('\n')).filter((line) => line !== '');

const piece = fc.oneof(
  fc.constantFrom('', '\n', '\t', '|', ';', '-1', '1e309', '9'.repeat(30), '\0', '\u202e', 'NaN', '0x', '#'),
  fc.constantFrom(...lines),
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.integer({ min: 1, max: 20_000 }).map((count) => 'a;'.repeat(count)),
);
const change = fc.record({ at: fc.nat(20_000), removed: fc.nat(60), inserted: piece });
const damaged = fc
  .tuple(fc.constantFrom(...texts), fc.array(change, { minLength: 1, maxLength: 4 }))
  .map(([text, changes]) =>
    changes.reduce((before, { at, removed, inserted }) => {
      const from = at % (before.length + 1);
      return before.slice(0, from) + inserted + before.slice(from + removed);
    }, text),
  );

function hasFigures(report) {
  const kept = JSON.stringify(report, (name, value) => {
    assert.ok(typeof value !== 'number' || Number.isFinite(value), `${name} is ${value}`);
    return value;
  });
  assert.ok(kept.length > 0);
}

function isReadOrRefused(given, { TextImport, importReport, ImportRefused, SnapshotsRefused }) {
  try {
    const read = given.map((text, place) => {
      const reading = new TextImport();
      reading.write(Buffer.from(text));
      return { source: `${place}.txt`, ...reading.end() };
    });
    hasFigures(importReport(read, { probedS: null }));
  } catch (error) {
    if (!(error instanceof ImportRefused || error instanceof SnapshotsRefused)) throw error;
    assert.notEqual(error.message, '');
  }
}

export default {
  withContext: async (use) => use(await imports()),
  attacks: [
    {
      name: 'one damaged text',
      inputs: 3_000,
      input: fc.tuple(damaged),
      withstands: isReadOrRefused,
    },
    {
      name: 'two texts, of which one or both are damaged',
      inputs: 2_000,
      input: fc.tuple(damaged, fc.oneof(damaged, fc.constantFrom(...texts))),
      withstands: isReadOrRefused,
    },
  ],
};
