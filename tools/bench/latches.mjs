// The cost of each latch by number of threads (wasm-engine/bench/latch_bench.cc): on real threads, and on the
// virtual server, where the figures are the same on every machine.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { buildNative } from '../builds.mjs';
import { labLanguage } from '../lab-language.mjs';
import { sourceOfLatch } from '../lab-latches.mjs';
import { commandOutput } from '../processes.mjs';
import { spread } from './statistics.mjs';

const PLATFORMS = {
  native: { flavour: 'native', threads: [1, 2, 4, 8], milliseconds: (seconds) => 20 * seconds },
  virtual: { flavour: 'virtual', threads: [1, 2, 8, 32, 128], milliseconds: () => 10 },
};
/** Every other latch is compared with this one. */
const COMPARED_WITH = 'OsMutex';

/** Latches of lab/latches, interpreted: the first two beside the engine's own of the same algorithm. */
const OF_LAB = ['futex-drepper', 'event-mutex', 'test-and-test-and-set', 'ticket', 'mcs'];

/** Compiles them into a folder of their own. Returns the arguments that name them. */
async function compileLatches(folder) {
  const { compile } = await labLanguage();
  const named = OF_LAB.map(async (latch) => {
    const { program } = compile(sourceOfLatch(latch));
    const file = join(folder, `${latch}.json`);
    await writeFile(file, JSON.stringify(program));
    return [`lab: ${latch}`, file];
  });
  return (await Promise.all(named)).flat();
}

async function run({ folder, threads, milliseconds, ofLab }, seconds) {
  const args = [String(milliseconds(seconds)), ...threads.map(String), '--', ...ofLab];
  const lines = await commandOutput(join(folder, 'latch_bench'), args);
  return lines.trim().split('\n').map(JSON.parse);
}

/**
 * @param {string} platform
 * @param {{ latch: string, threads: number, ns: number, cpu_ns: number, events_per_cpu_s?: number }[][]} rounds what each
 *   round has measured, in the same order
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
    };
  });
}

export async function measure(options) {
  const programs = await mkdtemp(join(tmpdir(), 'latchscope-latches-'));
  try {
    return await measureWith(await compileLatches(programs), options);
  } finally {
    await rm(programs, { recursive: true });
  }
}

async function measureWith(ofLab, { rounds, seconds }) {
  const measured = {};
  for (const [name, platform] of Object.entries(PLATFORMS)) {
    const { folder } = await buildNative(platform.flavour, { target: 'latch_bench' });
    measured[name] = { ...platform, folder, ofLab, rounds: [] };
  }
  for (let round = 0; round < rounds; ++round) {
    for (const platform of Object.values(measured)) platform.rounds.push(await run(platform, seconds));
  }
  return Object.entries(measured).flatMap(([name, platform]) => rowsOf(name, platform.rounds));
}
