import { join } from 'node:path';

import { commandOutput } from '../processes.mjs';

/**
 * Runs a spec on a native engine.
 * @param {string} folder build folder of the engine
 * @param {object} spec
 * @returns {Promise<object>} the run result
 */
export async function runNatively(folder, spec) {
  const args = ['run', '--json', '-', '--scenario', spec.scenario, '--threads', String(spec.threads)];
  args.push('--seconds', String(spec.duration_s));
  for (const [knob, variant] of Object.entries(spec.design ?? {})) args.push('--set', `${knob}=${variant}`);
  for (const [name, value] of Object.entries(spec.parameters ?? {})) args.push('--param', `${name}=${value}`);
  return JSON.parse(await commandOutput(join(folder, 'latchscope'), args));
}
