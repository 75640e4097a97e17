// Drives the compiled engine of the virtual server through its C ABI, from creation to result. It
// imports nothing, so a page can load it too.

const ACCEPTED = 0; // Command outcome from wasm-engine/wasm/latchscope.h
const EVENTS_PER_SLICE = 1_000_000;

/**
 * @typedef {object} CompiledEngine a module instance made by Emscripten
 * @property {(name: string, result: string | null, types?: string[], values?: unknown[]) =>
 *   unknown} ccall
 */

/**
 * Returns functions that drive the engine:
 * - `create` builds the server. It throws if the engine refuses the spec, whose version defaults
 *   to 1.
 * - `run` executes the run to its end.
 * - `events` returns the number of events so far, loading included.
 * - `clockNs` returns the clock of the virtual server.
 * - `result` returns the run result as the engine wrote it.
 * - `outcome` returns what a what-if study needs of the run, from its `beginning` or from the end of its
 *   `first_interval`.
 * - `whatIfReport` returns the report of a what-if study (web/contract/what-if-report.ts), as JSON.
 * - `explain` executes the run twice and returns, as the engine wrote it, why a transaction was
 *   slow (docs/guide/explain.md).
 * @param {CompiledEngine} engine
 * @param {(progress: { clockNs: () => number, explanationProgress: () => number }) => void} [onSlice]
 *   called repeatedly while the engine runs
 * @returns {{
 *   create: (spec: object) => void,
 *   run: () => void,
 *   events: () => number,
 *   clockNs: () => number,
 *   outcome: (from: 'beginning' | 'first_interval') => string,
 *   whatIfReport: (study: string) => string,
 *   result: () => string,
 *   explain: (spec: object, wanted: { transaction: string, blame: boolean }) => string,
 * }}
 */
export function driverOf(engine, onSlice) {
  const call = (name, result, types = [], values = []) =>
    engine.ccall(`latchscope_${name}`, result, types, values);
  const clockNs = () => call('clock_ns', 'number');
  const explanationProgress = () => Number(call('explanation_progress', 'string'));
  const runUntilIdle = () => {
    do {
      call('run_slice', null, ['number', 'number'], [EVENTS_PER_SLICE, Infinity]);
      onSlice?.({ clockNs, explanationProgress });
    } while (!call('is_idle', 'number'));
  };
  const command = (name, ...texts) => {
    const types = texts.map(() => 'string');
    if (call(name, 'number', types, texts) !== ACCEPTED) {
      const refusal = call('refusal', 'string');
      throw new Error(`The engine refused the command ${name}: ${refusal}`, { cause: refusal });
    }
    runUntilIdle();
  };
  call('open', null);
  return {
    create: (spec) => command('create', JSON.stringify({ version: 1, ...spec })),
    run: () => command('start'),
    events: () => call('events', 'number'),
    clockNs,
    result: () => call('result', 'string'),
    outcome: (from) => call('outcome', 'string', ['string'], [from]),
    whatIfReport: (study) => call('what_if_report', 'string', ['string'], [study]),
    explain: (spec, wanted) => {
      command('explain', JSON.stringify(spec), JSON.stringify(wanted));
      return call('explanation', 'string');
    },
  };
}
