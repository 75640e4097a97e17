// npm run attack: passes hostile and random inputs to every entry point of Latchscope. Each area
// states what must hold for all of its inputs. An input that breaks it is shrunk and printed with
// the seed that repeats it. Exits with 1 if an attack succeeded.
//   npm run attack [-- --only AREA[,AREA ...]] [--seed N] [--inputs N] [--minutes N] [--json FILE]
//   --only     attacks only these areas (research/attack); default: all
//   --seed     seeds the generators; default: a fixed seed (docs/explanation/reliability.md)
//   --inputs   tries this number of inputs per attack instead of the attack's own number
//   --minutes  limits the time per area; default: 10. The output marks attacks that were cut short.
//   --json     writes the outcomes as JSON to this file
import { integerOf, namesOf, readArguments } from '../command-line.mjs';
import { requireWritable, writeWhole } from '../files.mjs';
import { ensureNodeModules } from '../setup/index.mjs';

/** The attacked areas, in the order in which they run. Each module exports an Area (run.mjs). */
const areas = {
  'run-specs': () => import('../../research/attack/run-specs.mjs'),
  memory: () => import('../../research/attack/memory.mjs'),
  links: () => import('../../research/attack/links.mjs'),
  'result-files': () => import('../../research/attack/result-files.mjs'),
  server: () => import('../../research/attack/server.mjs'),
  'command-line': () => import('../../research/attack/command-line.mjs'),
  'spec-files': () => import('../../research/attack/spec-files.mjs'),
  'outputs-and-signals': () => import('../../research/attack/outputs-and-signals.mjs'),
  tools: () => import('../../research/attack/tools.mjs'),
  'built-programs': () => import('../../research/attack/built-programs.mjs'),
  'latch-lab': () => import('../../research/attack/latch-lab.mjs'),
  workloads: () => import('../../research/attack/workloads.mjs'),
  imports: () => import('../../research/attack/imports.mjs'),
  cache: () => import('../../research/attack/cache.mjs'),
  'page-automation': () => import('../../research/attack/page-automation.mjs'),
  offline: () => import('../../research/attack/offline.mjs'),
};

const SEED_DEFAULT = 20261122;
const MINUTES_DEFAULT = 10;

function boundsFrom(args) {
  const { values } = readArguments(args, {
    only: { type: 'string' },
    seed: { type: 'string', default: String(SEED_DEFAULT) },
    inputs: { type: 'string' },
    minutes: { type: 'string', default: String(MINUTES_DEFAULT) },
    json: { type: 'string' },
  });
  if (values.json !== undefined) requireWritable('--json', values.json);
  return {
    names: namesOf('--only', values.only, Object.keys(areas)),
    seed: integerOf('seed', values.seed, { min: 0, max: 2 ** 31 - 1 }),
    inputs:
      values.inputs === undefined
        ? undefined
        : integerOf('inputs', values.inputs, { min: 1, max: 1_000_000 }),
    minutes: integerOf('minutes', values.minutes, { min: 1, max: 600 }),
    json: values.json,
  };
}

export async function main(args) {
  const { names, json, ...bounds } = boundsFrom(args);
  await ensureNodeModules();
  // Imported here: npm packages may not be installed yet.
  const { asTable, attackArea } = await import('../../research/attack/run.mjs');
  const outcomes = [];
  for (const name of names) {
    console.log(`\n== ${name}`);
    const { default: area } = await areas[name]();
    outcomes.push(...(await attackArea(name, area, bounds)));
  }
  console.log(`\n${asTable(outcomes)}`);
  if (json !== undefined) writeWhole(json, `${JSON.stringify(outcomes, null, 2)}\n`);
  const failed = outcomes.filter(({ failure }) => failure !== null).length;
  console.log(`\nattacks: ${outcomes.length - failed} withstood, ${failed} failed; seed ${bounds.seed}`);
  process.exitCode = failed > 0 ? 1 : 0;
}
