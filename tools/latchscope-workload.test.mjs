// Tests workload files on the command line: they are compiled into the run spec.
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { test } from 'node:test';

import { repository } from './processes.mjs';
import { filesOfTest, latchscope, resultOf } from './test-hosts/latchscope.mjs';
import { workloadFileIn } from './workload-file.mjs';
import { workloadLanguage } from './workload-language.mjs';

const file = filesOfTest('workload');

const TEMPLATES = join(repository, 'web/features/workload/templates');
const REPORTS = join(repository, 'scenarios/more-reports');
const filesIn = (folder) => readdirSync(folder).filter((name) => name.endsWith('.workload'));
const SOURCE = `workload "two designs of one lock";
unit "requests";
param cost = 10us from 1us to 10ms "CPU time in the section";
knob lock "Which lock?" { mutex = innodb_mutex "today"; pair = semaphore(2) "tomorrow"; }
latch cache : lock;
thread client[8] { transaction { in "lookup" hold cache { work(cost); } } }
`;
const FILE = file('two.workload', SOURCE);
const SHORT = ['--platform', 'virtual', '--seconds', '0.005'];

function refusalOf(args) {
  const { status, stderr } = latchscope(args);
  assert.equal(status, 2, stderr);
  return stderr;
}

test('run takes the file among its options or as --scenario, and its result contains the source', () => {
  const options = [...SHORT, '--threads', '3', '--set', 'lock=pair'];
  const result = resultOf([FILE, ...options]);
  const { spec, counters, totals, latches, invariants } = result;
  assert.equal(spec.scenario, 'workload');
  assert.equal(spec.workload.source, SOURCE);
  assert.deepEqual([spec.threads, spec.design], [3, { lock: 'pair' }]);
  assert.deepEqual([latches[0].latch, latches[0].site], ['cache', 'lookup']);
  // Clients end their transactions after the run's time.
  const drained = counters.transactions - totals.transactions;
  assert.ok(totals.transactions > 0 && drained >= 0 && drained <= 3, `${drained} more`);
  assert.equal(spec.server, 'server-2025');
  assert.deepEqual(
    invariants.filter(({ ok }) => !ok),
    [],
  );
  assert.deepEqual(resultOf([...options, FILE]), result);
  assert.deepEqual(resultOf(['--scenario', FILE, ...options]), result);
  assert.deepEqual(resultOf([`--scenario=${FILE}`, ...options]), result);
});

test('a value with a unit is converted to the unit of its parameter', () => {
  const { spec } = resultOf([FILE, ...SHORT, '--param', 'cost=1.5ms']);
  assert.deepEqual(spec.parameters, { cost: 1500 });
  assert.deepEqual(resultOf([FILE, ...SHORT, '--param=cost=20']).spec.parameters, { cost: 20 });
  const refused = refusalOf(['run', FILE, ...SHORT, '--param', 'cost=1500ns']);
  assert.match(
    refused,
    /--param cost: got "1500ns"; allowed: a whole number of us: 1us to 10000us, in ps, ns/,
  );
  assert.match(
    refusalOf(['run', FILE, '--param', 'cost=1s']),
    /--param cost: got "1s"; allowed: 1us to 10000us, in ps/,
  );
  assert.match(refusalOf(['run', FILE, '--param', 'price=1us']), /parameters.price/);
});

test('the ideal machine gives each thread its time to the picosecond', () => {
  const constant = 'workload "x"; thread one[1] { transaction { work(10us); } }';
  const { totals, spec } = resultOf([file('one.workload', constant), ...SHORT, '--ideal-machine']);
  assert.equal(spec.server, 'ideal-machine');
  assert.equal(totals.tps, 100_000);
  const refused = refusalOf(['run', FILE, ...SHORT, '--ideal-machine', '--server', 'xeon-2020']);
  assert.match(refused, /--server: got "xeon-2020"; allowed: nothing beside --ideal-machine/);
});

test('each latch of the lab can be named', () => {
  const all = readdirSync(join(repository, 'lab/latches')).filter((name) => name.endsWith('.latch'));
  const names = all.map((name) => basename(name, '.latch'));
  assert.ok(names.includes('ticket-futex'));
  for (let first = 0; first < names.length; first += 8) {
    const some = names.slice(first, first + 8);
    const latches = some.map((name, place) => `latch l_${place} : "${name}";`).join(' ');
    const holds = some.map((_, place) => `hold l_${place} { work(1us); }`).join(' ');
    const named = `workload "x"; ${latches} thread t[2] { transaction { ${holds} } }`;
    assert.ok(resultOf([file('named.workload', named), ...SHORT]).counters.transactions > 0);
  }
});

test('a latch that spins is stopped on the ideal machine, where that takes no time', () => {
  for (const spin of ['pause()', 'yield()', 'load(state)']) {
    const kind = `kind spin { word state; void enter() { while (exchange(state, 1) != 0) ${spin}; } void exit() { store(state, 0); } }`;
    const latch = `workload "x"; ${kind} latch m : spin; thread t[2] { transaction { hold m { work(1us); } } }`;
    const args = ['run', file('spin.workload', latch), ...SHORT, '--ideal-machine'];
    const { status, stdout } = latchscope(args);
    assert.equal(status, 1, stdout);
    assert.match(stdout, /the latch spin was stopped: thread \d could not go on in line 1: it spins, which/);
  }
});

test('explain, what-if and diff take it too', () => {
  const few = ['--threads', '4', '--seconds', '0.005'];
  const runs = [
    ['explain', FILE, ...few],
    ['what-if', FILE, ...few, '--latch', 'cache', '--scale', '50'],
    ['diff', FILE, ...few, '--fork-at', '0.002:lock=pair'],
  ];
  for (const args of runs) {
    const { status, stderr } = latchscope(args);
    assert.equal(status, 0, `${args[0]}: ${stderr}`);
  }
});

test('--spec gives the other fields; options override them', () => {
  const spec = JSON.stringify({ version: 1, platform: 'virtual', threads: 5, duration_s: 0.005, seed: 3 });
  const { spec: ran } = resultOf([FILE, '--spec', '-', '--seed', '4'], spec);
  assert.deepEqual([ran.threads, ran.seed, ran.scenario], [5, 4, 'workload']);
});

test('check takes a path beside the file of checks, or the text, and bounds of its counters', () => {
  const counted = 'workload "x"; counter hits; thread t[1] { transaction { work(10us); count(hits); } }';
  const two = { scenario: 'two.workload', threads: 4, duration_s: 0.01 };
  const checksOf = (...checks) => file('checks.json', JSON.stringify({ version: 1, checks }, null, 1));
  const compared = { compare: { ...two, with: 'fixed' }, seeds: 2, expect: { tps_ratio: { at_least: 1.5 } } };
  const ofText = {
    run: { workload: `\uFEFF${counted}`, duration_s: 0.01 },
    expect: { counters: { hits: { at_least: 900, at_most: 1000 } } },
  };
  const held = latchscope(['check', checksOf({ name: 'file', ...compared }, { name: 'text', ...ofText })]);
  assert.equal(held.status, 0, held.stdout + held.stderr);

  const refusalOfRun = (run) =>
    refusalOf(['check', checksOf({ name: 'x', run, expect: { tps: { at_least: 1 } } })]);
  assert.match(
    refusalOfRun({ ...two, scenario: 'none.workload' }),
    /checks\.json:7: checks\[0\]\.run\.scenario: got \S+none\.workload; allowed: a file that exists/,
  );
  const path = file('wrong.workload', 'workload "x";\nthread t[1] { transaction { work(4KiB); } }\n');
  const wrongFile = refusalOfRun({ ...two, scenario: 'wrong.workload' });
  assert.ok(wrongFile.startsWith(`${path}:2:34: work takes a duration`), wrongFile);
  assert.match(
    refusalOfRun({ workload: readFileSync(path, 'utf8'), duration_s: 0.01 }),
    /^checks\[0\]\.run\.workload:2:34: work takes a duration/,
  );
  assert.match(refusalOfRun({ workload: 'two.workload' }), /the text of a workload file, not its name/);
});

test('--help lists what the engine does not read itself', () => {
  const { status, stdout } = latchscope(['run', '--help']);
  assert.equal(status, 0);
  for (const option of ['FILE.workload', '--your-latch', '--ideal-machine'])
    assert.ok(stdout.includes(option));
});

test('each error of the source is reported with its place', () => {
  const wrong = file('wrong.workload', 'workload "x";\nlatch m : mutex;\nthread t[1] { }\n');
  const refused = refusalOf(['run', wrong]);
  assert.match(refused, /wrong\.workload:2:11: [^\n]+\nlatch m : mutex;\n {10}\^{5}\n/);
  assert.match(refused, /wrong\.workload:3:\d+: a workload needs clients/);
  assert.match(refusalOf(['run', join(dirname(FILE), 'none.workload')]), /allowed: a file that exists/);
  mkdirSync(join(dirname(FILE), 'folder.workload'), { recursive: true });
  assert.match(refusalOf(['run', join(dirname(FILE), 'folder.workload')]), /a file, not a folder/);
});

test('a file may begin with a byte order mark', () => {
  assert.ok(resultOf([file('mark.workload', `\uFEFF${SOURCE}`), ...SHORT]).counters.transactions > 0);
});

test('of a long line with an error the part around it is shown', () => {
  const long = file(
    'long.workload',
    `workload "x"; ${' '.repeat(9_000)}latch m : mutex;${' '.repeat(9_000)}`,
  );
  const [first, shown, pointer] = refusalOf(['run', long]).split('\n');
  assert.match(first, /long\.workload:1:9025: /);
  assert.equal(shown.length, 126);
  const column = shown.indexOf('mutex');
  assert.deepEqual(
    [shown.slice(0, 3), shown.slice(-3), pointer],
    ['...', '...', `${' '.repeat(column)}^^^^^`],
  );
});

test('arguments that are no workload file are refused', () => {
  assert.throws(() => workloadFileIn(['run', 'a.json']), /run: got "a.json"; allowed: options, or a file/);
  assert.throws(() => workloadFileIn(['run', 'a.workload', '--scenario', 'b']), /nothing beside the file a/);
  assert.throws(
    () => workloadFileIn(['run', 'a.workload', 'b.workload']),
    /no second file beside a.workload/,
  );
  assert.equal(workloadFileIn(['run', '--scenario', 'fil-mutex-69276']), undefined);
  assert.equal(workloadFileIn(['run', '--json', 'a.workload']), undefined);
  const found = { file: 'a.workload', rest: ['run', '--seed', '1', '--blame'] };
  assert.deepEqual(workloadFileIn(['run', 'a.workload', '--seed', '1', '--blame']), found);
  assert.deepEqual(workloadFileIn(['run', '--seed', '1', 'a.workload', '--blame']), found);
  assert.deepEqual(workloadFileIn(['run', '--seed', '1', '--blame', 'a.workload']), found);
});

for (const folder of [TEMPLATES, REPORTS])
  test(`the engine runs what the compiler writes for each file of ${basename(folder)}, in each design`, () => {
    const files = filesIn(folder);
    assert.ok(files.length >= 4);
    for (const name of files) {
      const path = join(folder, name);
      const designs = ['original', ...(/\bknob\b/.test(readFileSync(path, 'utf8')) ? ['fixed'] : [])];
      for (const design of designs) {
        const result = resultOf([path, ...SHORT, '--threads', '8', '--design', design]);
        assert.equal(result.stopped_early, undefined, `${name}, ${design}`);
        assert.ok(result.counters.transactions > 0, `${name}, ${design}`);
        const broken = result.invariants.filter(({ ok }) => !ok);
        assert.deepEqual(broken, [], `${name}, ${design}`);
      }
    }
  });

/** What the engine knows of a manifest. It takes the id for the title where a file gives none. */
function asTheEngineSays({ unit_of_work, knobs, parameters, actions, ...rest }, { program }) {
  const { operations_are_drawn: _, ...unit } = unit_of_work;
  return {
    ...Object.fromEntries(
      ['id', 'title', 'threads', 'virtual_server', 'designs', 'sysbench_percentile'].map((name) => [
        name,
        rest[name],
      ]),
    ),
    unit_of_work: unit,
    knobs: knobs.map(({ id, variants }, place) => ({
      id,
      question: program.knobs[place].question,
      variants: variants.map((variant) => ({ id: variant.id, origin: variant.origin })),
    })),
    parameters: parameters.map((parameter, place) => ({
      ...Object.fromEntries(['id', 'unit', 'min', 'max', 'default'].map((name) => [name, parameter[name]])),
      title: program.parameters[place].title,
    })),
    actions: actions.map(({ id, title }) => ({ id, title })),
    latches: program.latches.map(({ name }) => name),
  };
}

test('describe prints the manifest that the page derives, too', async () => {
  const { compileWorkload, manifestOfWorkload } = await workloadLanguage();
  const folders = [TEMPLATES, REPORTS];
  for (const path of folders.flatMap((folder) => filesIn(folder).map((name) => join(folder, name)))) {
    const compiled = compileWorkload(readFileSync(path, 'utf8'));
    const { stdout } = latchscope(['describe', path, '--json']);
    const manifest = manifestOfWorkload(compiled.program);
    assert.deepEqual(JSON.parse(stdout), asTheEngineSays(manifest, compiled), path);
  }
  assert.match(
    latchscope(['describe', FILE]).stdout,
    /^two designs of one lock\n\nOne transaction: one request/,
  );
});

test('explain and diff say that a run ended early', () => {
  const body = 'work(1us); if (fetch_add(n, 1) == 500) work(1us / (load(n) - load(n)));';
  const source = `${SOURCE.replace('latch cache', 'word n; latch cache')}thread extra {\n${body}\n}\n`;
  const path = file('early.workload', source);
  for (const [command, ...more] of [['explain'], ['diff', '--fork-at', '0.0001:lock=pair']]) {
    const { stderr } = latchscope([command, path, '--platform', 'virtual', '--seconds', '0.1', ...more]);
    assert.match(stderr, /a run ended early: line 8: extra divided by zero/, command);
  }
});
