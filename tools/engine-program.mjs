// @ts-check
// Gives tools the engine's command line. The npm package has its own version of this file in
// tools/package.
import { join } from 'node:path';

import { buildCommandLine } from './builds.mjs';

/**
 * Builds the native command line if necessary.
 * @param {'threads' | 'virtual'} [platform]
 * @returns {Promise<[string, ...string[]]>} the program and its first arguments
 */
export async function engineProgram(platform = 'virtual') {
  return [join(await buildCommandLine(platform), 'latchscope')];
}
