// Runs the specs that one kind of evidence needs for one scenario.
import { brokenInvariants } from '../../tools/native-engine.mjs';
import { CommandFailed, EXIT } from '../../tools/processes.mjs';
import { ScenarioError } from '../../tools/scenario-files.mjs';

/**
 * @typedef {{ spec: object, seeds?: number[] }} RecordedRun a run spec in the form that the command
 *   line takes. `seeds` is set if the run was repeated with several seeds
 */

/** Thrown when a run did not end or broke an invariant. Such a run yields no figure. */
export class NoResult extends Error {}

export class ScenarioRuns {
  #runs;
  #manifest;
  #file;
  /** @type {Record<string, RecordedRun>} the executed runs, by name */
  recorded = {};

  /**
   * @param {import('../../tools/engine-runs.mjs').EngineRuns} runs
   * @param {{ id: string, threads: { virtual_default: number } }} manifest
   * @param {string} file the file that declares the runs
   */
  constructor(runs, manifest, file) {
    this.#runs = runs;
    this.#manifest = manifest;
    this.#file = file;
  }

  /**
   * Runs a spec on the virtual server, once for each of its seeds.
   * @param {string} name
   * @param {{ seeds?: number[] }} run a run spec without version, scenario and platform
   * @returns {Promise<object[]>} run results whose invariants hold
   */
  async virtual(name, { seeds, ...run }) {
    const { id: scenario, threads } = this.#manifest;
    const spec = {
      version: 1,
      scenario,
      platform: 'virtual',
      seed: seeds?.[0] ?? 1,
      threads: threads.virtual_default,
      ...run,
    };
    this.recorded[name] = seeds === undefined || seeds.length === 1 ? { spec } : { spec, seeds };
    const outcomes = await Promise.all(
      (seeds ?? [spec.seed]).map((seed) => this.outcome(name, 'virtual', { ...spec, seed })),
    );
    for (const { result } of outcomes) {
      const broken = brokenInvariants(result);
      if (broken.length > 0)
        throw new NoResult(`${this.#file}: ${name}: invariants broken: ${broken.join('; ')}`);
    }
    return outcomes.map(({ result }) => result);
  }

  /**
   * @param {string} name
   * @param {import('../../tools/engine-runs.mjs').Engine} engine
   * @param {object} spec
   * @param {{ again?: boolean }} [options] `again`: do not reuse the run of an equal spec
   */
  async outcome(name, engine, spec, { again = false } = {}) {
    try {
      return await (again ? this.#runs.run(engine, spec) : this.#runs.once(engine, spec));
    } catch (error) {
      if (!(error instanceof CommandFailed)) throw error;
      if (error.outcome === EXIT.badUsage)
        throw new ScenarioError([`${this.#file}: ${name}: refused by the engine, see above`]);
      throw new NoResult(`${this.#file}: ${name}: ${error.message}`);
    }
  }
}
