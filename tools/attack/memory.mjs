// Random run specs on a machine with too little memory or too few threads for the native engine. A run ends
// with its result or says what ran out. It never hangs, and no signal ends it.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import fc from 'fast-check';

import { buildCommandLine } from '../builds.mjs';
import { brokenInvariants } from '../native-engine.mjs';
import { repository } from '../processes.mjs';
import { readManifests } from '../scenario-manifests.mjs';
import { designOf, rangesOf, within } from './run-specs.mjs';

// wasm-engine/api/latchscope_main.cc
const ENDED_WELL = 0;
const BAD_USAGE = 2;
const ENGINE_FAILED = 3;
const RAN_OUT = /the engine stopped: (out of memory: |no thread could be started )/;

/** A run that has not ended after this time counts as hung. */
const DEADLINE_MS = 120_000;
const BYTES_PER_MIB = 2 ** 20;
/** With less memory the system cannot load the program. */
const MEMORY_MIN_MIB = 32;
/** Limits on the number of processes do not apply to root. */
const NOBODY = 65_534;

/** @returns {Promise<{ outcome: number | string, output: string, errors: string }>} `outcome`: exit code, or signal */
function runWithLimit(program, limit, spec, identity = {}) {
  const child = spawn('prlimit', [limit, program, 'run', '--spec', '-', '--json', '-'], {
    stdio: 'pipe',
    timeout: DEADLINE_MS,
    killSignal: 'SIGKILL',
    ...identity,
  });
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (errors += chunk));
  child.stdin.on('error', () => {}); // It may end without reading all of it.
  child.stdin.end(JSON.stringify(spec));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ outcome: signal ?? code, output, errors }));
  });
}

function mustHaveEndedWell({ outcome, output, errors }) {
  assert.ok([ENDED_WELL, BAD_USAGE, ENGINE_FAILED].includes(outcome), `ended with ${outcome}: ${errors}`);
  if (outcome === ENDED_WELL) assert.deepEqual(brokenInvariants(JSON.parse(output)), []);
  if (outcome === ENGINE_FAILED) assert.match(errors, RAN_OUT);
}

const specOf = (manifests, platform, threads_max) =>
  fc.constantFrom(...manifests).chain((manifest) =>
    fc.record({
      version: fc.constant(1),
      scenario: fc.constant(manifest.id),
      platform: fc.constant(platform),
      duration_s: fc.constant(platform === 'virtual' ? 0.001 : 0.05),
      design: designOf(manifest),
      threads: within(1, threads_max),
      parameters: rangesOf(manifest.parameters),
    }),
  );

/** Draws as many small limits as large ones. What fits in 1 GiB is never refused. */
const memory_limit = fc
  .double({ min: Math.log2(MEMORY_MIN_MIB), max: 10, noNaN: true })
  .map((power) => `--as=${Math.round(2 ** power * BYTES_PER_MIB)}`);

const threads_limit = fc.integer({ min: 1, max: 80 }).map((count) => `--nproc=${count}`);

const attackOn = (name, inputs, { program, limit, platform, threads_max, identity }) => ({
  name,
  inputs,
  property: (context) =>
    fc.asyncProperty(specOf(context.manifests, platform, threads_max), limit, async (spec, amount) => {
      mustHaveEndedWell(await runWithLimit(context[program], amount, spec, identity));
    }),
});

export default {
  async withContext(use) {
    const folder = mkdtempSync(join(tmpdir(), 'latchscope-attack-'));
    try {
      const threads = join(await buildCommandLine('threads'), 'latchscope');
      const virtual = join(await buildCommandLine('virtual'), 'latchscope');
      const manifests = await readManifests(join(repository, 'scenarios'));
      const anyones = join(folder, 'latchscope'); // where those who are not root can run it
      chmodSync(folder, 0o755);
      copyFileSync(threads, anyones);
      chmodSync(anyones, 0o755);
      await use({ threads, virtual, anyones, manifests });
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
  attacks: [
    attackOn('real threads with little memory', 60, {
      program: 'threads',
      limit: memory_limit,
      platform: 'threads',
      threads_max: 64,
    }),
    attackOn('few threads allowed', 50, {
      program: 'anyones',
      limit: threads_limit,
      platform: 'threads',
      threads_max: 64,
      identity: process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {},
    }),
    attackOn('the virtual server with little memory', 40, {
      program: 'virtual',
      limit: memory_limit,
      platform: 'virtual',
      threads_max: 1024,
    }),
  ],
};
