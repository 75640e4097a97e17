import { expect, test } from 'vitest';

import { measureClockStep_ns, missingCapabilities } from './capabilities';

const capable = {
  crossOriginIsolated: true,
  has_shared_memory: true,
  has_wasm_threads: true,
  has_wasm_simd: true,
};

test.each([
  ['nothing', {}, []],
  ['isolation', { crossOriginIsolated: false }, ['Cross-origin isolation']],
  ['shared memory', { has_shared_memory: false }, ['Cross-origin isolation']],
  ['threads', { has_wasm_threads: false }, ['WebAssembly threads']],
  ['SIMD', { has_wasm_simd: false }, ['WebAssembly SIMD']],
])('names what is missing: %s', (_, lacks, expected) => {
  const missing = missingCapabilities({ ...capable, ...lacks });
  expect(missing.map(({ capability }) => capability)).toEqual(expected);
});

test('says how to serve the page', () => {
  const [missing] = missingCapabilities({ ...capable, crossOriginIsolated: false });
  expect(missing?.remedy).toContain('npm start');
  expect(missing?.remedy).toContain('Cross-Origin-Embedder-Policy: require-corp');
});

test('the runtime of the tests knows WebAssembly threads and SIMD', () => {
  const missing = missingCapabilities();
  expect(missing.map(({ capability }) => capability)).toEqual(['Cross-origin isolation']);
});

test('measures the smallest step of a clock', () => {
  let reads = 0;
  const clock_ms = () => Math.floor(reads++ / 7) * 0.005;
  expect(measureClockStep_ns(clock_ms)).toBe(5000);
});
