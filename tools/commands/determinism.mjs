// Runs the specs of scenarios/determinism.json on the virtual server, natively twice and in WebAssembly under Node, and
// compares the run results byte for byte, with each other and with the digests that the file states. Ends with 1 if they
// differ. Compares what the command line prints in sysbench's words with scenarios/sysbench-output.json, too, as the tests of the
// page do with the file that it exports.
//   node tools/determinism.mjs [--update]      --update: writes the digests and the lines of this engine into the files
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { buildCommandLine, buildWasm } from '../builds.mjs';
import { readArguments } from '../command-line.mjs';
import { writeWhole } from '../files.mjs';
import { runNativelyAsSysbench, runNativelyAsText } from '../native-engine.mjs';
import { repository } from '../processes.mjs';
import { runInNode } from '../wasm-engine.mjs';

const FILE = join(repository, 'scenarios/determinism.json');
const SYSBENCH_FILE = join(repository, 'scenarios/sysbench-output.json');
const digest = (text) => createHash('sha256').update(text.trim()).digest('hex');

function compare(name, stated, digests) {
  const differing = Object.entries(digests).filter(([, own]) => own !== stated);
  console.log(`${differing.length === 0 ? 'ok  ' : 'FAIL'} ${name}: ${stated.slice(0, 16)}`);
  for (const [where, own] of differing) console.log(`     ${where}: ${own.slice(0, 16)}`);
  return differing.length === 0;
}

/** Returns whether the command line prints the lines that the file states. */
async function compareSysbenchOutput(native, { update }) {
  const file = JSON.parse(readFileSync(SYSBENCH_FILE, 'utf8'));
  const printed = await runNativelyAsSysbench(native, file.spec);
  if (update) {
    file.output = printed.split('\n');
    writeWhole(SYSBENCH_FILE, `${JSON.stringify(file, null, 2)}\n`);
  }
  return compare("sysbench's lines", digest(file.output.join('\n')), { natively: digest(printed) });
}

export async function main(args) {
  const { values } = readArguments(args, { update: { type: 'boolean', default: false } });
  const native = await buildCommandLine('virtual');
  const wasm = await buildWasm('virtual');
  const file = JSON.parse(readFileSync(FILE, 'utf8'));
  let allSame = true;
  for (const [name, run] of Object.entries(file.runs)) {
    const first = digest(await runNativelyAsText(native, run.spec));
    if (values.update) run.sha256 = first;
    const digests = {
      natively: first,
      'natively, again': digest(await runNativelyAsText(native, run.spec)),
      'in WebAssembly': digest(await runInNode(wasm, run.spec)),
    };
    allSame = compare(name, run.sha256, digests) && allSame;
  }
  allSame = (await compareSysbenchOutput(native, values)) && allSame;
  if (values.update) writeWhole(FILE, `${JSON.stringify(file, null, 2)}\n`);
  if (!allSame) {
    console.log(
      'What comes out of a run changed. If the engine was meant to change: node tools/determinism.mjs --update',
    );
    process.exitCode = 1;
  }
}
