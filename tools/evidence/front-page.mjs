// The curves and figures on the cards of the start page, from the runs in scenarios/*/front-run.json.
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { fault, oneOf } from '../field-faults.mjs';
import { MEASURES } from '../reproduce/measures.mjs';
import { rounded } from '../reproduce/table.mjs';
import { readChecked } from '../scenario-files.mjs';
import { SCENARIOS } from '../scenario-manifests.mjs';

export const engines = ['virtual'];
export const fileOf = ({ id }) => `scenarios/${id}/front-run.json`;

/** The checked file of a scenario; null if it has none. */
export async function read(manifest) {
  const file = fileOf(manifest);
  const path = join(SCENARIOS, manifest.id, 'front-run.json');
  if (!existsSync(path)) return null;
  return readChecked('front-run', path, file, (front_run) => faultsBeyondSchema(manifest, front_run));
}

/** Checks names that must exist in other files. */
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

export async function find(_, { runs: stated, figures: { here, unit } }, runs) {
  const results = (await Promise.all(stated.map(({ title, spec }) => runs.virtual(title, spec)))).flat();
  const values = here.map(({ run, measure }) => rounded(MEASURES[measure.kind](results[run], measure)));
  return {
    lines: [`${values.join(' -> ')} ${unit}`],
    faults: [],
    figures: { here: values, curves: results.map((result, i) => curveOf(result, stated[i].spec)) },
  };
}

/** Without the end of the run, when clients finish their last transaction and start no other. */
function curveOf({ intervals }, { duration_s, interval_s }) {
  const slack_s = interval_s / 4;
  return intervals
    .filter(({ t_s }, i) => {
      const length_s = t_s - (intervals[i - 1]?.t_s ?? 0);
      return t_s <= duration_s + slack_s && Math.abs(length_s - interval_s) <= slack_s;
    })
    .map(({ t_s, tps }) => ({ t_s: rounded(t_s), tps: Math.round(tps) }));
}

export const closing = (all) => `front page: the runs of ${all.length} cards`;
