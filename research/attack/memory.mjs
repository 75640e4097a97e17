// Executes random run specs in the native engine with little memory or few threads. Each run must
// end with a result or report which resource ran out. It must not hang or die by a signal.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import fc from 'fast-check';

import { buildCommandLine } from '../../tools/builds.mjs';
import { brokenInvariants } from '../../tools/native-engine.mjs';
import { repository } from '../../tools/processes.mjs';
import { readManifests } from '../../tools/scenario-manifests.mjs';
import { designOf, rangesOf, within } from './run-specs.mjs';

// Exit codes from wasm-engine/cli/output.h.
const ENDED_WELL = 0;
const BAD_USAGE = 2;
const ENGINE_FAILED = 3;
const RAN_OUT = /the engine stopped: (out of memory: |cannot start another thread)/;

/** A run that takes longer counts as hung. */
const DEADLINE_MS = 120_000;
const BYTES_PER_MIB = 2 ** 20;
/** With less memory the system cannot load the program. */
const MEMORY_MIN_MIB = 32;
/** A user id without privileges: limits on the number of processes do not apply to root. */
const NOBODY = 65_534;

/**
 * @returns {Promise<{ outcome: number | string, output: string, errors: string }>} `outcome`: the
 *   exit code, or the signal that ended the program
 */
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
  child.stdin.on('error', () => {}); // It may end before it reads all input.
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

const specOf = (manifests, platform, threadsMax) =>
  fc.constantFrom(...manifests).chain((manifest) =>
    fc.record({
      version: fc.constant(1),
      scenario: fc.constant(manifest.id),
      platform: fc.constant(platform),
      duration_s: fc.constant(platform === 'virtual' ? 0.001 : 0.05),
      design: designOf(manifest),
      threads: within(1, threadsMax),
      parameters: rangesOf(manifest.parameters),
    }),
  );

/**
 * Distributes limits logarithmically, so small ones are as likely as large ones. Runs that fit into
 * 1 GiB are never refused.
 */
const memoryLimit = fc
  .double({ min: Math.log2(MEMORY_MIN_MIB), max: 10, noNaN: true })
  .map((power) => `--as=${Math.round(2 ** power * BYTES_PER_MIB)}`);

const threadsLimit = fc.integer({ min: 1, max: 80 }).map((count) => `--nproc=${count}`);

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
      // A folder in which users other than root can run it.
      const anyones = join(folder, 'latchscope');
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
      limit: memoryLimit,
      platform: 'threads',
      threads_max: 64,
    }),
    attackOn('few threads allowed', 50, {
      program: 'anyones',
      limit: threadsLimit,
      platform: 'threads',
      threads_max: 64,
      identity: process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {},
    }),
    attackOn('the virtual server with little memory', 40, {
      program: 'virtual',
      limit: memoryLimit,
      platform: 'virtual',
      threads_max: 1024,
    }),
  ],
};
