// Runs generated workload files natively and in WebAssembly: each is compiled and runs to its end,
// with the same bytes. Browsers run them too (e2e/determinism.spec.ts).
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { buildCommandLine, buildWasm } from '../../tools/builds.mjs';
import { EngineRuns } from '../../tools/engine-runs.mjs';
import { moduleOfPage } from '../../tools/page-module.mjs';
import { generatedRun } from './generated-workload.mjs';

const IS_LONG = process.env.LATCHSCOPE_LONG === '1';
const FILES = IS_LONG ? 500 : 12;
/** Enough that each operation occurs. */
const COMPILED = 200;
const runs = EngineRuns.on({ virtual: await buildCommandLine('virtual'), wasm: await buildWasm('virtual') });
const { script_operations } = await moduleOfPage('web/contract/workload-code-operations.ts')();

test('generated workload files give the same bytes natively and in WebAssembly', async () => {
  const ends = { in_time: 0, early: 0 };
  for (let seed = 0; seed < FILES; seed += 1) {
    const spec = await generatedRun(seed);
    const [native, wasm] = await Promise.all([runs.run('virtual', spec), runs.run('wasm', spec)]);
    assert.equal(native.sha256, wasm.sha256, `seed ${seed}:\n${spec.workload.source}`);
    ends[native.result.stopped_early === undefined ? 'in_time' : 'early'] += 1;
  }
  assert.ok(ends.in_time > FILES / 2, `most files run to the end of their time: ${JSON.stringify(ends)}`);
});

test('generated workload files have every operation', async () => {
  const missing = new Set(script_operations.map(({ name }) => name));
  for (let seed = 0; seed < COMPILED; seed += 1) {
    const { code } = (await generatedRun(seed)).workload.program;
    for (let at = 0; at < code.length; at += 2) missing.delete(script_operations[code[at] & 0xff].name);
  }
  assert.deepEqual([...missing], []);
});
