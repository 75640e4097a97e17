// @ts-check
// Generates the lists of latches:
// - scenarios/latches.json: the latches of each scenario's server. It runs the engine with each variant
//   of each knob, with all actions. The runs in scenarios/determinism.json count too.
// - web/contract/engine-latches.ts: the engine's latches and the functions that acquire each.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { buildCommandLine } from './builds.mjs';
import { EngineRuns } from './engine-runs.mjs';
import { formatted } from './files.mjs';
import { commandOutput, repository } from './processes.mjs';
import { readManifests, SCENARIOS } from './scenario-manifests.mjs';

export const ENGINE_LATCHES = join(repository, 'web/contract/engine-latches.ts');
export const SCENARIO_LATCHES = join(SCENARIOS, 'latches.json');
/** The duration of a run in seconds, if the manifest does not say how long the bug needs. */
const DURATION_S = 0.05;

/** @returns {Promise<string>} the new content of the file */
export async function scenarioLatches() {
  const runs = EngineRuns.on({ virtual: await buildCommandLine('virtual') });
  const stored = JSON.parse(readFileSync(join(SCENARIOS, 'determinism.json'), 'utf8')).scenarios;
  const manifests = await readManifests();
  const entries = await Promise.all(
    manifests.map(async (manifest) => {
      const specs = [...coveringSpecs(manifest), ...storedSpecs(stored[manifest.id])];
      const outcomes = await Promise.all(specs.map((spec) => runs.once('virtual', spec)));
      const taken = outcomes.flatMap(({ result }) => result.latches.map(({ latch }) => latch));
      return [manifest.id, [...new Set(taken)].sort()];
    }),
  );
  return formatted(SCENARIO_LATCHES, JSON.stringify(Object.fromEntries(entries)));
}

/**
 * @param {any} stored
 * @returns {any[]}
 */
const storedSpecs = (stored) => Object.values(stored?.runs ?? {}).map(({ spec }) => spec);

/**
 * Returns a run for each variant of each knob.
 * @param {any} manifest
 * @returns {any[]}
 */
function coveringSpecs(manifest) {
  const durationS = manifest.comparison?.virtual?.duration_s ?? DURATION_S;
  const { actions, knobs, id } = manifest;
  const timed = actions.map((action, place) => ({
    at_s: (durationS * (place + 1)) / (actions.length + 1),
    action: action.id,
  }));
  const turned = knobs.flatMap((knob) =>
    knob.variants
      .filter(({ needs }) => needs === undefined)
      .map((variant) => ({ ...manifest.designs.original, [knob.id]: variant.id })),
  );
  return turned.map((design) => ({
    ...{ version: 1, scenario: id, platform: 'virtual', design, duration_s: durationS },
    ...{ actions: timed },
  }));
}

/**
 * @param {string} ofScenarios the new content of scenarios/latches.json
 * @returns {Promise<string>} the new content of web/contract/engine-latches.ts
 */
export async function engineLatches(ofScenarios) {
  const program = join(await buildCommandLine('virtual'), 'latchscope');
  const latches = await commandOutput(program, ['latches', '--json']);
  const text = `// Written by npm run contract -- --update, from the latch sites of the engine. Do not edit.
/** The functions that take each latch. */
export const engine_latches = ${latches.trim()} as const;
/** The latches that each scenario's server has, as scenarios/latches.json has them for the engine. */
export const scenario_latches: Record<string, readonly string[]> = ${ofScenarios.trim()};
`;
  return formatted(ENGINE_LATCHES, text);
}
