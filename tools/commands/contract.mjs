// npm run contract: generates files from the declarations of web/contract, such as JSON schemas in
// scenarios/ for editors, and tables in docs/.
//   npm run contract -- --check | --update
//   --check    exits with 1 if a file differs from the declarations
//   --update   writes the files; also asks the engine for its latches
//              (web/contract/engine-latches.ts) and those of each scenario's server
//              (scenarios/latches.json)
import { join } from 'node:path';

import { readArguments } from '../command-line.mjs';
import { writeIfChanged } from '../files.mjs';
import { ENGINE_LATCHES, engineLatches, SCENARIO_LATCHES, scenarioLatches } from '../latch-lists.mjs';
import { repository, UsageError } from '../processes.mjs';
import { ensureNodeModules } from '../setup/index.mjs';
import { staleFiles, writtenContract } from '../written-contract.mjs';

export async function main(args) {
  const { values } = readArguments(args, {
    check: { type: 'boolean', default: false },
    update: { type: 'boolean', default: false },
  });
  if (values.check === values.update)
    throw new UsageError('npm run contract: got neither or both; allowed: either --check or --update');
  await ensureNodeModules();
  if (values.update) {
    const ofScenarios = await scenarioLatches();
    writeIfChanged(SCENARIO_LATCHES, ofScenarios);
    writeIfChanged(ENGINE_LATCHES, await engineLatches(ofScenarios));
  }
  const stale = await staleFiles();
  for (const file of stale) console.log(`${values.check ? 'differs' : 'written'} ${file}`);
  if (values.update) {
    const files = await writtenContract();
    for (const file of stale) writeIfChanged(join(repository, file), files[file]);
  } else if (stale.length > 0) {
    console.log('Write the files with npm run contract -- --update.');
    process.exitCode = 1;
  }
}
