// @ts-check
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { repository } from './processes.mjs';

/** The counters that the engine has, as wasm-engine/telemetry/counters.h declares them. */
export function declaredCounters() {
  const source = readFileSync(join(repository, 'wasm-engine/telemetry/counters.h'), 'utf8');
  const declarations = source.replaceAll('\\\n', ' ').matchAll(/COUNTER\((\w+),\s*((?:"[^"]*"\s*)+)\)/g);
  return [...declarations].map(([, name, literals]) => ({
    name: String(name),
    meaning: [...String(literals).matchAll(/"([^"]*)"/g)].map(([, text]) => text).join(''),
  }));
}
