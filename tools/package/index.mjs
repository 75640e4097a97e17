// The functions of the npm package (api.d.ts).
import { runBatch } from '../batch.mjs';
import { runChecks, runExperiment } from '../experiments.mjs';
import { inWorker } from './engine-workers.mjs';

const complete = (spec) => ({ version: 1, ...spec, platform: 'virtual' });

export async function run(spec, options) {
  return JSON.parse(await inWorker({ kind: 'run', spec: complete(spec) }, options));
}

export async function explain(spec, { transaction = 'slowest', blame = false, ...options } = {}) {
  const task = { kind: 'explain', spec: complete(spec), wanted: { transaction, blame } };
  return JSON.parse(await inWorker(task, options));
}

export const compare = (input, options) => runExperiment('comparison', complete(input), options);

export const sweep = (input, options) => runExperiment('sweep', complete(input), options);

export const check = (checks, options) => runChecks({ version: 1, ...checks }, options);

export async function whatIf(spec, points, { seeds = 1, signal, onProgress } = {}) {
  const first = spec.seed ?? 1;
  const tasks = points.flatMap(({ whatIf: change }) =>
    Array.from({ length: seeds }, (_, seed) => ({
      kind: 'outcome',
      spec: complete({ ...spec, seed: first + seed, ...(change === undefined ? {} : { what_if: change }) }),
    })),
  );
  const texts = await runBatch(tasks, inWorker, { signal, onProgress });
  const runs = texts.map((text) => JSON.parse(text));
  const study = {
    version: 1,
    spec: runs[0]?.spec ?? complete(spec),
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
