/** What the project's commands need of the machine: each finds it, or installs it into the cache. */

export { ensureChromium } from './chromium.mjs';
export { ensureCMake } from './cmake.mjs';
export { ensureCppLibraries } from './cpp-libraries.mjs';
export { ensureFirefox } from './firefox.mjs';
export { ensureEmscripten } from './emscripten.mjs';
export { ensureNativeToolchain } from './native-toolchain.mjs';
export { ensureNodeModules } from './node-modules.mjs';
export { ensureRealServer, realServerNames } from './real-server-packages.mjs';
export { SetupError, step } from './progress.mjs';
