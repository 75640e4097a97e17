// @ts-check
// Reads the counters and work costs that the engine's C++ headers declare.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { repository } from './processes.mjs';

/**
 * Returns the costs of work on a virtual server, as wasm-engine/server/ut/work_costs.h declares
 * them.
 */
export function declaredWorkCosts() {
  const source = readFileSync(join(repository, 'wasm-engine/server/ut/work_costs.h'), 'utf8');
  const declarations = source
    .replaceAll('\\\n', ' ')
    .matchAll(/\bC\((\w+),\s*([\d']+),\s*(\w+),\s*((?:"[^"]*"\s*)+)\)/g);
  return [...declarations].map(([, name, value, basis, literals]) => ({
    name: String(name),
    value: Number(String(value).replaceAll("'", '')),
    basis: String(basis),
    meaning: [...String(literals).matchAll(/"([^"]*)"/g)].map(([, text]) => text).join(''),
  }));
}

/** Returns the engine's counters, as wasm-engine/telemetry/counters.h declares them. */
export function declaredCounters() {
  const source = readFileSync(join(repository, 'wasm-engine/telemetry/counters.h'), 'utf8');
  const declarations = source.replaceAll('\\\n', ' ').matchAll(/COUNTER\((\w+),\s*((?:"[^"]*"\s*)+)\)/g);
  return [...declarations].map(([, name, literals]) => ({
    name: String(name),
    meaning: [...String(literals).matchAll(/"([^"]*)"/g)].map(([, text]) => text).join(''),
  }));
}
