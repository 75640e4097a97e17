// Tests the run queue: no more runs at a time than CPUs, no spec twice, and a failed run blocks
// nothing.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { EngineRuns } from './engine-runs.mjs';

/** Runs that end when the test ends them. */
function runsHeldUp(atATime) {
  const started = [];
  const carryOut = (engine, spec) =>
    new Promise((end, fail) =>
      started.push({ engine, spec, end: () => end(JSON.stringify({ spec })), fail }),
    );
  return { started, runs: new EngineRuns(carryOut, atATime) };
}

const settled = () => new Promise(setImmediate);
const seeds = (started) => started.map(({ spec }) => spec.seed);
const spec = (seed, durationS = 1) => ({ seed, duration_s: durationS });

test('as many runs execute at a time as there are CPUs; the next starts when one ends', async () => {
  const { started, runs } = runsHeldUp(2);
  const outcomes = [1, 2, 3].map((seed) => runs.once('virtual', spec(seed)));
  await settled();
  assert.deepEqual(seeds(started), [1, 2]);
  started[1].end();
  assert.deepEqual((await outcomes[1]).result, { spec: spec(2) });
  await settled();
  assert.deepEqual(seeds(started), [1, 2, 3]);
});

test('the longest waiting run starts first', async () => {
  const { started, runs } = runsHeldUp(1);
  for (const one of [spec(1, 0.1), spec(2, 5), { ...spec(3), threads: 400 }]) void runs.once('virtual', one);
  for (const ends of [0, 1]) {
    await settled();
    started[ends].end();
  }
  await settled();
  assert.deepEqual(seeds(started), [1, 3, 2]);
});

test('equal specs run once, whatever the order of their fields; another engine or an explicit repeat runs again', async () => {
  const { started, runs } = runsHeldUp(9);
  void runs.once('virtual', { seed: 1, parameters: { a: 1, b: 2 } });
  void runs.once('virtual', { parameters: { b: 2, a: 1 }, seed: 1 });
  await settled();
  assert.equal(started.length, 1);
  void runs.once('virtual', { seed: 1, parameters: { a: 1, b: 3 } });
  void runs.once('wasm', { seed: 1, parameters: { a: 1, b: 2 } });
  void runs.run('virtual', { seed: 1, parameters: { a: 1, b: 2 } });
  await settled();
  assert.equal(started.length, 4);
});

test('a failed run is reported to its caller, and the next one starts', async () => {
  const { started, runs } = runsHeldUp(1);
  const first = runs.once('virtual', spec(1));
  const second = runs.once('virtual', spec(2));
  await settled();
  started[0].fail(new Error('refused'));
  await assert.rejects(first, /refused/);
  await settled();
  started[1].end();
  assert.match((await second).sha256, /^[0-9a-f]{64}$/);
});
