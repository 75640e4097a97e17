// Converts the judgement of an attempt to the report formats of other programs: JUnit XML, and
// results.json of Gradescope (https://gradescope-autograders.readthedocs.io/en/latest/specs/).
import { moduleOfPage } from './page-module.mjs';

/** @type {() => Promise<typeof import('../web/analysis/lab-exercise-words')>} */
const words = moduleOfPage('web/analysis/lab-exercise-words.ts');

const POINTS_PER_CHECK = 1;
const NOT_JUDGED = 'Not judged.';

/**
 * @typedef {import('../web/contract/lab-exercise').LabExercise} LabExercise
 * @typedef {{ judgement: import('../web/contract/lab-results.ts').Judgement } | { refused: string }} Outcome
 *   `refused`: why the attempt cannot be judged, such as its compile errors
 */

/**
 * Formats a report with one test for each check of the exercise.
 * @param {LabExercise} exercise
 * @param {Outcome} outcome
 * @returns {Promise<string>}
 */
export async function junitReport(exercise, { judgement, refused }) {
  // Imported here: npm packages may not be installed yet.
  const { junitXml } = await import('./junit.mjs');
  const names = await namesOfChecks(exercise);
  const tests = names.map((name, i) => {
    const test = { name, className: exercise.id };
    if (refused !== undefined) return { ...test, error: refused };
    const { holds, sentence } = judgement.checks[i];
    return { ...test, [holds ? 'output' : 'failure']: sentence };
  });
  return junitXml({ name: exercise.id, tests });
}

/**
 * Formats results.json. Each check is a test, and all checks are worth the same. Gradescope hides
 * standard output from students, because it repeats the tests.
 * @param {LabExercise} exercise
 * @param {Outcome} outcome
 * @returns {Promise<string>}
 */
export async function gradescopeReport(exercise, { judgement, refused }) {
  const names = await namesOfChecks(exercise);
  const tests = names.map((name, i) => {
    const { holds, sentence } = judgement?.checks[i] ?? { holds: false, sentence: NOT_JUDGED };
    return {
      name,
      status: holds ? 'passed' : 'failed',
      score: holds ? POINTS_PER_CHECK : 0,
      max_score: POINTS_PER_CHECK,
      output: sentence,
      visibility: 'visible',
    };
  });
  const report = {
    score: tests.reduce((sum, { score }) => sum + score, 0),
    ...(refused === undefined ? {} : { output: refused }),
    visibility: 'visible',
    stdout_visibility: 'hidden',
    tests,
  };
  return `${JSON.stringify(report, null, 2)}\n`;
}

/** Returns what each check requires, as the page lists it. */
async function namesOfChecks({ checks }) {
  const { wantedBy } = await words();
  return checks.map(wantedBy);
}
