// Drives the compiled engine of the virtual server through its C ABI, from creation to result. It imports nothing, so that a page
// can load it, too.

const ACCEPTED = 0; // Outcome of a command, in wasm-engine/api/latchscope.h
const EVENTS_PER_SLICE = 1_000_000;

/**
 * @typedef {object} CompiledEngine a module instance that Emscripten made
 * @property {(name: string, result: string | null, types?: string[], values?: unknown[]) => unknown} ccall
 */

/**
 * @param {CompiledEngine} engine
 * @returns {{ create: (spec: object) => void, run: () => void, events: () => number, result: () => string,
 *     explain: (spec: object, wanted: { transaction: string, blame: boolean }) => string }} `create` builds the server and throws if the
 *     engine refuses the spec, whose version is 1 if it names none; `run` runs it to its end; `events` is
 *     how many there were so far, loading included; `result` is as the engine wrote it;
 *     `explain` carries out the run twice and returns why a transaction of it was slow, as the engine wrote it (docs/guide/explain.md)
 */
export function driverOf(engine) {
  const call = (name, result, types = [], values = []) =>
    engine.ccall(`latchscope_${name}`, result, types, values);
  const runUntilIdle = () => {
    do call('run_slice', null, ['number', 'number'], [EVENTS_PER_SLICE, Infinity]);
    while (!call('is_idle', 'number'));
  };
  const command = (name, ...texts) => {
    const types = texts.map(() => 'string');
    if (call(name, 'number', types, texts) !== ACCEPTED)
      throw new Error(`The engine refuses the command ${name}: ${call('refusal', 'string')}`);
    runUntilIdle();
  };
  call('open', null);
  return {
    create: (spec) => command('create', JSON.stringify({ version: 1, ...spec })),
    run: () => command('start'),
    events: () => call('events', 'number'),
    result: () => call('result', 'string'),
    explain: (spec, wanted) => {
      command('explain', JSON.stringify(spec), JSON.stringify(wanted));
      return call('explanation', 'string');
    },
  };
}
