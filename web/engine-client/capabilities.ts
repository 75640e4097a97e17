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
  hasSharedMemory: boolean;
  hasWasmThreads: boolean;
  hasWasmSimd: boolean;
}

export function missingCapabilities(environment: Environment = thisEnvironment()): MissingCapabilities {
  const forBoth = environment.hasWasmSimd ? [] : [wasmSimd];
  const forThreads = environment.hasWasmThreads ? [] : [wasmThreads];
  const isIsolated = environment.crossOriginIsolated && environment.hasSharedMemory;
  return {
    threads: [...forThreads, ...forBoth, ...(isIsolated ? [] : [isolation])],
    virtual: forBoth,
  };
}

const wasmThreads: MissingCapability = {
  capability: 'WebAssembly threads',
  explanation: 'This browser cannot run WebAssembly with threads.',
  remedy: 'Use a current Chromium, Firefox or Safari.',
};
const wasmSimd: MissingCapability = {
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
    hasSharedMemory: typeof SharedArrayBuffer === 'function',
    hasWasmThreads: isValidWasm(moduleWithAtomicLoad),
    hasWasmSimd: isValidWasm(moduleWithSplat),
  };
}

// The smallest modules that use each feature: an atomic load from shared memory, and i8x16.splat.
const moduleWithAtomicLoad = [
  0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00, 0x01, 0x04, 0x01, 0x60, 0x00, 0x00, 0x03, 0x02, 0x01, 0x00,
  0x05, 0x04, 0x01, 0x03, 0x01, 0x01, 0x0a, 0x0b, 0x01, 0x09, 0x00, 0x41, 0x00, 0xfe, 0x10, 0x02, 0x00, 0x1a,
  0x0b,
];
const moduleWithSplat = [
  0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00, 0x01, 0x04, 0x01, 0x60, 0x00, 0x00, 0x03, 0x02, 0x01, 0x00,
  0x0a, 0x09, 0x01, 0x07, 0x00, 0x41, 0x00, 0xfd, 0x0f, 0x1a, 0x0b,
];

function isValidWasm(moduleBytes: number[]): boolean {
  return typeof WebAssembly === 'object' && WebAssembly.validate(new Uint8Array(moduleBytes));
}

/**
 * Returns the properties of this machine that limit how many engines run at once. Only some
 * browsers report memory.
 */
export function thisMachine(): Pick<Machine, 'cores' | 'memory_gib'> {
  const { hardwareConcurrency: cores, deviceMemory: memoryGib } = navigator as Navigator & {
    deviceMemory?: number;
  };
  return memoryGib === undefined ? { cores } : { cores, memory_gib: memoryGib };
}

/**
 * Measures the smallest step of `nowMs`, in nanoseconds. Threads of the engine read the same
 * clock.
 */
export function measureClockStepNs(nowMs: () => number = () => performance.now()): number {
  const stepsWanted = 20;
  let smallestMs = Number.POSITIVE_INFINITY;
  let beforeMs = nowMs();
  for (let steps = 0; steps < stepsWanted;) {
    const afterMs = nowMs();
    if (afterMs === beforeMs) continue;
    smallestMs = Math.min(smallestMs, afterMs - beforeMs);
    beforeMs = afterMs;
    steps += 1;
  }
  return Math.round(smallestMs * 1e6);
}
