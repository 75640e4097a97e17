// npm run bench: speed, as ratios within one run and medians over interleaved rounds. Nothing here fails: it prints what it
// measured beside what is aimed at.
//   npm run bench [-- --only name[,name ...]] [--rounds N] [--seconds N] [--quick] [--json FILE]
// --quick: one round of a second, to see that everything can be measured.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

import { measure as designs } from './bench/designs.mjs';
import { measure as engineInBrowser } from './bench/engine-in-browser.mjs';
import { measure as pageFrames } from './bench/page-frames.mjs';
import { measure as pageLoad } from './bench/page-load.mjs';
import { measure as telemetryCost } from './bench/telemetry-cost.mjs';
import { measure as virtualServer } from './bench/virtual-server.mjs';
import { exitWith } from './build.mjs';
import { UsageError } from './processes.mjs';

const benches = {
  designs,
  engine: engineInBrowser,
  telemetry: telemetryCost,
  frames: pageFrames,
  load: pageLoad,
  virtual: virtualServer,
};

function integerOption(name, text, max) {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > max) {
    throw new UsageError(`--${name}: got ${text}; allowed: an integer from 1 to ${max}`);
  }
  return value;
}

function readArguments() {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', default: Object.keys(benches).join(',') },
      quick: { type: 'boolean', default: false },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      json: { type: 'string' },
    },
  });
  const names = values.only.split(',');
  for (const name of names) {
    if (!(name in benches))
      throw new UsageError(`--only: got ${name}; allowed: ${Object.keys(benches).join(', ')}`);
  }
  const usual = values.quick ? { rounds: '1', seconds: '1' } : { rounds: '5', seconds: '2' };
  const rounds = integerOption('rounds', values.rounds ?? usual.rounds, 100);
  const seconds = integerOption('seconds', values.seconds ?? usual.seconds, 600);
  return { names, rounds, seconds, json: values.json };
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

try {
  const { names, rounds, seconds, json } = readArguments();
  const results = {};
  for (const name of names) {
    console.log(`\n== ${name}: medians (smallest to largest) of ${rounds} rounds of ${seconds} s`);
    results[name] = await benches[name]({ rounds, seconds });
    results[name].forEach(print);
  }
  if (json) writeFileSync(json, `${JSON.stringify(results, null, 2)}\n`);
} catch (error) {
  exitWith(error);
}
