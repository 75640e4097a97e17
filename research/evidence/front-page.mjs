// The curves and figures on the cards of the start page, from the runs in
// scenarios/*/front-run.json.
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { fault, oneOf } from '../../tools/field-faults.mjs';
import { readChecked } from '../../tools/scenario-files.mjs';
import { SCENARIOS } from '../../tools/scenario-manifests.mjs';
import { labelsOf, readReproduction } from '../reproduce/read.mjs';
import { rounded } from '../reproduce/table.mjs';

export const engines = ['virtual'];
export const fileOf = ({ id }) => `scenarios/${id}/front-run.json`;

/** The checked file of a scenario; null if it has none. */
export async function read(manifest) {
  const file = fileOf(manifest);
  const path = join(SCENARIOS, manifest.id, 'front-run.json');
  if (!existsSync(path)) return null;
  const labels = labelsOf(await readReproduction(SCENARIOS, manifest), manifest);
  return readChecked('front-run', path, file, (frontRun) => faultsBeyondSchema(manifest, labels, frontRun));
}

/** Checks names that must exist in other files. */
export function faultsBeyondSchema({ reported, designs }, labels, { runs, figures }) {
  const figureIds = reported.map(({ id }) => id);
  const designIds = Object.keys(designs);
  return [
    ...figures.reported
      .filter((id) => !figureIds.includes(id))
      .map((id) => fault('figures.reported', id, oneOf(figureIds))),
    ...figures.here
      .filter((label) => !labels.includes(label))
      .map((label) => fault('figures.here', label, `a label of reproduction.json: ${oneOf(labels)}`)),
    ...runs
      .filter(({ spec }) => typeof spec.design === 'string' && !designIds.includes(spec.design))
      .map(({ spec }) => fault('runs.spec.design', spec.design, oneOf(designIds))),
  ];
}

export async function find(_, { runs: stated }, runs) {
  const results = (await Promise.all(stated.map(({ title, spec }) => runs.virtual(title, spec)))).flat();
  const curves = results.map((result, i) => curveOf(result, stated[i].spec));
  const points = curves.map((curve) => `${curve.length} points`).join(', ');
  return { lines: [points], faults: [], figures: { curves } };
}

/** Leaves out the last interval if it is shorter than the others. */
function curveOf({ intervals }, { interval_s }) {
  return intervals
    .filter(({ seconds }) => Math.abs(seconds - interval_s) <= interval_s / 4)
    .map(({ t_s, tps, latency_ms }) => ({
      t_s: rounded(t_s),
      tps: Math.round(tps),
      latency_ms: latenciesOf(latency_ms),
    }));
}

const latenciesOf = ({ p50, p95, p99, max }) => ({
  p50: rounded(p50),
  p95: rounded(p95),
  p99: rounded(p99),
  max: rounded(max),
});

export const closing = (all) => `front page: the runs of ${all.length} cards`;
