// Measures the speed of a workload file on the modeled server, as a share of the same workload in
// C++ (wasm-engine/bench/script_bench.cc). Native and WebAssembly runs alternate.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { buildNative, buildWasm } from '../../tools/builds.mjs';
import { writeWhole } from '../../tools/files.mjs';
import { inTemporaryFolder } from '../../tools/interruption.mjs';
import { moduleOfPage } from '../../tools/page-module.mjs';
import { commandOutput } from '../../tools/processes.mjs';
import { spread } from './statistics.mjs';

const SOURCE = new URL('lock-grant.workload', import.meta.url);
const EVENTS_IN_A_SECOND = 4_000_000;
const AIM = 'at least 60 %';

const workloadLanguage = moduleOfPage('web/analysis/workload-language/compile.ts');

export function measure({ rounds, seconds }) {
  return inTemporaryFolder('workloads', async (folder) => {
    const { compileWorkload } = await workloadLanguage();
    const { program } = compileWorkload(readFileSync(SOURCE, 'utf8'));
    const file = join(folder, 'lock-grant.json');
    writeWhole(file, JSON.stringify(program));
    const args = [file, String(EVENTS_IN_A_SECOND * seconds)];
    const { folder: native } = await buildNative('virtual');
    const wasm = await buildWasm('virtual', { target: 'script_bench' });
    const measured = [];
    for (let round = 0; round < rounds; ++round) {
      measured.push({
        native: await run(join(native, 'script_bench'), args),
        wasm: await run(process.execPath, [join(wasm, 'script_bench.cjs'), ...args]),
      });
    }
    const shareOf = (platform) =>
      spread(measured.map((round) => (100 * round[platform].cpp_s) / round[platform].file_s));
    return [
      {
        measure: 'events/s of a workload file, % of the same events in C++',
        natively: shareOf('native'),
        'in WebAssembly': shareOf('wasm'),
        'same events': String(measured.every(({ native, wasm }) => native.same_events && wasm.same_events)),
        aim: AIM,
      },
    ];
  });
}

const run = async (program, args) => JSON.parse(await commandOutput(program, args));
