import { expect, test } from 'vitest';

import { availablePlatforms, measureClockStep_ns, missingCapabilities } from './capabilities';

const capable = {
  crossOriginIsolated: true,
  has_shared_memory: true,
  has_wasm_threads: true,
  has_wasm_simd: true,
};

const names = (missing: { capability: string }[]) => missing.map(({ capability }) => capability);

test.each([
  ['nothing', {}, [], []],
  ['isolation', { crossOriginIsolated: false }, ['Cross-origin isolation'], []],
  ['shared memory', { has_shared_memory: false }, ['Cross-origin isolation'], []],
  ['threads', { has_wasm_threads: false }, ['WebAssembly threads'], []],
  ['SIMD', { has_wasm_simd: false }, ['WebAssembly SIMD'], ['WebAssembly SIMD']],
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
  const clock_ms = () => Math.floor(reads++ / 7) * 0.005;
  expect(measureClockStep_ns(clock_ms)).toBe(5000);
});
