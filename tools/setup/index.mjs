/**
 * Entry point of the set-up. Each part of the toolchain is found on the machine or installed into
 * the cache.
 */

import { chromium, firefox } from './browsers.mjs';
import { cmake } from './cmake.mjs';
import { compilerCache } from './compiler-cache.mjs';
import { cppLibraries } from './cpp-libraries.mjs';
import { emscripten } from './emscripten.mjs';

export const { ensure: ensureChromium } = chromium;
export const { ensure: ensureFirefox } = firefox;
export const { ensure: ensureCMake } = cmake;
export const { ensure: ensureCompilerCache } = compilerCache;
export const { ensure: ensureCppLibraries } = cppLibraries;
export const { ensure: ensureEmscripten } = emscripten;
export { compilerCacheVariables, findCompilerCache } from './compiler-cache.mjs';
export { ensureNativeToolchain } from './native-toolchain.mjs';
export { ensureNodeModules } from './node-modules.mjs';
export { ensureRealServer, realServerNames } from './real-server-packages.mjs';
export { say, SetupError, step } from './progress.mjs';
