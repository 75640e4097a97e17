// Executes a run spec on the virtual server with the native command line. The npm package has its
// own version of this file in tools/package.
import { engineProgram } from './engine-program.mjs';
import { runForText } from './native-engine.mjs';
import { UsageError } from './processes.mjs';

/**
 * @param {object} spec run spec with a duration
 * @param {{ onProgress?: (done: number) => void }} [options]
 * @returns {Promise<string>} the run result as the engine wrote it. Rejects with a UsageError if the
 *   engine refuses the spec.
 */
export async function runSpec(spec, { onProgress } = {}) {
  const engine = await engineProgram('virtual');
  const { text, refused } = await runForText(engine, ['run', '--spec', '-'], JSON.stringify(spec));
  if (refused !== undefined) throw new UsageError(refused);
  onProgress?.(1);
  return text;
}
