import { expect, test, vi } from 'vitest';

import { waitUntil } from '../contract/test-fixtures/wait-for-state';
import type { EngineLoader } from '../engine-client/engine-host';
import { EngineFailure } from '../engine-client/engine';
import { fakeEngines } from './test-fixtures/session-for-test';
import { ExtraEngine, NoExtraEngine } from './extra-engine';
import { defaultRunSpec } from '../contract/run-spec';
import { undo_result } from '../contract/run-result-fixtures';
import { machine, undo_read } from '../contract/test-fixtures';
import { workersFor } from './run-series';

const spec = defaultRunSpec(undo_read.manifest, machine, 'virtual');

vi.stubGlobal('requestAnimationFrame', (callback: FrameRequestCallback) => {
  setImmediate(() => callback(0));
});

test('it runs a spec to its end and hands out the result; its engine is loaded once', async () => {
  const { engines, loaders } = fakeEngines();
  const beside = new ExtraEngine(loaders.virtual);
  for (let run = 0; run < 2; run += 1) {
    const running = beside.run(spec);
    await waitUntil(() => engines[0]?.runState === 'running');
    engines[0]!.block.setRunState('finished');
    expect(await running).toEqual({ result: undo_result, marks: 0 });
  }
  expect(engines).toHaveLength(1);
});

test('an engine that fails ends its run alone: the next one has a fresh engine', async () => {
  const { engines, loaders } = fakeEngines();
  const beside = new ExtraEngine(loaders.virtual);
  const lost = beside.run(spec);
  await waitUntil(() => engines[0]?.runState === 'running');
  engines[0]!.fail('the worker was killed');
  await expect(lost).rejects.toThrow(EngineFailure);
  const running = beside.run(spec);
  await waitUntil(() => engines[1]?.runState === 'running');
  engines[1]!.block.setRunState('finished');
  expect((await running).result).toEqual(undo_result);
});

test('without an engine the run has not begun', async () => {
  const noMemory: EngineLoader = () => Promise.reject(new Error('no memory'));
  const refused = new ExtraEngine(noMemory).run(spec);
  await expect(refused).rejects.toEqual(new NoExtraEngine('no memory'));
});

test('one that is thrown away runs nothing more', async () => {
  const beside = new ExtraEngine(fakeEngines().loaders.virtual);
  beside.dispose();
  await expect(beside.run(spec)).rejects.toThrow(NoExtraEngine);
});

test.each([
  ['virtual', { cores: 2 }, 2],
  ['virtual', { cores: 64 }, 8],
  ['virtual', { cores: 16, memory_gib: 4 }, 4],
  ['virtual', { cores: 4, memory_gib: 0.5 }, 1],
  ['threads', { cores: 16 }, 1],
] as const)('runs on %s with %o take %d workers', (platform, here, workers) => {
  expect(workersFor(platform, { ...here, platforms: ['virtual'] })).toBe(workers);
});
