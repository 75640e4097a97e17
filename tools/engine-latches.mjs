// @ts-check
// Generates web/contract/engine-latches.ts: the engine's latches and the functions that acquire
// each.
import { join } from 'node:path';

import { buildCommandLine } from './builds.mjs';
import { formatted } from './files.mjs';
import { commandOutput, repository } from './processes.mjs';

export const ENGINE_LATCHES = join(repository, 'web/contract/engine-latches.ts');

/**
 * @param {string} ofScenarios the new content of scenarios/latches.json
 * @returns {Promise<string>} the new content of the file
 */
export async function engineLatches(ofScenarios) {
  const program = join(await buildCommandLine('virtual'), 'latchscope');
  const latches = await commandOutput(program, ['latches', '--json']);
  const text = `// Written by npm run contract -- --update, from the latch sites of the engine. Do not edit.
/** The functions that take each latch. */
export const engine_latches = ${latches.trim()} as const;
/** The latches that each scenario's server has, as scenarios/latches.json has them for the engine. */
export const scenario_latches: Record<string, readonly string[]> = ${ofScenarios.trim()};
`;
  return formatted(ENGINE_LATCHES, text);
}
