// Runs what scenarios/*/front-run.json say, on the virtual server, and writes what came out into the same files: the curves
// and figures on the cards of the start page. The server is deterministic: they are the same wherever this is run.
//   npm run front-page-runs -- --check | --update
//   --check    ends with 1 if the files do not say what comes out
//   --update   writes it into them
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { buildCommandLine } from '../builds.mjs';
import { readArguments } from '../command-line.mjs';
import { fault, oneOf } from '../field-faults.mjs';
import { writeFormatted } from '../files.mjs';
import { brokenInvariants, runNatively } from '../native-engine.mjs';
import { repository, UsageError } from '../processes.mjs';
import { MEASURES } from '../reproduce/measures.mjs';
import { rounded } from '../reproduce/table.mjs';
import { readChecked } from '../scenario-files.mjs';
import { readManifests } from '../scenario-manifests.mjs';
import { ensureNodeModules } from '../setup/index.mjs';

const SCENARIOS = join(repository, 'scenarios');

const fileOf = ({ id }) => `scenarios/${id}/front-run.json`;

/** The file of a scenario, checked. */
export function readFrontRun(manifest) {
  const file = fileOf(manifest);
  return readChecked('front-run', join(repository, file), file, (front_run) =>
    faultsBeyondSchema(manifest, front_run),
  );
}

/** Names that must exist elsewhere. */
export function faultsBeyondSchema({ reported, designs }, { runs, figures }) {
  const figure_ids = reported.map(({ id }) => id);
  const design_ids = Object.keys(designs);
  return [
    ...figures.reported
      .filter((id) => !figure_ids.includes(id))
      .map((id) => fault('figures.reported', id, oneOf(figure_ids))),
    ...figures.here
      .filter(({ run }) => runs[run] === undefined)
      .map(({ run }) => fault('figures.here.run', run, `0 to ${runs.length - 1}`)),
    ...runs
      .filter(({ spec }) => typeof spec.design === 'string' && !design_ids.includes(spec.design))
      .map(({ spec }) => fault('runs.spec.design', spec.design, oneOf(design_ids))),
  ];
}

/** The same with what comes out of its runs. */
export async function runFrontPage(engine, manifest, { runs, figures, ...rest }) {
  const results = [];
  for (const { title, spec } of runs) {
    const result = await runNatively(engine, {
      scenario: manifest.id,
      platform: 'virtual',
      seed: 1,
      ...spec,
    });
    const broken = brokenInvariants(result);
    if (broken.length > 0) throw new Error(`${manifest.id}, ${title}: ${broken.join('; ')}`);
    results.push(result);
  }
  return {
    ...rest,
    runs: runs.map((run, i) => ({ ...run, intervals: curveOf(results[i], run.spec) })),
    figures: {
      ...figures,
      here: figures.here.map(({ run, measure }) => {
        return { run, measure, value: rounded(MEASURES[measure.kind](results[run], measure)) };
      }),
    },
  };
}

/** Without what is left at the end of the run, when clients finish their last transactions and start no other. */
function curveOf({ intervals }, { duration_s, interval_s }) {
  const slack_s = interval_s / 4;
  return intervals
    .filter(({ t_s }, i) => {
      const length_s = t_s - (intervals[i - 1]?.t_s ?? 0);
      return t_s <= duration_s + slack_s && Math.abs(length_s - interval_s) <= slack_s;
    })
    .map(shortInterval);
}

const shortInterval = ({ t_s, tps }) => ({ t_s: rounded(t_s), tps: Math.round(tps) });

export async function main(args) {
  const { values } = readArguments(args, {
    check: { type: 'boolean', default: false },
    update: { type: 'boolean', default: false },
  });
  if (values.check === values.update)
    throw new UsageError('npm run front-page-runs: allowed: either --check or --update');
  await ensureNodeModules();
  const manifests = (await readManifests(SCENARIOS)).filter((manifest) =>
    existsSync(join(repository, fileOf(manifest))),
  );
  const engine = await buildCommandLine('virtual');
  for (const manifest of manifests) {
    const stated = await readFrontRun(manifest);
    const found = await runFrontPage(engine, manifest, stated);
    const is_same = JSON.stringify(found) === JSON.stringify(stated);
    const figures = found.figures.here.map(({ value }) => value).join(' -> ');
    console.log(`${is_same ? 'same   ' : 'differs'} ${manifest.id}: ${figures} ${found.figures.unit}`);
    if (values.check && !is_same) process.exitCode = 1;
    if (values.update && !is_same)
      await writeFormatted(join(repository, fileOf(manifest)), JSON.stringify(found, null, 2));
  }
  if (process.exitCode === 1) {
    console.log('If the engine was meant to change: npm run front-page-runs -- --update');
  }
}
