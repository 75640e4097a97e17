// Tests latchscope/playwright as its users have it. installed-playwright.mjs copies this file beside
// an installed package and runs it there.
import { stripVTControlCharacters } from 'node:util';

import { expect, test, type Latchscope, type TestRunSpec } from 'latchscope/playwright';

const spec: TestRunSpec = {
  scenario: 'fil-mutex-69276',
  threads: 54,
  parameters: { rows_per_table: 10_000, buffer_pool_mib: 16, buffer_pool_instances: 2 },
};
const LINK = '#v=1&scenario=fil-mutex-69276&platform=virtual';
const SMALL = Object.entries(spec.parameters!)
  .map(([name, value]) => `&parameters.${name}=${value}`)
  .join('');
const NO_RUN = /^\w+: there is no run: start one with start\(\) or run\(\), or open a link with run=1$/;
const A_TRILLION = 1e12;

/** Returns the message of a rejected promise. */
const messageOf = (work: Promise<unknown>) =>
  work.then(
    () => 'resolved',
    (error: unknown) => stripVTControlCharacters((error as Error).message),
  );

const reach = (latchscope: Latchscope, goal: object) => expect(latchscope).toReach(goal);

test('a refused request is one line with field, value and allowed values', async ({ latchscope }) => {
  const unknownScenario = /^open: scenario is nonsense; allowed: one of fil-mutex-69276, .*$/;
  expect(await messageOf(latchscope.open({ scenario: 'nonsense' }))).toMatch(unknownScenario);
  expect(await messageOf(latchscope.open('#v=1&scenario=nonsense'))).toMatch(unknownScenario);
  expect(await messageOf(latchscope.open('nonsense'))).toBe(
    'open: target is "nonsense"; allowed: a run spec, or a link such as #v=1&scenario=fil-mutex-69276',
  );
  await latchscope.open(spec);
  expect(await messageOf(latchscope.flip('better'))).toMatch(
    /^flip: design is better; allowed: original, .*fixed.*$/,
  );
  const refused = latchscope.run({ ...spec, threads: 0 });
  expect(await messageOf(refused)).toBe('run: threads is 0; allowed: an integer from 1 to 1024');
  await expect(refused).rejects.toMatchObject({ errors: [{ field: 'threads', value: '0' }] });
  expect(await messageOf(latchscope.setKnob('tablespace_lookup', 'x'))).toMatch(
    /^setKnob: design\.tablespace_lookup is x; allowed: .*atomic_word.*$/,
  );
  expect(await messageOf(latchscope.pause())).toBe('pause: No run is active.');
  for (const early of [latchscope.result(), latchscope.digest(), reach(latchscope, { tps: { atLeast: 1 } })])
    expect(await messageOf(early)).toMatch(NO_RUN);
});

test('a wrong goal or digest is one line', async ({ latchscope }) => {
  const figures = 'tps, operationsPerS, p50Ms, p95Ms, p99Ms, counters';
  for (const [goal, sentence] of [
    [{ tpm: { atLeast: 1 } }, `a figure is "tpm"; allowed: ${figures}`],
    [{}, `the goal is {}; allowed: bounds of one or more of ${figures}`],
    [{ tps: 5 }, 'tps is 5; allowed: an object with atLeast, atMost or both'],
    [{ tps: { above: 5 } }, 'a bound of tps is "above"; allowed: atLeast, atMost'],
    [{ tps: { atLeast: '5' } }, 'tps.atLeast is "5"; allowed: a number'],
    [{ counters: {} }, 'counters is {}; allowed: counters of the run with their bounds'],
    [{ counters: { x: 5 } }, 'counters.x is 5; allowed: an object with atLeast, atMost or both'],
  ] as const)
    expect(await messageOf(reach(latchscope, goal))).toBe(`toReach: ${sentence}`);
  expect(await messageOf(expect(latchscope).toMatchDigest('abc'))).toBe(
    'toMatchDigest: the digest is "abc"; allowed: a SHA-256 in 64 hexadecimal digits',
  );
  expect(await messageOf(reach(3 as unknown as Latchscope, { tps: { atLeast: 1 } }))).toBe(
    'toReach: expect() got 3; allowed: the fixture latchscope',
  );
});

test('a run that ends too early or too slow names figure, value and bound', async ({ latchscope }) => {
  const { totals } = await latchscope.run({ ...spec, duration_s: 0.1 });
  expect(totals.transactions).toBeGreaterThan(0);
  await expect(latchscope).not.toReach({ tps: { atLeast: A_TRILLION } });
  expect(await messageOf(reach(latchscope, { tps: { atLeast: A_TRILLION }, p99Ms: { atMost: 0 } }))).toMatch(
    /The run ended at 0\.1 s of run time:\ntps is [\d,.]+; expected at least 1,000,000,000,000\np99Ms is [\d.]+; expected at most 0$/,
  );
  expect(await messageOf(expect(latchscope).toMatchDigest('0'.repeat(64)))).toMatch(
    /\nthe digest is [0-9a-f]{64}; expected 0{64}$/,
  );
  await latchscope.run({ ...spec, duration_s: 0.0002 });
  expect(await messageOf(reach(latchscope, { tps: { atLeast: 0 } }))).toMatch(
    /The run ended at 0\.0002 s of run time, before its figures had settled\. Give it more time\.$/,
  );
});

test('a page that is closed, left or not open is one line', async ({ latchscope, page }) => {
  await latchscope.open(spec);
  await latchscope.start();
  await expect(latchscope).toReach({ tps: { atLeast: 1 } });
  await page.goto('data:text/html,elsewhere');
  expect(await messageOf(latchscope.flip())).toBe(
    'flip: data:text/html,elsewhere is not a page of Latchscope; call open() first',
  );
  await latchscope.open(spec);
  await latchscope.start();
  await expect(latchscope).toReach({ tps: { atLeast: 1 } });
  const reaching = messageOf(reach(latchscope, { tps: { atLeast: A_TRILLION } }));
  await latchscope.figures();
  await page.close();
  expect(await reaching).toMatch(
    /^toReach: the page was closed; tps is [\d,.]+; expected at least 1,000,000,000,000$/,
  );
  expect(await messageOf(latchscope.run(spec))).toBe('run: the page was closed');
});

test('a link starts its run, and the page can be reached as window.latchscope', async ({
  latchscope,
  page,
}) => {
  await latchscope.open(`${LINK}${SMALL}&threads=54&duration_s=0.01&interval_s=0.005&run=1`);
  const result = await latchscope.result();
  expect(result.intervals).toHaveLength(2);
  const linked = await latchscope.digest();
  await latchscope.run({ ...spec, duration_s: 0.01, interval_s: 0.005 });
  await expect(latchscope).toMatchDigest(linked.toUpperCase());
  const tps = await page.evaluate(() => window.latchscope.state().result?.totals.tps);
  expect(tps).toBe(result.totals.tps);
  expect(await latchscope.lab.compile('void enter() { }\nvoid exit() { }\n')).toHaveProperty('functions');
});

const WORKLOAD = `workload "a queue";
knob lock "Which lock?" { mutex = innodb_mutex "today"; pair = semaphore(2) "tomorrow"; }
counter lookups;
latch cache : lock;
thread client[8] { transaction { in "lookup" hold cache { work(10us); count(lookups); } } }
`;

test('a workload file is given as its text', async ({ latchscope }) => {
  await latchscope.open({ workload: WORKLOAD });
  await latchscope.start();
  await expect(latchscope).toReach({ tps: { atLeast: 1 }, counters: { lookups: { atLeast: 100 } } });
  await latchscope.flip();
  await expect(latchscope).toReach({ tps: { atLeast: 120_000 } });
  expect(await messageOf(reach(latchscope, { counters: { misses: { atLeast: 1 } } }))).toMatch(
    /^toReach: a counter is "misses"; allowed: transactions, .*lookups$/,
  );
  await latchscope.stop();

  const short = { workload: WORKLOAD, duration_s: 0.005 };
  const { counters, latches } = await latchscope.run(short);
  expect(latches.map(({ latch, site }) => [latch, site])).toEqual([['cache', 'lookup']]);
  const { lookups = 0 } = counters;
  await expect(latchscope).toReach({ counters: { lookups: { atLeast: lookups, atMost: lookups } } });
  expect(await messageOf(reach(latchscope, { counters: { lookups: { atMost: 1 } } }))).toMatch(
    /:\ncounters\.lookups is [\d,]+; expected at most 1$/,
  );
  const digest = await latchscope.digest();

  const bug = await latchscope.run({ ...spec, duration_s: 0.002 });
  expect(bug.counters).not.toHaveProperty('lookups');
  expect(JSON.stringify(bug)).not.toMatch(/"cache"|"lookup"/);
  await latchscope.run(short);
  await expect(latchscope).toMatchDigest(digest);

  const wrong = WORKLOAD.replace('work(10us)', 'work(4KiB)');
  const inLine =
    /^(run|open): workload, line 5 is thread client.*; allowed: work takes a duration, such as 4us; 4KiB is a size$/;
  expect(await messageOf(latchscope.run({ workload: wrong }))).toMatch(inLine);
  expect(await messageOf(latchscope.open({ workload: wrong }))).toMatch(inLine);
});

test('a run on real threads has no digest', async ({ latchscope }) => {
  await latchscope.run({ ...spec, platform: 'threads', threads: 2, duration_s: 0.1 });
  expect(await messageOf(latchscope.digest())).toBe(
    'digest: platform is threads; allowed: virtual, where every run of a spec is the same',
  );
});
