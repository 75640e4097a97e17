import { expect, test } from 'vitest';

import { availablePlatforms, measureClockStepNs, missingCapabilities } from './capabilities';

const capable = {
  crossOriginIsolated: true,
  hasSharedMemory: true,
  hasWasmThreads: true,
  hasWasmSimd: true,
};

const names = (missing: { capability: string }[]) => missing.map(({ capability }) => capability);

test.each([
  ['nothing', {}, [], []],
  ['isolation', { crossOriginIsolated: false }, ['Cross-origin isolation'], []],
  ['shared memory', { hasSharedMemory: false }, ['Cross-origin isolation'], []],
  ['threads', { hasWasmThreads: false }, ['WebAssembly threads'], []],
  ['SIMD', { hasWasmSimd: false }, ['WebAssembly SIMD'], ['WebAssembly SIMD']],
])('names what is missing for which platform: %s', (_, lacks, threads, virtual) => {
  const missing = missingCapabilities({ ...capable, ...lacks });
  expect({ threads: names(missing.threads), virtual: names(missing.virtual) }).toEqual({ threads, virtual });
});

test('a page without isolation still has the virtual server', () => {
  expect(availablePlatforms(missingCapabilities(capable))).toEqual(['threads', 'virtual']);
  expect(availablePlatforms(missingCapabilities({ ...capable, crossOriginIsolated: false }))).toEqual([
    'virtual',
  ]);
});

test('says how to serve the page', () => {
  const [missing] = missingCapabilities({ ...capable, crossOriginIsolated: false }).threads;
  expect(missing?.remedy).toContain('npm start');
  expect(missing?.remedy).toContain('Cross-Origin-Embedder-Policy: require-corp');
});

test('the runtime of the tests knows WebAssembly threads and SIMD', () => {
  expect(names(missingCapabilities().threads)).toEqual(['Cross-origin isolation']);
  expect(missingCapabilities().virtual).toEqual([]);
});

test('measures the smallest step of a clock', () => {
  let reads = 0;
  const clockMs = () => Math.floor(reads++ / 7) * 0.005;
  expect(measureClockStepNs(clockMs)).toBe(5000);
});
