// The recorded courses of the stages, from the runs in scenarios/*/stage.json.
import { join } from 'node:path';

import { fault, oneOf } from '../../tools/field-faults.mjs';
import { readChecked } from '../../tools/scenario-files.mjs';
import { SCENARIOS } from '../../tools/scenario-manifests.mjs';
import { recordOnPage } from './recordings.mjs';

export const engines = ['wasm'];
export const fileOf = ({ id }) => `scenarios/${id}/stage.json`;

export const read = (manifest) =>
  readChecked('stage', join(SCENARIOS, manifest.id, 'stage.json'), fileOf(manifest), (stage) =>
    faultsBeyondSchema(manifest, stage),
  );

/** Checks names that must exist in the manifest, and the order of the steps. */
export function faultsBeyondSchema({ actions, designs }, stage) {
  const actionIds = actions.map(({ id }) => id);
  const { steps, duration_s: endS } = stage.course;
  const { break: broken, spec } = stage;
  return [
    ...['actions', 'actions_again'].flatMap((field) =>
      (broken[field] ?? [])
        .filter((id) => !actionIds.includes(id))
        .map((id) => fault(`break.${field}`, id, oneOf(actionIds))),
    ),
    ...(Object.hasOwn(designs, spec.design)
      ? []
      : [fault('spec.design', spec.design, oneOf(Object.keys(designs)))]),
    ...steps.flatMap(({ at_s: atS }, i) => {
      const beforeS = steps[i - 1]?.at_s ?? 0;
      const allowed = `above ${beforeS}, and below ${endS}`;
      return atS > beforeS && atS < endS ? [] : [fault(`course.steps[${i}].at_s`, atS, allowed)];
    }),
    ...[...stage.numbers, ...stage.notes]
      .filter(({ after }) => after > steps.length)
      .map(({ after }) => fault('after', after, `0 to ${steps.length}: the number of a step`)),
  ];
}

export async function find({ id }, story, runs) {
  const { spec, course, numbers } = await recordOnPage('web/features/stage/for-tools.ts', ({ recordStage }) =>
    recordStage(id, story),
  );
  runs.recorded = { course: { spec } };
  return { lines: numbers, faults: [], figures: course };
}

export const closing = (all) => `stage: the courses of ${all.length} bugs`;
