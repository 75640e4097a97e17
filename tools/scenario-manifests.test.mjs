// Tests that errors in scenario manifests are found and named.
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { contract } from './page-contract.mjs';
import { repository } from './processes.mjs';
import { ScenarioError } from './scenario-files.mjs';
import { readManifests } from './scenario-manifests.mjs';

const { engine_limits } = await contract();
const scenarios = join(repository, 'scenarios');
const EXAMPLE = 'fil-mutex-69276';

/** Returns the problems in a copy of scenarios/ after `change(folder)`. */
async function problemsAfter(change) {
  const folder = mkdtempSync(join(tmpdir(), 'latchscope-manifests-'));
  try {
    cpSync(scenarios, folder, { recursive: true });
    change(folder);
    await readManifests(folder);
    return [];
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error;
    return error.problems;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function problemsOfManifest(change) {
  return problemsAfter((folder) => {
    const path = join(folder, EXAMPLE, 'manifest.json');
    const manifest = JSON.parse(readFileSync(path, 'utf8'));
    writeFileSync(path, change(manifest) ?? JSON.stringify(manifest));
  });
}

test('scenarios are sorted by bug number, #69276 first', async () => {
  const bugs = (await readManifests(scenarios)).map(({ bug }) => bug);
  assert.equal(bugs[0], 69276);
  assert.deepEqual(
    bugs,
    bugs.toSorted((a, b) => a - b),
  );
});

const badManifests = [
  ['text that is not JSON', () => '{', /is not JSON/],
  [
    'an unknown field',
    (m) => void (m.colour = 'red'),
    /: colour: got "red"; allowed: one of \$schema, schema/,
  ],
  [
    'a missing field',
    (m) => void delete m.title,
    /: title: got nothing; allowed: a text of 2 to 90 characters/,
  ],
  ['a value of the wrong type', (m) => void (m.bug = 'x'), /: bug: got "x"; allowed: an integer from 1/],
  ['another schema version', (m) => void (m.schema_version = 2), /schema_version: got 2; allowed: 1/],
  [
    'a heading that is too long',
    (m) => void (m.title = 'x'.repeat(91)),
    /: title: .*a text of 2 to 90 characters/,
  ],
  [
    'an invalid design name',
    (m) => void (m.designs['Best one'] = m.designs.fixed),
    /: designs\.Best one: got "Best one"; allowed: small letters, digits and _/,
  ],
  [
    'a kind of figure that is not measured',
    (m) => void (m.reported[0].here = { kind: 'magic', of: '' }),
    /: reported\[0\]\.here\.kind: got "magic"; allowed: one of counter_per_second, futex_bucket_spin_percent, latch/,
  ],
  [
    'an id that is not the folder',
    (m) => void (m.id = 'other-bug'),
    /: id: got "other-bug"; allowed: fil-mutex-69276, the name of its folder/,
  ],
  [
    'a design with an unknown variant',
    (m) => void (m.designs.fixed.tablespace_lookup = 'best'),
    /: designs\.fixed\.tablespace_lookup: got "best"; allowed: one of global_mutex, rel/,
  ],
  [
    'a design that leaves out a knob',
    (m) => void delete m.designs.fixed.tablespace_lookup,
    /: designs\.fixed\.tablespace_lookup: got nothing; allowed: one of/,
  ],
  [
    'a design with an unknown knob',
    (m) => void (m.designs.fixed.speed = 'x'),
    /: designs\.fixed: got "speed"; allowed: knobs: tablespace_lookup/,
  ],
  [
    'an original that is not the first variant',
    (m) => void (m.designs.original.tablespace_lookup = 'atomic_word'),
    /: designs\.original\.tablespace_lookup: got "atomic_word"; allowed: the first variant, global_mutex/,
  ],
  [
    'an original that is not the first design',
    (m) => void (m.designs = Object.fromEntries(Object.entries(m.designs).reverse())),
    /: designs: got "\w+"; allowed: original as the first design/,
  ],
  [
    'a design without a title',
    (m) => void delete m.design_titles.fixed,
    /: design_titles\.fixed: got nothing; allowed: a title for each design/,
  ],
  [
    'a title without a design',
    (m) => void (m.design_titles.better = 'Better'),
    /: design_titles: got "better"; allowed: one of original, reporters_server, mysql_8_0, fixed/,
  ],
  [
    'two designs with the same title',
    (m) => void (m.design_titles.fixed = m.design_titles.original),
    /: design_titles: got "MySQL 5.6 \(the bug\)"; allowed: a different title for each design/,
  ],
  [
    'a default out of range',
    (m) => void (m.parameters[0].default = 0),
    /: parameters\[0\]\.default: got 0; allowed: 1 to 64/,
  ],
  [
    'a default of the virtual server out of range',
    (m) => void (m.parameters[0].virtual_default = 65),
    /: parameters\[0\]\.virtual_default: got 65; allowed: 1 to 64/,
  ],
  [
    'an unknown server',
    (m) => void (m.virtual_server = 'pdp-11'),
    /: virtual_server: got "pdp-11"; allowed: /,
  ],
  [
    'bounds out of order',
    (m) => void (m.threads = { min: 9, max: 3, default: 3, virtual_default: 3 }),
    /: threads\.min: got 9; allowed: at most max, 3/,
  ],
  [
    'the same id twice',
    (m) => void (m.actions[1].id = m.actions[0].id),
    /: actions: got "\w+"; allowed: each id once in the list/,
  ],
  [
    'the same variant twice',
    (m) => void (m.knobs[0].variants[3].id = m.knobs[0].variants[1].id),
    /: knobs\[0\]\.variants: got "release_by_pointer"; allowed: each id once/,
  ],
  [
    'a counter that the engine does not have',
    (m) => void (m.shown_counters[0] = 'goals'),
    /: shown_counters\[0\]: got "goals"; allowed: a counter of docs\/reference\/telemetry\.md/,
  ],
  [
    'a figure to be measured after an action that does not exist',
    (m) => void (m.reported[0].here.when = { after: 'half_time' }),
    /: reported\[0\]\.here\.when\.after: got "half_time"; allowed: one of grow_buffer_pool/,
  ],
  [
    'no sentence for its card',
    (m) => void delete m.in_a_sentence,
    /: in_a_sentence: got nothing; allowed: a text of 3 to 140 characters/,
  ],
  [
    'a sentence too long for its card',
    (m) => void (m.in_a_sentence = 'x'.repeat(141)),
    /: in_a_sentence: .*a text of 3 to 140 characters/,
  ],
  [
    'a first run with a design that does not exist',
    (m) => void (m.first_run.virtual.design = 'best'),
    /: first_run\.virtual\.design: got "best"; allowed: .*a preset: original, reporters_server, mysql_8_0, fixed/,
  ],
  [
    'a first run with an action that does not exist',
    (m) => void (m.first_run.threads.actions = [{ at_s: 1, action: 'explode' }]),
    /: first_run\.threads\.actions\[0\]\.action: got "explode"; allowed: one of grow_buffer_pool/,
  ],
  [
    'a comparison with an action that does not exist',
    (m) => void (m.comparison.virtual.actions = [{ at_s: 0, action: 'explode' }]),
    /: comparison\.virtual\.actions\[0\]\.action: got "explode"; allowed: one of grow_buffer_pool/,
  ],
  [
    'a comparison with a parameter out of range',
    (m) => void (m.comparison.threads.parameters = { tables: 65 }),
    /: comparison\.threads\.parameters\.tables: got 65; allowed: an integer from 1 to 64/,
  ],
  [
    'a comparison with a parameter that does not exist',
    (m) => void (m.comparison.threads.parameters = { colour: 1 }),
    /: comparison\.threads\.parameters\.colour: got 1; allowed: one of tables/,
  ],
  [
    'ends of a range for a design that does not exist',
    (m) => {
      m.reported[0].value = [1, 2];
      m.reported[0].ends = ['original', 'best'];
    },
    /: reported\[0\]\.ends: got "best"; allowed: one of original, reporters_server, mysql_8_0, fixed/,
  ],
  [
    'a comparison that measures nothing',
    (m) => void (m.comparison.virtual.from_s = 1),
    /: comparison\.virtual\.from_s: got 1; allowed: below duration_s, 0\.06/,
  ],
  [
    'a first run with a parameter out of range',
    (m) => void (m.first_run.virtual.parameters = { tables: 65 }),
    /: first_run\.virtual\.parameters\.tables: got 65; allowed: an integer from 1 to 64/,
  ],
  [
    'a first run with more clients than the machine may have',
    (m) => void (m.first_run.threads.threads = 65),
    /: first_run\.threads\.threads: got 65; allowed: an integer from 1 to 64/,
  ],
  [
    'a first run with more actions than the engine takes',
    (m) => {
      const { timed_actions_max } = engine_limits;
      const steps = Array.from({ length: timed_actions_max + 1 }, () => ({ at_s: 1, action: 'one_table' }));
      m.first_run.virtual.actions = steps;
    },
    /: first_run\.virtual\.actions: got \[.*allowed: a list of at most 256 actions/,
  ],
  [
    'more clients than the engine can have',
    (m) => void (m.threads.virtual_default = 1025),
    /: threads\.virtual_default: got 1025; allowed: an integer from 1 to 1024/,
  ],
  [
    'a first run with a variant of another knob',
    (m) => void (m.first_run.virtual.actions[0].variant = 'poll_1ms'),
    /: first_run\.virtual\.actions\[0\]\.variant: got "poll_1ms"; allowed: one of global_mutex/,
  ],
];

for (const [name, change, expected] of badManifests) {
  test(`a manifest with ${name} is refused with file, field, value and what is allowed`, async () => {
    const problems = await problemsOfManifest(change);
    assert.equal(problems.length, 1, problems.join('\n'));
    assert.match(problems[0], /^scenarios\/fil-mutex-69276\/manifest\.json: /);
    assert.match(problems[0], expected);
  });
}

test('a folder with a missing document is refused by the name of the file', async () => {
  const problems = await problemsAfter((folder) => {
    rmSync(join(folder, EXAMPLE, 'story.md'));
    mkdirSync(join(folder, 'empty-1'));
    writeFileSync(join(folder, 'empty-1/fidelity.md'), '');
  });
  assert.deepEqual(problems.map((line) => line.split(': ')[0]).sort(), [
    'scenarios/empty-1/claims.json',
    'scenarios/empty-1/manifest.json',
    'scenarios/empty-1/source-view.json',
    'scenarios/empty-1/story.md',
    'scenarios/fil-mutex-69276/story.md',
  ]);
});
