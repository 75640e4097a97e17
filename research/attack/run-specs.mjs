// Executes random run specs within the bounds of the manifests on the virtual server. Each must
// run, keep every invariant, and produce the same bytes again and in WebAssembly. Specs with
// contradictory values must be refused.
import assert from 'node:assert/strict';

import fc from 'fast-check';

import { buildCommandLine, buildWasm } from '../../tools/builds.mjs';
import { brokenInvariants, runNativelyAsText } from '../../tools/native-engine.mjs';
import { contract } from '../../tools/page-contract.mjs';
import { CommandFailed, EXIT } from '../../tools/processes.mjs';
import { readManifests, readServers } from '../../tools/scenario-manifests.mjs';
import { runInNode } from '../../tools/wasm-engine.mjs';

/** Prefers small numbers and the bounds, since edges break first. */
export const within = (min, max) =>
  fc.oneof(
    fc.integer({ min, max: Math.min(max, min + 40) }),
    fc.integer({ min, max }),
    fc.constantFrom(min, max),
  );

/** Returns the ids of the variants that do not need a latch of the reader. */
export const variantsOf = ({ variants }) =>
  variants.filter(({ needs }) => needs === undefined).map(({ id }) => id);

export function designOf({ knobs, designs }) {
  const each = knobs.map((knob) => [knob.id, fc.constantFrom(...variantsOf(knob))]);
  return fc.oneof(fc.constantFrom(...Object.keys(designs)), fc.record(Object.fromEntries(each)));
}

function stepOf({ actions, knobs }, seconds) {
  const atS = fc.integer({ min: 0, max: 1000 }).map((part) => (part / 1000) * seconds);
  const action = fc.record({ at_s: atS, action: fc.constantFrom(...actions.map(({ id }) => id)) });
  const knob = fc
    .constantFrom(...knobs.flatMap((knob) => variantsOf(knob).map((variant) => [knob.id, variant])))
    .chain(([id, variant]) => fc.record({ at_s: atS, knob: fc.constant(id), variant: fc.constant(variant) }));
  return fc.oneof(...(actions.length > 0 ? [action] : []), knob);
}

/** Sorts actions as a run spec requires. */
export const inTheirOrder = (actions) => actions.map((steps) => steps.sort((a, b) => a.at_s - b.at_s));

export const rangesOf = (fields) =>
  fc.record(Object.fromEntries(fields.map(({ id, min, max }) => [id, within(min, max)])), {
    requiredKeys: [],
  });

const stackSamples = fc.record({
  sampler: fc.constantFrom('instant', 'stop_the_world'),
  count: fc.integer({ min: 1, max: 20 }),
  every_s: fc.constantFrom(0.001, 0.002),
});

/** `latches` maps each latch to the functions that acquire it. */
function latchWhatIf(latches) {
  const latch = fc.constantFrom(...Object.keys(latches));
  const sectionPercent = fc.integer({ min: 0, max: 200 });
  const ofASite = latch.chain((named) =>
    fc.record({
      latch: fc.constant(named),
      site: fc.constantFrom(...latches[named]),
      section_percent: sectionPercent,
    }),
  );
  const free = {
    hand_over: fc.constant('free'),
    line: fc.constant('still'),
    wake_up: fc.constant('free'),
  };
  return fc.oneof(
    ofASite,
    fc.record({ latch, section_percent: sectionPercent, ...free }, { requiredKeys: ['latch'] }),
  );
}

/** Percentages may move a cost out of its range: the engine refuses those. */
const whatIf = (fields, latches) =>
  fc.record(
    {
      costs: fc.dictionary(
        fc.constantFrom(...fields.map(({ id }) => id).filter((id) => /_(ps|percent)$/.test(id))),
        fc.integer({ min: 50, max: 150 }),
        { minKeys: 1, maxKeys: 3 },
      ),
      latches: fc.array(latchWhatIf(latches), { minLength: 1, maxLength: 6 }),
    },
    { requiredKeys: ['latches'] },
  );

/** Generates run specs of a few virtual milliseconds. */
export async function anyRunSpec(manifests) {
  const servers = await readServers();
  const { engine_latches: latches } = await contract();
  return fc.constantFrom(...manifests).chain((manifest) =>
    fc.integer({ min: 1, max: 5000 }).chain((durationUs) => {
      const durationS = durationUs / 1e6;
      return fc.record(
        {
          scenario: fc.constant(manifest.id),
          platform: fc.constant('virtual'),
          duration_s: fc.constant(durationS),
          events_max: fc.integer({ min: 1, max: 100_000 }),
          design: designOf(manifest),
          threads: within(1, 128),
          seed: fc.nat(),
          interval_s: fc.constantFrom(0.001, 0.0025, 1),
          parameters: rangesOf(manifest.parameters),
          server: fc
            .record(
              { based_on: fc.constantFrom(...servers.servers.map(({ id }) => id)) },
              { requiredKeys: ['based_on'] },
            )
            .chain((base) => rangesOf(servers.fields).map((values) => ({ ...base, ...values }))),
          stack_samples: stackSamples,
          what_if: whatIf(servers.fields, latches),
          actions: inTheirOrder(fc.array(stepOf(manifest, durationS), { maxLength: 6 })),
        },
        { requiredKeys: ['scenario', 'platform', 'duration_s', 'events_max'] },
      );
    }),
  );
}

/** @returns {Promise<string | null>} null if the engine refused the combination of values */
async function runOrRefusal(folder, spec) {
  try {
    return await runNativelyAsText(folder, spec, { quiet: true });
  } catch (error) {
    if (error instanceof CommandFailed && error.outcome === EXIT.badUsage) return null;
    throw error;
  }
}

async function isSame(spec, native, runAgain) {
  const first = await runOrRefusal(native, spec);
  if (first === null) return;
  assert.deepEqual(brokenInvariants(JSON.parse(first)), []);
  assert.equal((await runAgain()).trim(), first.trim());
}

export default {
  async withContext(use) {
    const native = await buildCommandLine('virtual');
    const wasm = await buildWasm('virtual');
    await use({ native, wasm, spec: await anyRunSpec(await readManifests()) });
  },
  attacks: [
    {
      name: 'run natively, twice',
      inputs: 300,
      input: ({ spec }) => spec,
      withstands: (spec, { native }) => isSame(spec, native, () => runNativelyAsText(native, spec)),
    },
    {
      name: 'run natively and in WebAssembly',
      inputs: 100,
      input: ({ spec }) => spec,
      withstands: (spec, { native, wasm }) => isSame(spec, native, () => runInNode(wasm, spec)),
    },
  ],
};
