// Replaces ../run-spec.mjs in the npm package, which has the page's engine in WebAssembly.
import { inWorker } from './engine-workers.mjs';

/** @returns {Promise<string>} as in ../run-spec.mjs */
export const runSpec = (spec, options) => inWorker({ kind: 'run', spec }, options);
