// The check `clang-tidy`: checks every unit of the engine with the flags it is compiled with.
// Checking the files of a layer as one unity unit takes a tenth of the time, since most of it goes
// into headers.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { configureForTidy } from '../builds.mjs';
import { commandOutput, repository, runCommand } from '../processes.mjs';
import { identityOf } from './check-inputs.mjs';
import { filesOfRule, unitDigests } from './known-good-units.mjs';
import { passesOf } from './passes.mjs';
import { sideBySide } from './side-by-side.mjs';

const CONFIG = join(repository, 'wasm-engine/.clang-tidy');
const OPTIONS = [`--config-file=${CONFIG}`, '--quiet', '--warnings-as-errors=*'];
const AT_ONCE = 2;

/** Checks all units, except those that passed before and have not changed. */
export async function checkUnits() {
  const { folder, toolchain } = await configureForTidy();
  const env = { ...process.env, ...toolchain.env };
  const digestOf = unitDigests({
    checkout: repository,
    circumstances: [identityOf(toolchain.clangTidy), readFileSync(CONFIG, 'utf8'), OPTIONS],
  });
  const passed = passesOf('clang-tidy');
  const counts = { checked: 0, known: 0 };
  const check = async ({ file, command, directory }) => {
    const digest = digestOf(command, await filesReadBy(command, { cwd: directory, env }));
    if (passed.has(digest)) {
      counts.known += 1;
      return;
    }
    counts.checked += 1;
    await runCommand(toolchain.clangTidy, ['-p', folder, ...OPTIONS, file], {
      env,
      quietUnlessFailed: true,
    });
    passed.add(digest);
  };
  const failures = [];
  await sideBySide(unitsIn(folder), AT_ONCE, (unit) => check(unit).catch((error) => failures.push(error)));
  if (failures.length > 0) throw new Error(failures.map(({ message }) => message).join('\n'));
  console.log(`${counts.checked} units checked; ${counts.known} passed before and have not changed`);
}

/** Returns each unit with the command that compiles it, without GoogleTest. */
const unitsIn = (folder) =>
  JSON.parse(readFileSync(join(folder, 'compile_commands.json'), 'utf8')).filter(
    ({ file }) => !file.includes('/googletest/'),
  );

async function filesReadBy(command, options) {
  const listing = command.replace(/ -o \S+ -c /, ' -M ');
  return filesOfRule(await commandOutput('sh', ['-c', listing], options));
}
