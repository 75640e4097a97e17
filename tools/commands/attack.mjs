// npm run attack: hostile and random inputs for every entry point of Latchscope. Each area states what must
// hold for all of its inputs. An input that breaks it is made as small as possible and printed with the
// command that repeats it. Exits with 1 if there is one.
//   npm run attack [-- --only area[,area ...]] [--seed N] [--inputs N] [--minutes N] [--json FILE]
//   --seed     of the generators; default: the day's seed (docs/explanation/reliability.md)
//   --inputs   for each attack, instead of its usual number
//   --minutes  limit for each area; an attack that is cut short says so
import { areas } from '../attack/areas.mjs';
import { integerOf, namesOf, readArguments } from '../command-line.mjs';
import { requireWritable, writeWhole } from '../files.mjs';
import { ensureNodeModules } from '../setup/index.mjs';

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
  const { asTable, attackArea } = await import('../attack/run.mjs'); // Not before the npm packages are installed.
  const outcomes = [];
  for (const name of names) {
    console.log(`\n== ${name}`);
    const { default: area } = await areas[name]();
    outcomes.push(...(await attackArea(name, area, bounds)));
  }
  console.log(`\n${asTable(outcomes)}`);
  if (json !== undefined) writeWhole(json, `${JSON.stringify(outcomes, null, 2)}\n`);
  const failed = outcomes.filter(({ failure }) => failure !== null).length;
  console.log(`\nattacks: ${outcomes.length - failed} withstood, ${failed} not; seed ${bounds.seed}`);
  process.exitCode = failed > 0 ? 1 : 0;
}
