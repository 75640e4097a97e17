// Tests the exercises of the latch lab and the command that judges them. Each exercise must be
// complete: its starting source fails, and its model answer passes.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { EXERCISES, readExercises, readText } from './lab-exercises.mjs';
import { judgeAttempt } from './lab-judging.mjs';
import { labLanguage } from './lab-language.mjs';
import { repository } from './processes.mjs';

const scratch = mkdtempSync(join(tmpdir(), 'latchscope-exercises-'));
after(() => rmSync(scratch, { recursive: true }));

const exercises = await readExercises();
const { compile } = await labLanguage();
const read = (path) => readFileSync(join(repository, path), 'utf8');

async function judged(exercise, source) {
  const { program, errors } = compile(source);
  assert.equal(errors, undefined);
  return judgeAttempt(exercise, { source, program });
}

test('there are at least ten exercises, numbered from 1', () => {
  assert.ok(exercises.length >= 10);
  assert.deepEqual(
    exercises.map(({ id }) => Number(id.slice(0, 2))),
    exercises.map((_, i) => i + 1),
  );
});

for (const exercise of exercises) {
  const { id, start, model, text } = exercise;

  test(`${id}: the starting source fails, the model answer passes`, async () => {
    const begun = await judged(exercise, start);
    assert.equal(begun.holds, false);
    const { checks } = await judged(exercise, model);
    assert.deepEqual(
      checks.filter(({ holds }) => !holds).map(({ sentence }) => sentence),
      [],
    );
    assert.ok([...begun.checks, ...checks].every(({ sentence }) => !sentence.startsWith('Could not run')));
  });

  test(`${id}: the text names sources, and the model names its source and invariant`, () => {
    assert.match(text.afterwards, /^Sources: .*\d{4}/m);
    assert.match(model, /^\/\/ .+\n\/\/ Source: .+\n\/\/ Invariant: /);
    assert.doesNotMatch(start, /Source|Invariant|Wrong/);
  });

  // If the attempt defined a client, the checker would run only that client.
  if (!('client' in compile(start).program.functions)) {
    test(`${id}: a client in the attempt is refused`, async () => {
      const { checks } = await judged(exercise, `${model}\nvoid client() { }`);
      const failed = checks.filter(({ holds }) => !holds);
      assert.ok(failed.some(({ sentence }) => sentence.startsWith('client is not part of the exercise')));
    });
  }
}

test('the workload of #69276 has as many clients as its scenario', () => {
  const { checks } = exercises.find(({ id }) => id.endsWith('fil-mutex'));
  const { threads } = JSON.parse(read('scenarios/fil-mutex-69276/manifest.json'));
  const workloads = checks.filter(({ kind }) => kind === 'workload');
  assert.ok(workloads.length > 0);
  for (const { workload } of workloads) assert.equal(workload.threads, threads.virtual_default);
});

test('the text of exercise 04 states the PAUSE time of its server', () => {
  const { servers } = JSON.parse(read('scenarios/servers.json'));
  const { text } = exercises.find(({ id }) => id === '04-back-off');
  assert.ok(
    text.hints.join().includes(`One PAUSE takes ${servers[0].values.pause_ps / 1000} ns on this server`),
  );
});

// --- faults in an exercise ---

const SECTIONS = '\n## Hint\n\nThink.\n\n## Afterwards\n\nSources: 1991.\n';

test('a text consists of the task, hints and a closing text', () => {
  assert.deepEqual(
    readText(
      'Do it.\n\n```c\n# no heading\n```\n\n## Hint\n\nOne.\n\n## Hint\n\nTwo.\n\n## Afterwards\n\nIt is so.\n',
    ),
    {
      text: { task: 'Do it.\n\n```c\n# no heading\n```', hints: ['One.', 'Two.'], afterwards: 'It is so.' },
      faults: [],
    },
  );
});

test('missing parts of a text are reported', () => {
  const faults = (markdown) => readText(markdown).faults;
  assert.deepEqual(faults(SECTIONS), [
    'the task is empty; allowed: a few short paragraphs before the sections',
  ]);
  assert.deepEqual(faults(`Do.\n## Solution\n\nSo.\n${SECTIONS}`), [
    'section: got "Solution"; allowed: Hint, or Afterwards',
  ]);
  assert.deepEqual(faults('Do.\n\n## Hint\n\n## Afterwards\n\nSo.\n'), [
    'the section "## Hint" is empty; allowed: a text',
  ]);
  assert.deepEqual(faults('Do.\n\n## Afterwards\n\nSo.\n\n'), [
    'there is no "## Hint"; allowed: one or more',
  ]);
  assert.deepEqual(faults(`Do.\n${SECTIONS}\n## Hint\n\nLate.\n`), [
    'there are 1 sections "## Afterwards"; allowed: one, the last section',
  ]);
});

/** Copies exercise 05 to a new folder for each entry, and replaces some files. */
async function faultsOf(folders) {
  const folder = mkdtempSync(join(scratch, 'exercises-'));
  for (const [id, files] of Object.entries(folders)) {
    cpSync(join(EXERCISES, '05-ticket'), join(folder, id), { recursive: true });
    for (const [file, content] of Object.entries(files)) {
      if (content === null) rmSync(join(folder, id, file));
      else writeFileSync(join(folder, id, file), content);
    }
  }
  return readExercises(folder).then(
    () => [],
    (error) => error.message.split('\n'),
  );
}

const withCheck = (check) => JSON.stringify({ schema_version: 1, title: 'An exercise', checks: [check] });
const contest = { kind: 'contest', contest: { threads: 2 }, measure: 'fairness' };

test('all faults of all exercises are reported with file, field, value and what is allowed', async () => {
  const [number, latch, server, field, missing, name, text, ...more] = await faultsOf({
    '14-a': { 'exercise.json': withCheck({ ...contest, at_least: { times: 1, of: 'mcss' } }) },
    '14-b': {
      'exercise.json': withCheck({ ...contest, contest: { threads: 2, server: 'xeon-2031' }, at_most: 1 }),
    },
    '15-c': { 'exercise.json': withCheck({ ...contest, at_most: 1, seed: 3 }) },
    '16-d': { 'model.latch': null },
    '17_e': {},
    '18-f': { 'text.md': `Do.\n## Solution\n\nSo.\n${SECTIONS}` },
  });
  assert.equal(number, 'lab/exercises: got "14"; allowed: each number once');
  assert.match(
    latch,
    /^lab\/exercises\/14-a\/exercise.json: checks\[0\].at_least.of: got "mcss"; allowed: start, or one of .*mcs, /,
  );
  assert.match(
    server,
    /14-b\/exercise.json: checks\[0\].contest.server: got "xeon-2031"; allowed: one of epyc-cloud-2025, /,
  );
  assert.match(field, /15-c\/exercise.json: checks\[0\].seed: got 3; allowed: one of kind, contest, /);
  assert.equal(missing, 'lab/exercises/16-d/model.latch: missing');
  assert.equal(
    name,
    'lab/exercises/17_e: folder: got "17_e"; allowed: two digits and words, such as 05-ticket',
  );
  assert.equal(text, 'lab/exercises/18-f/text.md: section: got "Solution"; allowed: Hint, or Afterwards');
  assert.deepEqual(more, []);
});

test('a workload names a known scenario, a knob for the reader’s latch, and a design to compare with', async () => {
  const faultOf = async (change, bound = { times: 1, of: 'original' }) => {
    const design = { tablespace_lookup: 'yours' };
    const workload = { scenario: 'fil-mutex-69276', design, duration_s: 0.01, ...change };
    const check = { kind: 'workload', workload, measure: 'transactions_per_s', at_least: bound };
    const faults = await faultsOf({ '14-a': { 'exercise.json': withCheck(check) } });
    return faults.join().replace('lab/exercises/14-a/exercise.json: checks[0].', '');
  };
  assert.match(
    await faultOf({ scenario: 'nope' }),
    /^workload.scenario: got "nope"; allowed: one of fil-mutex-69276, /,
  );
  assert.equal(
    await faultOf({ design: { tablespace_lookup: 'atomic_word' } }),
    'workload.design.tablespace_lookup: got "atomic_word"; allowed: one of yours',
  );
  assert.match(
    await faultOf({ design: { nope: 'yours' } }),
    /^workload.design.nope: got "yours"; allowed: one of /,
  );
  assert.match(
    await faultOf({}, { times: 1, of: 'mcs' }),
    /^at_least.of: got "mcs"; allowed: one of start, original, reporters_server, mysql_8_0, fixed, tablespace_lookup.global_mutex, /,
  );
  assert.equal(await faultOf({}, { times: 1, of: 'tablespace_lookup.atomic_word' }), '');
});

test('a latch that does not compile and a path that is not a file are reported', async () => {
  const faults = await faultsOf({
    '14-a': { 'start.latch': 'word a;\nvoid enter() { a = 1; }\nvoid exit() { }\n' },
  });
  assert.match(faults.join(), /^lab\/exercises\/14-a\/start\.latch:2:16: a is a word/);
  const folder = mkdtempSync(join(scratch, 'endless-'));
  cpSync(join(EXERCISES, '05-ticket'), join(folder, '05-ticket'), { recursive: true });
  rmSync(join(folder, '05-ticket/start.latch'));
  symlinkSync('/dev/zero', join(folder, '05-ticket/start.latch'));
  await assert.rejects(
    readExercises(folder),
    /05-ticket\/start\.latch: is not a regular file of at most 1 MiB/,
  );
});

test('a file that is not JSON is reported', async () => {
  assert.match(
    (await faultsOf({ '14-a': { 'exercise.json': '{' } }))[0],
    /14-a\/exercise.json: is not JSON: /,
  );
});

// --- the command line ---

function latchscope(args, input) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(repository, 'tools/cli.mjs'), 'latchscope', 'lab', ...args],
    { encoding: 'utf8', input },
  );
  return { status, stdout, stderr };
}

const model = (id) => join(EXERCISES, id, 'model.latch');
const docs = read('docs/guide/writing-exercises.md');

test('lab exercises lists all exercises', () => {
  const lines = latchscope(['exercises']).stdout.trim().split('\n');
  assert.deepEqual(
    lines.map((line) => line.split(/ {2,}/)),
    exercises.map(({ id, title }) => [id, title]),
  );
});

test('lab judge prints each check; its exit code says whether all hold', () => {
  const failed = latchscope(['judge', '05-ticket', join(EXERCISES, '05-ticket/start.latch')]);
  assert.equal(failed.status, 1);
  assert.ok(docs.includes(`\`\`\`\n${failed.stdout}\`\`\``), failed.stdout);
  const held = latchscope(['judge', '5', model('05-ticket')]);
  assert.equal(held.status, 0);
  assert.match(held.stdout, /\n4 of 4 checks hold\.\n$/);
});

test('lab judge writes the judgement, and says how to see the schedule of a fault', () => {
  const file = join(scratch, 'judged.json');
  const { status, stdout } = latchscope(
    ['judge', '2', '-', '--json', file],
    read('lab/exercises/02-test-and-set/start.latch'),
  );
  assert.equal(status, 1);
  assert.match(stdout, /Run latchscope lab check FILE to see the schedule/);
  const judgement = JSON.parse(readFileSync(file, 'utf8'));
  assert.deepEqual(
    [judgement.version, judgement.exercise, judgement.holds, judgement.checks[0].kind],
    [1, '02-test-and-set', false, 'right'],
  );
  const alone = latchscope(['judge', '2', model('02-test-and-set'), '--json', '-']);
  assert.deepEqual([alone.status, JSON.parse(alone.stdout).holds], [0, true]);
});

test('a result that cannot be written is exit code 4', () => {
  const { status, stderr } = latchscope(['judge', '2', model('02-test-and-set'), '--json', '/dev/full']);
  assert.equal(status, 4);
  assert.match(stderr, /^--json: \/dev\/full cannot be written: ENOSPC/m);
});

test('bad usage is reported', () => {
  const refused = (args, input, code = 2) => {
    const { status, stdout, stderr } = latchscope(args, input);
    assert.deepEqual([status, stdout], [code, '']);
    return stderr;
  };
  assert.match(
    refused(['judge', '99', '-']),
    /^EXERCISE: got "99"; allowed: one of 01-lost-update, .*, or its number\n/,
  );
  assert.match(
    refused(['judge', '5']),
    /^lab judge: got 1 arguments; allowed: EXERCISE FILE, and --json, --junit, --gradescope\n/,
  );
  assert.match(
    refused(['judge', '5', '-', '--jsn']),
    /^option: got "--jsn"; allowed: --json, --junit, --gradescope$/m,
  );
  assert.match(
    refused(['judge', '5', 'no-such.latch']),
    /^FILE: got "no-such.latch"; allowed: a readable text file/,
  );
  assert.match(
    refused(['judge', '5', '-'], 'word a;\nvoid enter() { a = 1; }\nvoid exit() { }\n'),
    /^-:2:16: /,
  );
  assert.match(
    refused(['judge', '5', '-', '--json', scratch], '', 4),
    /^--json: got .*; allowed: a file, not a folder/,
  );
  assert.match(refused(['exercises', 'all']), /^argument: got "all"; allowed: no options/);
});

test('a latch that a contest cannot run fails the check, and the report says why', async () => {
  const exercise = exercises.find(({ id }) => id === '05-ticket');
  const { holds, checks } = await judged(exercise, `threads at most 2;\n${exercise.model}`);
  assert.equal(holds, false);
  assert.equal(checks[0].sentence, 'The latch allows at most 2 threads; wanted: any number.');
  assert.match(
    checks[1].sentence,
    /^Could not run: threads: got 16; allowed: an integer from 1 to 2\. Wanted: /,
  );
});

test('the documented grading script works', () => {
  const folder = mkdtempSync(join(scratch, 'course-'));
  mkdirSync(join(folder, 'solutions'));
  for (const file of readdirSync(join(EXERCISES, '05-ticket')).filter((name) => name.endsWith('.latch')))
    cpSync(join(EXERCISES, '05-ticket', file), join(folder, 'solutions', file));
  const script = /```sh\n(for latch[^`]*)```/.exec(docs)[1];
  const { stdout } = spawnSync(
    'sh',
    ['-c', script.replaceAll('/tmp/', `${folder}/`).replace('solutions/', `${folder}/solutions/`)],
    {
      cwd: repository,
      encoding: 'utf8',
    },
  );
  assert.deepEqual(
    stdout
      .trim()
      .split('\n')
      .map((line) => line.replace(/^.*\//, '')),
    ['model.latch: 4 checks hold', 'start.latch: 2 checks hold'],
  );
});

test('the example of docs/guide/writing-exercises.md is exercise 05', () => {
  const [, json] = /```json\n([^`]*)```/.exec(docs);
  assert.deepEqual(JSON.parse(json), JSON.parse(read('lab/exercises/05-ticket/exercise.json')));
});
