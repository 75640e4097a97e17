import type { Machine } from '../contract/run-spec';
import { all_platforms, type Platform } from '../contract/platforms';

/** A browser feature that the engine needs and this page lacks, and how to get it. */
export interface MissingCapability {
  capability: string;
  explanation: string;
  remedy: string;
}

/** The missing capabilities of each platform. A platform without missing ones has an empty list. */
export type MissingCapabilities = Record<Platform, MissingCapability[]>;

/** Returns the platforms that this page can run, real threads first. */
export function availablePlatforms(missing: MissingCapabilities): Platform[] {
  return all_platforms.filter((platform) => missing[platform].length === 0);
}

interface Environment {
  crossOriginIsolated: boolean;
  has_shared_memory: boolean;
  has_wasm_threads: boolean;
  has_wasm_simd: boolean;
}

export function missingCapabilities(environment: Environment = thisEnvironment()): MissingCapabilities {
  const for_both = environment.has_wasm_simd ? [] : [wasm_simd];
  const for_threads = environment.has_wasm_threads ? [] : [wasm_threads];
  const is_isolated = environment.crossOriginIsolated && environment.has_shared_memory;
  return {
    threads: [...for_threads, ...for_both, ...(is_isolated ? [] : [isolation])],
    virtual: for_both,
  };
}

const wasm_threads: MissingCapability = {
  capability: 'WebAssembly threads',
  explanation: 'This browser cannot run WebAssembly with threads.',
  remedy: 'Use a current Chromium, Firefox or Safari.',
};
const wasm_simd: MissingCapability = {
  capability: 'WebAssembly SIMD',
  explanation: 'This browser cannot run WebAssembly SIMD.',
  remedy: 'Use a current Chromium, Firefox or Safari (16.4 or later).',
};
const isolation: MissingCapability = {
  capability: 'Cross-origin isolation',
  explanation: 'This page is not cross-origin isolated, so it cannot use shared memory.',
  remedy:
    'Serve it with the headers Cross-Origin-Opener-Policy: same-origin and Cross-Origin-Embedder-Policy: ' +
    'require-corp, over https or from localhost, as npm start does.',
};

function thisEnvironment(): Environment {
  return {
    crossOriginIsolated: globalThis.crossOriginIsolated,
    has_shared_memory: typeof SharedArrayBuffer === 'function',
    has_wasm_threads: isValidWasm(module_with_atomic_load),
    has_wasm_simd: isValidWasm(module_with_splat),
  };
}

// The smallest modules that use each feature: an atomic load from shared memory, and i8x16.splat.
const module_with_atomic_load = [
  0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00, 0x01, 0x04, 0x01, 0x60, 0x00, 0x00, 0x03, 0x02, 0x01, 0x00,
  0x05, 0x04, 0x01, 0x03, 0x01, 0x01, 0x0a, 0x0b, 0x01, 0x09, 0x00, 0x41, 0x00, 0xfe, 0x10, 0x02, 0x00, 0x1a,
  0x0b,
];
const module_with_splat = [
  0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00, 0x01, 0x04, 0x01, 0x60, 0x00, 0x00, 0x03, 0x02, 0x01, 0x00,
  0x0a, 0x09, 0x01, 0x07, 0x00, 0x41, 0x00, 0xfd, 0x0f, 0x1a, 0x0b,
];

function isValidWasm(module_bytes: number[]): boolean {
  return typeof WebAssembly === 'object' && WebAssembly.validate(new Uint8Array(module_bytes));
}

/**
 * Returns the properties of this machine that limit how many engines run at once. Only some
 * browsers report memory.
 */
export function thisMachine(): Pick<Machine, 'cores' | 'memory_gib'> {
  const { hardwareConcurrency: cores, deviceMemory: memory_gib } = navigator as Navigator & {
    deviceMemory?: number;
  };
  return memory_gib === undefined ? { cores } : { cores, memory_gib };
}

/**
 * Measures the smallest step of `now_ms`, in nanoseconds. Threads of the engine read the same
 * clock.
 */
export function measureClockStep_ns(now_ms: () => number = () => performance.now()): number {
  const steps_wanted = 20;
  let smallest_ms = Number.POSITIVE_INFINITY;
  let before_ms = now_ms();
  for (let steps = 0; steps < steps_wanted;) {
    const after_ms = now_ms();
    if (after_ms === before_ms) continue;
    smallest_ms = Math.min(smallest_ms, after_ms - before_ms);
    before_ms = after_ms;
    steps += 1;
  }
  return Math.round(smallest_ms * 1e6);
}
