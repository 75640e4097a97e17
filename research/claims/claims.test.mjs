// Tests that claims about scenarios are read, checked and judged.
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { repository } from '../../tools/processes.mjs';
import { ScenarioError } from '../../tools/scenario-files.mjs';
import { readManifests } from '../../tools/scenario-manifests.mjs';
import { judge } from './judge.mjs';
import { readClaims } from './read.mjs';

const scenarios = join(repository, 'scenarios');
const EXAMPLE = 'fil-mutex-69276';

test('the claims of every scenario can be read', async () => {
  for (const { id } of await readManifests(scenarios)) {
    const { claims } = await readClaims(scenarios, id);
    assert.ok(claims.length > 0, id);
  }
});

async function problemsAfter(change) {
  const folder = mkdtempSync(join(tmpdir(), 'latchscope-claims-'));
  try {
    cpSync(scenarios, folder, { recursive: true });
    const path = join(folder, EXAMPLE, 'claims.json');
    const claims = JSON.parse(readFileSync(path, 'utf8'));
    writeFileSync(path, change(claims) ?? JSON.stringify(claims));
    await readClaims(folder, EXAMPLE);
    return [];
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error;
    return error.problems;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const badClaims = [
  ['text that is not JSON', () => '{', /is not JSON/],
  [
    'an unknown field',
    (c) => void (c.claims[0].colour = 'red'),
    /claims\[0\]\.colour: got "red"; allowed: one of claim, figure/,
  ],
  ['no sentence', (c) => void delete c.claims[0].claim, /claims\[0\]\.claim: got nothing/],
  [
    'no comparison',
    (c) => void delete c.claims[0].equals,
    /claims\[0\]: got \[\]; allowed: exactly one of equals, at_least, at_most/,
  ],
  [
    'two comparisons',
    (c) => void (c.claims[0].at_least = 1),
    /claims\[0\]: got \["equals","at_least"\]; allowed: exactly one/,
  ],
  [
    'a value that is neither number nor figure',
    (c) => void (c.claims[0].equals = 'six'),
    /claims\[0\]\.equals: got "six"; allowed: a number, or another figure/,
  ],
  [
    'a figure that counts nothing',
    (c) => void delete c.claims[0].figure.acquisitions_of,
    /claims\[0\]\.figure: got \[\]; allowed: exactly one of counter, acquisitions_of, waits_for/,
  ],
  [
    'an unknown run',
    (c) => void (c.claims[0].figure.run = 'fastest'),
    /claims\[0\]\.figure\.run: got "fastest"; allowed: one of global_mutex, release/,
  ],
  [
    'an unknown run in the value',
    (c) => void (c.claims[0].equals = { run: 'fastest', counter: 'block_reads' }),
    /claims\[0\]\.equals\.run: got "fastest"/,
  ],
  [
    'a counter that the engine does not have',
    (c) => void (c.claims[0].figure.per = 'goals'),
    /claims\[0\]\.figure\.per: got "goals"; allowed: a counter of docs/,
  ],
  [
    'a run that no claim uses',
    (c) => void (c.runs.idle = { threads: 1, duration_s: 1 }),
    /runs: got "idle"; allowed: only runs that a claim uses/,
  ],
  [
    'a run that is too long',
    (c) => void (c.runs.global_mutex.duration_s = 60),
    /runs\.global_mutex\.duration_s: got 60; allowed: 5 or less/,
  ],
];

for (const [name, change, expected] of badClaims) {
  test(`claims with ${name} are refused with file, field, value and what is allowed`, async () => {
    const problems = await problemsAfter(change);
    assert.match(problems[0], /^scenarios\/fil-mutex-69276\/claims\.json: /);
    assert.match(problems.join('\n'), expected);
  });
}

const mutex = { latch: 'm_mutex', site: 'fil_io', acquisitions: 12, waits: 5 };
const results = {
  slow: {
    counters: { block_reads: 4, commits: 0 },
    latches: [mutex, { latch: 'm_mutex', site: 'fil_flush', acquisitions: 3, waits: 0 }],
    invariants: [{ name: 'nothing is lost', ok: true, detail: '' }],
  },
  fast: { counters: { block_reads: 9, commits: 2 }, latches: [], invariants: [] },
};
const verdict = (claim) => judge({ claims: [{ claim: 'A sentence.', ...claim }] }, results)[0];
const atIo = { run: 'slow', acquisitions_of: 'm_mutex', at: ['fil_io'], per: 'block_reads' };

const judged = [
  ['an exact count', { figure: atIo, equals: 3 }, { figure: atIo, equals: 4 }],
  ['a lower bound', { figure: atIo, at_least: 3 }, { figure: atIo, at_least: 3.01 }],
  ['an upper bound', { figure: atIo, at_most: 3 }, { figure: atIo, at_most: 2.99 }],
  [
    'a counter of another run',
    {
      figure: { run: 'fast', counter: 'block_reads' },
      at_least: { run: 'slow', counter: 'block_reads' },
      times: 2,
    },
    {
      figure: { run: 'fast', counter: 'block_reads' },
      at_least: { run: 'slow', counter: 'block_reads' },
      times: 3,
    },
  ],
  [
    'all sites of a latch',
    { figure: { run: 'slow', acquisitions_of: 'm_mutex' }, equals: 15 },
    { figure: { run: 'slow', acquisitions_of: 'm_mutex' }, equals: 12 },
  ],
  [
    'the waits for a latch',
    { figure: { run: 'slow', waits_for: 'm_mutex' }, equals: 5 },
    { figure: { run: 'slow', waits_for: 'm_mutex' }, equals: 0 },
  ],
  [
    'a latch that is not acquired',
    { figure: { run: 'fast', acquisitions_of: 'm_mutex' }, equals: 0 },
    { figure: { run: 'slow', acquisitions_of: 'm_mutex' }, equals: 0 },
  ],
];

for (const [name, holds, fails] of judged) {
  test(`a claim about ${name} holds or fails`, () => {
    assert.equal(verdict(holds).ok, true, verdict(holds).detail);
    assert.equal(verdict(fails).ok, false, verdict(fails).detail);
  });
}

test('a claim about a latch that no run acquires fails, and says so', () => {
  const misspelt = { figure: { run: 'slow', acquisitions_of: 'm_mutexx' }, equals: 0 };
  assert.deepEqual([verdict(misspelt).ok, verdict(misspelt).detail], [false, 'no run acquires m_mutexx']);
  const elsewhere = { figure: { run: 'slow', acquisitions_of: 'm_mutex', at: ['fil_oi'] }, equals: 0 };
  assert.equal(verdict(elsewhere).detail, 'no run acquires m_mutex in fil_oi');
});

test('a claim per operation fails if there was no operation', () => {
  const { ok, detail } = verdict({
    figure: { run: 'slow', counter: 'block_reads', per: 'commits' },
    at_most: 9,
  });
  assert.deepEqual([ok, detail], [false, 'the run slow has no commits to divide by']);
});

test('a broken invariant fails along with the claims', () => {
  const lost = structuredClone(results);
  lost.slow.invariants[0] = { name: 'nothing is lost', ok: false, detail: '1 row' };
  const verdicts = judge({ claims: [] }, lost);
  assert.deepEqual(
    verdicts.map(({ ok, detail }) => [ok, detail]),
    [[false, 'slow: nothing is lost: 1 row']],
  );
});
