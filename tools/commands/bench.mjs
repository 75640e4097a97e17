// npm run bench: measures speed, as ratios within one run and medians over interleaved rounds. It
// never fails: it prints each measured value beside its target.
//   npm run bench [-- --only NAME[,NAME ...]] [--rounds N] [--seconds N] [--quick] [--json FILE]
//   --only     runs only these benchmarks; default: all
//   --rounds   sets the number of rounds; default: 5
//   --seconds  sets the length of a round; default: 2
//   --quick    defaults to one round of a second, to check that everything can be measured
//   --json     writes the results as JSON to this file
import { measure as batch } from '../../research/bench/batch.mjs';
import { measure as checks } from '../../research/bench/checks.mjs';
import { measure as designs } from '../../research/bench/designs.mjs';
import { measure as engineInBrowser } from '../../research/bench/engine-in-browser.mjs';
import { measure as latches } from '../../research/bench/latches.mjs';
import { measure as pageFrames } from '../../research/bench/page-frames.mjs';
import { measure as pageLoad } from '../../research/bench/page-load.mjs';
import { measure as rewind } from '../../research/bench/rewind.mjs';
import { measure as telemetryCost } from '../../research/bench/telemetry-cost.mjs';
import { measure as virtualServer } from '../../research/bench/virtual-server.mjs';
import { measure as workloadFiles } from '../../research/bench/workload-files.mjs';
import { integerOf, namesOf, readArguments } from '../command-line.mjs';
import { requireWritable, writeWhole } from '../files.mjs';

const benches = {
  designs,
  engine: engineInBrowser,
  telemetry: telemetryCost,
  frames: pageFrames,
  load: pageLoad,
  virtual: virtualServer,
  batch,
  latches,
  checks,
  rewind,
  workloads: workloadFiles,
};

function boundsFrom(args) {
  const { values } = readArguments(args, {
    only: { type: 'string' },
    quick: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    json: { type: 'string' },
  });
  if (values.json !== undefined) requireWritable('--json', values.json);
  const usual = values.quick ? { rounds: '1', seconds: '1' } : { rounds: '5', seconds: '2' };
  return {
    names: namesOf('--only', values.only, Object.keys(benches)),
    rounds: integerOf('rounds', values.rounds ?? usual.rounds, { min: 1, max: 100 }),
    seconds: integerOf('seconds', values.seconds ?? usual.seconds, { min: 1, max: 600 }),
    json: values.json,
  };
}

const number = (value) => (Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3));

function describe(value) {
  if (typeof value === 'number') return number(value);
  if (typeof value === 'string') return value;
  return `${number(value.median)} (${number(value.min)} to ${number(value.max)})`;
}

function print({ measure, ...figures }) {
  console.log(measure);
  for (const [name, value] of Object.entries(figures))
    console.log(`    ${name.padEnd(9)} ${describe(value)}`);
}

export async function main(args) {
  const { names, rounds, seconds, json } = boundsFrom(args);
  const results = {};
  for (const name of names) {
    console.log(`\n== ${name}: medians (smallest to largest) of ${rounds} rounds of ${seconds} s`);
    results[name] = await benches[name]({ rounds, seconds });
    results[name].forEach(print);
  }
  if (json !== undefined) writeWhole(json, `${JSON.stringify(results, null, 2)}\n`);
}
