// Tests that errors in files of measured counts are found and named.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';

import { repository } from '../../tools/processes.mjs';
import { ScenarioError } from '../../tools/scenario-files.mjs';
import { scenarioIds } from '../../tools/scenario-manifests.mjs';
import { measuredFileName, measuredFiles, readMeasured } from './measured-file.mjs';

const SCENARIO = 'fil-mutex-69276';
const scenarios = join(repository, 'scenarios');
let folder;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'latchscope-measured-'));
  mkdirSync(join(folder, SCENARIO, 'measured'), { recursive: true });
});

afterEach(() => rmSync(folder, { recursive: true }));

/**
 * 40 selects and 30 page reads, each of which acquires fil_system's mutex six times and page_hash
 * four times.
 */
function example() {
  const phase = (name, selects, pagesRead) => ({
    phase: name,
    seconds: 2,
    operations: { selects, pages_read: pagesRead },
    latches: {
      'wait/synch/mutex/innodb/fil_system_mutex': { acquisitions: 6 * pagesRead, waits: 1 },
      'wait/synch/rwlock/innodb/hash_table_locks': { acquisitions: 2 * selects + 4 * pagesRead },
    },
  });
  return {
    version: 1,
    scenario: SCENARIO,
    measured_at: '2026-11-23',
    command: 'npm run real-servers -- --servers mysql-5.6',
    server: { name: 'mysql-5.6', version: '5.6.24-log', comment: 'MySQL', packaged: null },
    machine: { cpu_model: 'a CPU', cores: 2, memory_mib: 4096, kernel: '6.1' },
    experiments: [
      {
        experiment: 'page_read',
        options: [],
        settings: { innodb_buffer_pool_size: '25165824' },
        runs: [
          {
            clients: 4,
            phases: [phase('warm', 100, 1), phase('cold', 40, 30)],
            counts: {
              'fil_system per page read': 6,
              'page_hash per page read': 4,
              'page_hash per select': 2,
            },
          },
        ],
      },
    ],
  };
}

async function problemsWith(content, scenario = SCENARIO) {
  mkdirSync(join(folder, scenario, 'measured'), { recursive: true });
  writeFileSync(
    join(folder, scenario, 'measured', 'mysql.json'),
    typeof content === 'string' ? content : JSON.stringify(content),
  );
  try {
    await readMeasured(folder, scenario);
    return '';
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error;
    return error.message;
  }
}

test('every measured file of this repository can be read, and is named after its server, version and machine', async () => {
  for (const id of scenarioIds(scenarios)) {
    const documents = await readMeasured(scenarios, id);
    assert.deepEqual(
      measuredFiles(scenarios, id).map((path) => path.split('/').at(-1)),
      documents.map(measuredFileName),
    );
  }
});

test('a valid measured file is read', async () => {
  assert.equal(await problemsWith(example()), '');
});

test('without measured files there is nothing to read', async () => {
  assert.deepEqual(await readMeasured(folder, SCENARIO), []);
  assert.deepEqual(await readMeasured(folder, 'xa-gtid-99638'), []);
});

const run = (document) => document.experiments[0].runs[0];
const latch = (document) => run(document).phases[1].latches['wait/synch/mutex/innodb/fil_system_mutex'];

const bad = [
  [
    'of a newer version',
    (d) => void (d.version = 2),
    /: version: got 2; allowed: 1; this file is of a newer/,
  ],
  ['without a version', (d) => void delete d.version, /: version: got nothing/],
  [
    'of another bug',
    (d) => void (d.scenario = 'aio-wakeup-95491'),
    /: scenario: got "aio-wakeup-95491"; allowed: "fil-mutex-69276", the name of its folder/,
  ],
  [
    'with a negative count',
    (d) => void (latch(d).acquisitions = -6),
    /acquisitions: got -6; allowed: an integer from 0/,
  ],
  [
    'with a fractional acquisition',
    (d) => void (latch(d).acquisitions = 6.5),
    /acquisitions: got 6.5; allowed: an integer from 0/,
  ],
  [
    'with more waits than acquisitions',
    (d) => void (latch(d).waits = 181),
    /fil_system_mutex\.waits: got 181; allowed: 180 or less, its acquisitions/,
  ],
  [
    'with a count that its phases do not have',
    (d) => void (run(d).counts['fil_system per page read'] = 5),
    /counts\.fil_system per page read: got 5; allowed: 6, as its phases have it/,
  ],
  [
    'with a count that no figure has',
    (d) => void (run(d).counts['luck per page read'] = 7),
    /counts\.luck per page read: got 7; allowed: no such count/,
  ],
  [
    'without a count',
    (d) => void delete run(d).counts['page_hash per select'],
    /counts\.page_hash per select: got nothing; allowed: 2, as its phases have it/,
  ],
  [
    'without a phase',
    (d) => void run(d).phases.pop(),
    /runs\[0\]\.phases: got \["warm"\]; allowed: those of its/,
  ],
  [
    'with no operation to divide by',
    (d) => run(d).phases.forEach((phase) => (phase.operations.pages_read = 0)),
    /runs\[0\]\.phases: got/,
  ],
  [
    'of an experiment of another bug',
    (d) => void (d.experiments[0].experiment = 'undo_read'),
    /experiments\[0\]\.experiment: got "undo_read"; allowed: one of page_read/,
  ],
  [
    'with the same clients twice',
    (d) => void d.experiments[0].runs.push(run(d)),
    /experiments\[0\]\.runs: got "4"; allowed: each number of clients once/,
  ],
  [
    'of a server without a version',
    (d) => void (d.server.version = 'new'),
    /server\.version: got "new"; allowed: a version that begins/,
  ],
  [
    'with an extra field',
    (d) => void (d.machine.owner = 'me'),
    /machine\.owner: got "me"; allowed: one of cpu_model, cores/,
  ],
];

for (const [name, change, expected] of bad) {
  test(`a measured file ${name} is refused with its name, the field, the value and what is allowed`, async () => {
    const document = example();
    change(document);
    const message = await problemsWith(document);
    assert.match(message, /^scenarios\/fil-mutex-69276\/measured\/mysql\.json: /);
    assert.match(message, expected);
  });
}

for (const [name, content] of [
  ['cut short', JSON.stringify(example()).slice(0, 200)],
  ['empty', ''],
  ['something else', 'null'],
  ['a list', '[]'],
]) {
  test(`a measured file that is ${name} is refused by its name`, async () => {
    assert.match(await problemsWith(content), /^scenarios\/fil-mutex-69276\/measured\/mysql\.json: /);
  });
}
