// The recorded runs of the lessons, from the tasks in scenarios/*/lesson.md. The slides show them while
// the engine still computes.
import { textOf } from './stored-results.mjs';
import { recordOnPage } from './recordings.mjs';

export const engines = ['wasm'];
export const fileOf = ({ id }) => `scenarios/${id}/lesson.md`;

/** The page's build checks the lesson. */
export const read = async (manifest) => textOf(fileOf(manifest));

export async function find({ id }, lesson, runs) {
  const { specs, courses } = await recordOnPage('web/features/presenter/for-tools.ts', ({ recordLesson }) =>
    recordLesson(id),
  );
  for (const [index, spec] of specs.entries()) runs.recorded[`run_${index + 1}`] = { run: { spec } };
  const lines = specs.map(({ duration_s }, index) => `run ${index + 1}: ${duration_s} s`);
  return { lines, faults: [], figures: { courses } };
}

export const closing = (all) => `lesson: the recorded runs of ${all.length} lessons`;
