// Executes random run specs in the native engine with little memory or few threads. Each run must
// end with a result or report which resource ran out. It must not hang or die by a signal.
import assert from 'node:assert/strict';
import { chmodSync, copyFileSync } from 'node:fs';
import { join } from 'node:path';

import fc from 'fast-check';

import { buildCommandLine } from '../../tools/builds.mjs';
import { inTemporaryFolder } from '../../tools/interruption.mjs';
import { brokenInvariants } from '../../tools/native-engine.mjs';
import { EXIT, outputsOf } from '../../tools/processes.mjs';
import { readManifests } from '../../tools/scenario-manifests.mjs';
import { designOf, rangesOf, within } from './run-specs.mjs';

const RAN_OUT = /the engine stopped: (out of memory: |cannot start another thread)/;

/** A run that takes longer counts as hung. */
const DEADLINE_MS = 120_000;
const BYTES_PER_MIB = 2 ** 20;
/** With less memory the system cannot load the program. */
const MEMORY_MIN_MIB = 40;
/** A user id without privileges: limits on the number of processes do not apply to root. */
const NOBODY = 65_534;

async function endsWell(program, limit, spec, identity) {
  const args = [limit, program, 'run', '--spec', '-', '--json', '-'];
  const { outcome, output, errors } = await outputsOf('prlimit', args, {
    input: JSON.stringify(spec),
    timeout: DEADLINE_MS,
    killSignal: 'SIGKILL',
    ...identity,
  });
  if (outcome === EXIT.ok) assert.deepEqual(brokenInvariants(JSON.parse(output)), []);
  else if (outcome === EXIT.engineFailed) assert.match(errors, RAN_OUT);
  else assert.equal(outcome, EXIT.badUsage, errors);
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
  input: ({ manifests }) => fc.tuple(specOf(manifests, platform, threads_max), limit),
  withstands: ([spec, amount], context) => endsWell(context[program], amount, spec, identity),
});

export default {
  withContext: (use) =>
    inTemporaryFolder('attack', async (folder) => {
      const threads = join(await buildCommandLine('threads'), 'latchscope');
      const virtual = join(await buildCommandLine('virtual'), 'latchscope');
      const manifests = await readManifests();
      // A folder in which users other than root can run it.
      const anyones = join(folder, 'latchscope');
      chmodSync(folder, 0o755);
      copyFileSync(threads, anyones);
      chmodSync(anyones, 0o755);
      await use({ threads, virtual, anyones, manifests });
    }),
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
