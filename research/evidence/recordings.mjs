// Records runs on the page's session and its own WebAssembly engine, so a recording has what the page
// would show.
import { withModuleOfPage } from '../../tools/page-module.mjs';

/** One recording at a time: each ends the engines of its process. */
let recorded = Promise.resolve();

/**
 * @template Module, Result
 * @param {string} file a module of the page, relative to the repository
 * @param {(module: Module) => Promise<Result>} use
 * @returns {Promise<Result>}
 */
export function recordOnPage(file, use) {
  const recording = recorded.then(() => withModuleOfPage(file, use));
  recorded = recording.then(
    () => undefined,
    () => undefined,
  );
  return recording;
}
