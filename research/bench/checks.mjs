// Measures the speed of the lab's checker on one core (wasm-engine/bench/check_bench.cc): random
// schedules, and states of an exhaustive search. Native and WebAssembly runs alternate.
import { join } from 'node:path';

import { buildNative, buildWasm } from '../../tools/builds.mjs';
import { inTemporaryFolder } from '../../tools/interruption.mjs';
import { commandOutput } from '../../tools/processes.mjs';
import { compileLatches } from './latches.mjs';
import { spread } from './statistics.mjs';

const SCHEDULES_IN_A_SECOND = 40_000;
const AIM = 'natively 200,000 schedules/s';

export function measure({ rounds, seconds }) {
  return inTemporaryFolder('checks', async (programs) => {
    const args = [String(SCHEDULES_IN_A_SECOND * seconds), ...(await compileLatches(programs))];
    const { folder: native } = await buildNative('native', { target: 'check_bench' });
    const wasm = await buildWasm('virtual', { target: 'check_bench' });
    const measured = [];
    for (let round = 0; round < rounds; ++round) {
      measured.push({
        native: await linesOf(join(native, 'check_bench'), args),
        wasm: await linesOf(process.execPath, [join(wasm, 'check_bench.cjs'), ...args]),
      });
    }
    return measured[0].native.map((_, row) => rowOf(measured, row));
  });
}

const linesOf = async (program, args) =>
  (await commandOutput(program, args)).trim().split('\n').map(JSON.parse);

function rowOf(measured, row) {
  const { latch, steps_per_schedule } = measured[0].native[row];
  const spreadOf = (platform, figure) => spread(measured.map((round) => round[platform][row][figure]));
  return {
    measure: `${latch}, ${steps_per_schedule} steps per schedule`,
    'schedules/s natively': spreadOf('native', 'schedules_per_s'),
    'schedules/s in WebAssembly': spreadOf('wasm', 'schedules_per_s'),
    'states/s natively': spreadOf('native', 'states_per_s'),
    'states/s in WebAssembly': spreadOf('wasm', 'states_per_s'),
    aim: AIM,
  };
}
