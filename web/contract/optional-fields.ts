// Finds optional fields of run results: older files or other platforms may lack them. Tests check
// that the engine writes each of them.
import type * as z from 'zod/mini';

import { run_result_schema, type RunResult } from './run-result.ts';

/**
 * Returns the optional fields that no result has, in the order of the schema. `[]` means each entry
 * of a list.
 */
export function optionalFieldsMissing(results: readonly RunResult[]): string[] {
  const found = new Set(results.flatMap((result) => pathsOf(result, '')));
  return optionalPaths(run_result_schema, '').filter((path) => !found.has(path));
}

const below = (parent: string, name: string) => (parent === '' ? name : `${parent}.${name}`);

function pathsOf(value: unknown, path: string): string[] {
  if (Array.isArray(value)) return [path, ...value.flatMap((item) => pathsOf(item, `${path}[]`))];
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([name, item]) => pathsOf(item, below(path, name)))];
}

interface Definition {
  type: string;
  innerType?: z.core.$ZodType;
  element?: z.core.$ZodType;
  shape?: Record<string, z.core.$ZodType>;
}

function optionalPaths(schema: z.core.$ZodType, path: string): string[] {
  const { type, innerType: inner, element, shape = {} } = schema._zod.def as Definition;
  if (type === 'optional') return [path, ...optionalPaths(inner!, path)];
  if (type === 'array') return optionalPaths(element!, `${path}[]`);
  return Object.entries(shape).flatMap(([name, field]) => optionalPaths(field, below(path, name)));
}
