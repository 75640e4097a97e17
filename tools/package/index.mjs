// The functions of the npm package (api.d.ts).
import { runBatch } from '../batch.mjs';
import { runChecks, runExperiment } from '../experiments.mjs';
import { usageError } from '../command-line.mjs';
import { isWorkloadFile, withCompiledWorkload, withRunSpecs } from '../workload-file.mjs';
import { inWorker } from './engine-workers.mjs';

const complete = async (spec) => ({ version: 1, ...(await compiled(spec)), platform: 'virtual' });

/** Compiles the workload if it is a text. The functions read no files. */
function compiled(spec, place = '') {
  const scenario = spec?.scenario;
  if (isWorkloadFile(scenario))
    throw usageError(`${place}scenario`, scenario, 'the id of a bug; workload takes the text of a file');
  return withCompiledWorkload(spec, `${place}workload`);
}

export async function run(spec, options) {
  return JSON.parse(await inWorker({ kind: 'run', spec: await complete(spec) }, options));
}

export async function explain(spec, { transaction = 'slowest', blame = false, ...options } = {}) {
  const task = { kind: 'explain', spec: await complete(spec), wanted: { transaction, blame } };
  return JSON.parse(await inWorker(task, options));
}

export const compare = async (input, options) => runExperiment('comparison', await complete(input), options);

export const sweep = async (input, options) => runExperiment('sweep', await complete(input), options);

export async function check(checks, options) {
  const document = await withRunSpecs(checks, async (spec, field) => compiled(spec, `${field}.`));
  return runChecks({ version: 1, ...document }, options);
}

export async function whatIf(given, points, { seeds = 1, signal, onProgress } = {}) {
  const spec = await complete(given);
  const first = spec.seed ?? 1;
  const tasks = points.flatMap(({ whatIf: change }) =>
    Array.from({ length: seeds }, (_, seed) => ({
      kind: 'outcome',
      spec: { ...spec, seed: first + seed, ...(change === undefined ? {} : { what_if: change }) },
    })),
  );
  const texts = await runBatch(tasks, inWorker, { signal, onProgress });
  const runs = texts.map((text) => JSON.parse(text));
  const study = {
    version: 1,
    spec: runs[0]?.spec ?? spec,
    seeds,
    from_s: 0,
    points: points.map(({ name, whatIf: change }) => ({
      name,
      ...(change === undefined ? {} : { what_if: change }),
      runs: runs.splice(0, seeds).map(({ outcome }) => outcome),
    })),
  };
  return JSON.parse(await inWorker({ kind: 'report', study }, { signal }));
}
