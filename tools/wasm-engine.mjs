// Runs the page's engine for the virtual server in Node. It needs neither threads nor shared memory.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const ACCEPTED = 0; // Outcome of a command, in wasm-engine/api/latchscope.h
const EVENTS_PER_SLICE = 1_000_000;

/**
 * Runs a spec to its end. The spec has a duration.
 * @param {string} folder build folder of the WebAssembly engine
 * @param {object} spec run spec; version 1 if it says nothing else
 * @returns {Promise<string>} the run result, as the engine wrote it
 */
export async function runInNode(folder, spec) {
  const { default: createEngine } = await import(pathToFileURL(join(folder, 'engine-virtual.mjs')).href);
  const engine = await createEngine();
  const call = (name, result, types = [], values = []) => engine.ccall(name, result, types, values);
  const runUntilIdle = () => {
    do call('latchscope_run_slice', null, ['number', 'number'], [EVENTS_PER_SLICE, Infinity]);
    while (!call('latchscope_is_idle', 'number'));
  };
  call('latchscope_open', null);
  const text = JSON.stringify({ version: 1, ...spec });
  if (call('latchscope_create', 'number', ['string'], [text]) !== ACCEPTED) {
    throw new Error(`The engine refuses the run spec: ${call('latchscope_refusal', 'string')}`);
  }
  runUntilIdle();
  call('latchscope_start', 'number');
  runUntilIdle();
  return call('latchscope_result', 'string');
}
