// @ts-check
// Runs comparisons, sweeps and checks without the page. web/features/experiments plans and evaluates
// them for the page, too.
import { createHash } from 'node:crypto';

import { runBatch } from './batch.mjs';
import { declaredCounters } from './engine-counters.mjs';
import { EngineFailed } from './native-engine.mjs';
import { moduleOfPage } from './page-module.mjs';
import { UsageError } from './processes.mjs';
import { runSpec } from './run-spec.mjs';

/** @typedef {{ signal?: AbortSignal, onProgress?: (done: number) => void }} Options */
/** @typedef {import('../web/contract/fault').Fault} Fault */

/** @type {() => Promise<typeof import('../web/features/experiments/for-tools')>} */
const experimentsOfPage = moduleOfPage('web/features/experiments/for-tools.ts', { withScenarios: true });

/** An input has errors. The message has a line for each. */
export class RefusedInput extends UsageError {
  /** @param {readonly Fault[]} faults */
  constructor(faults) {
    super(
      faults.map(({ field, value, allowed }) => `${field}: got ${value}; allowed: ${allowed}`).join('\n'),
    );
    this.faults = faults;
  }
}

/**
 * Runs a comparison or a sweep to its end. Throws a RefusedInput that lists all errors of the input.
 * @param {import('../web/contract/experiment-plan').ExperimentKind} kind
 * @param {object} input as for `compare` and `sweep` of a script (docs/guide/automation.md)
 * @param {Options} [options]
 * @returns {Promise<import('../web/contract/experiment-outcome').ExperimentOutcome>}
 */
export async function runExperiment(kind, input, options) {
  const { evaluateExperiment, planExperiment } = await experimentsOfPage();
  const plan = planExperiment(kind, { version: 1, ...input });
  if (!plan.ok) throw new RefusedInput(plan.errors);
  const specs = plan.value.runs.map(({ spec }) => spec);
  return evaluateExperiment(plan.value, await runBatch(specs, timedRun, options));
}

/**
 * Runs checks and judges their expectations. Throws a RefusedInput that lists all errors of the
 * document.
 * @param {unknown} document web/contract/checks.ts
 * @param {Options} [options]
 * @returns {Promise<import('../web/contract/experiment-outcome.ts').ChecksReport>}
 */
export async function runChecks(document, options) {
  const { judgeChecks, planChecks } = await experimentsOfPage();
  const counters = declaredCounters().map(({ name }) => name);
  const planned = planChecks(document, counters);
  if (!planned.ok) throw new RefusedInput(planned.errors);
  const items = planned.value.flatMap(({ specs }, check) => specs.map((spec) => ({ spec, check })));
  const executed = await runBatch(items, runOfCheck, options);
  const runs = executed.map(({ text }) => ({
    result: JSON.parse(text),
    sha256: createHash('sha256').update(text.trim()).digest('hex'),
  }));
  return judgeChecks(
    planned.value,
    planned.value.map(({ specs }) => runs.splice(0, specs.length)),
  );
}

/** @param {object} spec @param {Options} options */
async function timedRun(spec, options) {
  const beganMs = performance.now();
  const text = await runSpec(spec, options);
  return { text, tookS: (performance.now() - beganMs) / 1000 };
}

/** @param {{ spec: object, check: number }} item @param {Options} options */
async function runOfCheck({ spec, check }, options) {
  try {
    return await timedRun(spec, options);
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof EngineFailed)) throw error;
    const Kind = error instanceof UsageError ? UsageError : EngineFailed;
    throw new Kind(error.message.replaceAll(/^/gm, `checks[${check}]: `));
  }
}
