// Measures the cost of each latch by thread count (wasm-engine/bench/latch_bench.cc), on real
// threads and on the virtual server. Figures of the virtual server are the same on every machine.
// Also measures how fast this machine simulates them, natively and in WebAssembly.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { buildNative, buildWasm } from '../../tools/builds.mjs';
import { inTemporaryFolder } from '../../tools/interruption.mjs';
import { labLanguage } from '../../tools/lab-language.mjs';
import { sourceOfLatch } from '../../tools/lab-latches.mjs';
import { commandOutput } from '../../tools/processes.mjs';
import { spread } from './statistics.mjs';

const natively = (flavour) => async () => {
  const { folder } = await buildNative(flavour, { target: 'latch_bench' });
  return [join(folder, 'latch_bench')];
};
const inNode = async () => {
  const folder = await buildWasm('virtual', { target: 'latch_bench' });
  return [process.execPath, join(folder, 'latch_bench.cjs')];
};

const PLATFORMS = {
  native: { build: natively('native'), threads: [1, 2, 4, 8], milliseconds: (seconds) => 20 * seconds },
  virtual: { build: natively('virtual'), threads: [1, 2, 8, 32, 128], milliseconds: () => 10 },
  'virtual in WebAssembly': { build: inNode, threads: [1, 8, 32], milliseconds: () => 10 },
};
/** Every other latch is compared with this one. */
const COMPARED_WITH = 'OsMutex';

/** Latches of lab/latches, interpreted. */
const OF_LAB = ['futex-drepper', 'event-mutex', 'test-and-test-and-set', 'ticket', 'mcs'];
/** Compiled latches of the engine with the same algorithm. */
const COMPILED = { 'lab: futex-drepper': 'SysMutex', 'lab: event-mutex': 'TTASEventMutex' };

/** Compiles the lab's latches into a folder. Returns their names and files as arguments. */
export async function compileLatches(folder) {
  const { compile } = await labLanguage();
  const named = OF_LAB.map(async (latch) => {
    const { program } = compile(sourceOfLatch(latch));
    const file = join(folder, `${latch}.json`);
    await writeFile(file, JSON.stringify(program));
    return [`lab: ${latch}`, file];
  });
  return (await Promise.all(named)).flat();
}

async function run({ command, threads, milliseconds, ofLab }, seconds) {
  const [program, ...first] = command;
  const args = [...first, String(milliseconds(seconds)), ...threads.map(String), '--', ...ofLab];
  const lines = await commandOutput(program, args);
  return lines.trim().split('\n').map(JSON.parse);
}

/** Returns the interpreted latch's simulation speed as a fraction of the compiled one's. */
function shareOfCompiled(rounds, row) {
  const { latch, threads, events_per_cpu_s } = rounds[0][row];
  if (events_per_cpu_s === undefined || COMPILED[latch] === undefined) return {};
  const compiled = rounds[0].findIndex(
    (other) => other.latch === COMPILED[latch] && other.threads === threads,
  );
  return {
    [`/ ${COMPILED[latch]}`]: spread(
      rounds.map((round) => round[row].events_per_cpu_s / round[compiled].events_per_cpu_s),
    ),
  };
}

/**
 * @param {string} platform
 * @param {{ latch: string, threads: number, ns: number, cpu_ns: number, events_per_cpu_s?: number
 *   }[][]} rounds the lines of each round, in the same order
 */
export function rowsOf(platform, rounds) {
  const nsOfComparedWith = new Map();
  return rounds[0].map(({ latch, threads, events_per_cpu_s }, row) => {
    const spreadOf = (name) => spread(rounds.map((round) => round[row][name]));
    const ns = rounds.map((round) => round[row].ns);
    if (latch === COMPARED_WITH) nsOfComparedWith.set(threads, ns);
    const ratios = ns.map((own, round) => own / nsOfComparedWith.get(threads)[round]);
    return {
      measure: `${latch}, ${threads} ${threads === 1 ? 'thread' : 'threads'}, ${platform}`,
      ns: spread(ns).median,
      cpu_ns: spreadOf('cpu_ns').median,
      [`/ ${COMPARED_WITH}`]: spread(ratios),
      ...(events_per_cpu_s === undefined ? {} : { 'events/s': spreadOf('events_per_cpu_s') }),
      ...shareOfCompiled(rounds, row),
    };
  });
}

export function measure(options) {
  return inTemporaryFolder('latches', async (programs) =>
    measureWith(await compileLatches(programs), options),
  );
}

async function measureWith(ofLab, { rounds, seconds }) {
  const measured = {};
  for (const [name, platform] of Object.entries(PLATFORMS)) {
    measured[name] = { ...platform, command: await platform.build(), ofLab, rounds: [] };
  }
  for (let round = 0; round < rounds; ++round) {
    for (const platform of Object.values(measured)) platform.rounds.push(await run(platform, seconds));
  }
  return Object.entries(measured).flatMap(([name, platform]) => rowsOf(name, platform.rounds));
}
