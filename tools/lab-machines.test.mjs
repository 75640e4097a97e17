// Runs every latch of lab/latches through the engine's lab tests. The checker's machine and the
// engine's machine must make the same accesses, and the search must find the same faults with and
// without its reduction.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { buildNative } from './builds.mjs';
import { labLanguage } from './lab-language.mjs';
import { repository } from './processes.mjs';

const FOLDERS = ['.', 'starving', 'wrong'];

async function writePrograms(folder) {
  const { compile } = await labLanguage();
  const names = [];
  for (const kind of FOLDERS) {
    const latches = join(repository, 'lab/latches', kind);
    for (const file of readdirSync(latches).filter((name) => name.endsWith('.latch'))) {
      const { program } = compile(readFileSync(join(latches, file), 'utf8'));
      names.push(`${kind === '.' ? 'right' : kind}-${file.replace('.latch', '')}`);
      writeFileSync(join(folder, `${names.at(-1)}.json`), JSON.stringify(program));
    }
  }
  return names;
}

test('both machines and searches of the lab agree on every latch', async () => {
  const { folder: engine } = await buildNative('virtual', { target: 'engine_tests' });
  const folder = mkdtempSync(join(tmpdir(), 'latchscope-programs-'));
  try {
    const names = await writePrograms(folder);
    const { status, stdout } = spawnSync(
      join(engine, 'engine_tests'),
      ['--gtest_filter=*InLatchesThatAreGiven'],
      { encoding: 'utf8', env: { ...process.env, LATCHSCOPE_LAB_PROGRAMS: folder } },
    );
    assert.equal(status, 0, stdout);
    const searched = [...stdout.matchAll(/^(\S+): (\d+) states without the reduction, (\d+) with it$/gm)];
    assert.deepEqual(searched.map(([, name]) => name).sort(), names.sort());
    const followed = [...stdout.matchAll(/^(\S+): the same$/gm)].map(([, name]) => name);
    const drawsItsOwn = ['right-ttas-backoff'];
    assert.deepEqual(
      followed.sort(),
      names.filter((name) => !drawsItsOwn.includes(name)),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});
