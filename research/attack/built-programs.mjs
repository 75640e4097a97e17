// Damages the engine's command line at random, as a power loss or a full disk could. The next use
// must build it again and print the same output.
import assert from 'node:assert/strict';
import {
  chmodSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
  closeSync,
} from 'node:fs';
import { join } from 'node:path';

import fc from 'fast-check';

import { buildCommandLine } from '../../tools/builds.mjs';
import { EXIT, outputsOf } from '../../tools/processes.mjs';
import { SMALL_RUN } from '../../tools/small-run.mjs';

const RECORD = 'latchscope-built.json';
const ARGS = ['run', '--platform', 'virtual', ...SMALL_RUN, '--seconds', '0.002', '--json', '-'];

const run = () => outputsOf(process.execPath, ['tools/cli.mjs', 'latchscope', ...ARGS]);

const damage = fc.oneof(
  fc.record({ kind: fc.constantFrom('empty', 'gone', 'no-x') }),
  fc.record({ kind: fc.constant('cut'), share: fc.double({ min: 0, max: 0.999, noNaN: true }) }),
  fc.record({ kind: fc.constant('flipped'), share: fc.double({ min: 0, max: 0.999, noNaN: true }) }),
);
const input = fc.record({
  program: damage,
  record: fc.constantFrom('kept', 'kept', 'gone', 'empty', 'other'),
});

function inflict(path, { kind, share }) {
  const bytes = Math.floor((share ?? 0) * statSync(path).size);
  if (kind === 'gone') rmSync(path);
  if (kind === 'no-x') chmodSync(path, 0o644);
  if (kind === 'empty' || kind === 'cut') truncateSync(path, bytes);
  if (kind === 'flipped') {
    const file = openSync(path, 'r+');
    writeSync(file, Buffer.from([readFileSync(path)[bytes] ^ 0xff]), 0, 1, bytes);
    closeSync(file);
  }
}

async function isBuiltAgain({ program, record }, { folder, expected }) {
  inflict(join(folder, 'latchscope'), program);
  if (record === 'gone') rmSync(join(folder, RECORD));
  if (record === 'empty' || record === 'other')
    writeFileSync(join(folder, RECORD), record === 'empty' ? '' : '{"inputs":7,"programs":{"__proto__":{}}}');
  const { outcome, output, errors } = await run();
  assert.equal(outcome, EXIT.ok, errors);
  assert.ok(output === expected, 'the output differs');
}

export default {
  withContext: async (use) => {
    const folder = await buildCommandLine('virtual');
    const { output } = await run();
    await use({ folder, expected: output });
  },
  attacks: [
    {
      name: 'programs truncated, emptied, altered or removed',
      inputs: 12,
      input,
      withstands: isBuiltAgain,
    },
  ],
};
