// Judges a latch by the checks of an exercise, for `latchscope lab judge`.
// web/analysis/lab-judgement.ts decides which runs the checks need and what their outcomes mean.
// The native engine executes the runs.

import { engineProgram } from './engine-program.mjs';
import { labLanguage } from './lab-language.mjs';
import { optionsOf } from './lab-contests.mjs';
import { sourceOfLatch } from './lab-latches.mjs';
import { runForJson } from './native-engine.mjs';
import { moduleOfPage } from './page-module.mjs';
import { readManifests } from './scenario-manifests.mjs';

/** @type {() => Promise<typeof import('../web/analysis/lab-judgement')>} */
const labJudgement = moduleOfPage('web/analysis/lab-judgement.ts');

/**
 * @param {import('../web/contract/lab-exercise').LabExercise} exercise
 * @param {import('../web/analysis/lab-judgement').Written} attempt
 * @returns {Promise<import('../web/contract/lab-results.ts').Judgement>}
 */
export async function judgeAttempt(exercise, attempt) {
  const { compile } = await labLanguage();
  const { judge, partOfWorkload, runsOf, ATTEMPT } = await labJudgement();
  const start = { source: exercise.start, program: compile(exercise.start).program };
  const engine = await engineProgram();
  const programOf = (latch) => {
    if (latch === ATTEMPT) return attempt.program;
    return latch === 'start' ? start.program : compile(sourceOfLatch(latch)).program;
  };
  const outcomeOfWorkload = async (run) => {
    const { scenario } = run.workload;
    const written = run.latch === ATTEMPT ? attempt : start;
    const part = partOfWorkload(run, await manifestOf(scenario), run.isWithLatch ? written : null);
    const spec = { version: 1, scenario, platform: 'virtual', ...part };
    const { json, refused } = await runForJson(engine, ['run', '--spec', '-'], JSON.stringify(spec));
    return refused === undefined ? json : { refused };
  };
  const outcomes = new Map();
  for (const run of runsOf(exercise.checks)) {
    const outcome =
      run.kind === 'workload' ? outcomeOfWorkload(run) : outcomeOf(engine, run, programOf(run.latch));
    outcomes.set(run.id, await outcome);
  }
  return judge(exercise, attempt, start, outcomes);
}

async function manifestOf(scenario) {
  const manifests = await readManifests();
  return manifests.find(({ id }) => id === scenario);
}

async function outcomeOf(engine, run, program) {
  const options =
    run.kind === 'check' ? Object.entries(run.options).flatMap(optionOfCheck) : optionsOf(run.contest);
  const action = run.kind === 'check' ? 'check' : 'bench';
  const { json, refused } = await runForJson(
    engine,
    ['lab', action, '-', ...options],
    JSON.stringify(program),
  );
  if (refused !== undefined) return { refused };
  return run.kind === 'check' ? json : json.contests[0];
}

/** Converts an option of a check to command-line arguments. */
const optionOfCheck = ([name, value]) => {
  if (name !== 'starvation') return [`--${name}`, `${value}`];
  return value ? [] : ['--no-starvation'];
};
