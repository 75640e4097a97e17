// Damages the text of generated workload files. Each is either refused with the places of its
// errors, or the engine runs it to an end. A second run has the same bytes.
import assert from 'node:assert/strict';
import { join } from 'node:path';

import fc from 'fast-check';

import { buildCommandLine } from '../../tools/builds.mjs';
import { EXIT, outputsOf } from '../../tools/processes.mjs';
import { workloadLanguage } from '../../tools/workload-language.mjs';
import { generatedRun } from '../proofs/generated-workload.mjs';

const SOURCES = 40;
const SENTENCE_MAX = 600;
const DEADLOCK = 3;

const pieces = [
  ...['', '0', '4294967295', '1h', '1ps', '200pct', '1TiB', 'me', 'threads', 'shards', 'alone', 'latch_0'],
  ...['{', '}', '(', ')', ';', '/*', '"', '\0', '\u202e', 'return;', 'break;', 'in "x" ', 'hold by_knob { }'],
  ...['wait(job_came);', 'send(jobs, 1);', 'await(both_in);', 'arrive(1us);', 'think(1us);', 'work(1h);'],
];
const change = fc.record({
  at: fc.nat(10_000),
  removed: fc.oneof(fc.constant(0), fc.nat(30)),
  inserted: fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 4 })),
});
/** Whole words make more files that still compile. */
const swap = fc.record({ from: fc.nat(2_000), to: fc.nat(2_000) });

const damagedBy = (source, changes) =>
  changes.reduce((text, { at, removed, inserted }) => {
    const from = at % (text.length + 1);
    return text.slice(0, from) + inserted + text.slice(from + removed);
  }, source);

function withSwappedWords(source, swaps) {
  const parts = source.split(/(\w+)/);
  const words = Math.floor(parts.length / 2);
  for (const { from, to } of swaps) parts[2 * (from % words) + 1] = parts[2 * (to % words) + 1];
  return parts.join('');
}

async function runs({ engine }, workload) {
  const spec = { version: 1, platform: 'virtual', scenario: 'workload', workload, threads: 5, seed: 1 };
  const input = JSON.stringify({ ...spec, duration_s: 0.001, events_max: 20_000 });
  const ended = await outputsOf(engine, ['run', '--spec', '-', '--json', '-'], { input });
  assert.ok([EXIT.ok, EXIT.failed, DEADLOCK].includes(ended.outcome), `${ended.outcome}: ${ended.errors}`);
  return ended;
}

async function isRefusedOrRuns(source, context) {
  const { program, errors } = context.compileWorkload(source);
  assert.equal(program === undefined, errors !== undefined);
  const lines = source.split('\n').length;
  for (const { line, column, sentence } of errors ?? []) {
    assert.ok(line >= 1 && line <= lines + 1 && column >= 1, `line ${line}, column ${column}`);
    assert.ok(sentence.length > 0 && sentence.length <= SENTENCE_MAX, sentence);
  }
  if (program === undefined) return;
  const first = await runs(context, { source, program });
  const again = await runs(context, { source, program });
  assert.deepEqual([again.outcome, again.output], [first.outcome, first.output]);
}

export default {
  withContext: async (use) => {
    const engine = join(await buildCommandLine('virtual'), 'latchscope');
    const { compileWorkload } = await workloadLanguage();
    const sources = [];
    for (let seed = 0; seed < SOURCES; seed += 1) sources.push((await generatedRun(seed)).workload.source);
    await use({ engine, compileWorkload, source: fc.constantFrom(...sources) });
  },
  attacks: [
    {
      name: 'damaged texts',
      inputs: 1_000,
      input: ({ source }) =>
        fc
          .tuple(source, fc.array(change, { minLength: 1, maxLength: 3 }))
          .map(([text, changes]) => damagedBy(text, changes)),
      withstands: isRefusedOrRuns,
    },
    {
      name: 'words in other places',
      inputs: 1_000,
      input: ({ source }) =>
        fc
          .tuple(source, fc.array(swap, { minLength: 1, maxLength: 3 }))
          .map(([text, swaps]) => withSwappedWords(text, swaps)),
      withstands: isRefusedOrRuns,
    },
  ],
};
