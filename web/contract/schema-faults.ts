// Converts the issues of a schema to the faults of a document. A schema's messages list the allowed
// values (schema-parts.ts).
import type * as z from 'zod/mini';

import { describeValue, type Fault } from './fault.ts';

type Issue = z.core.$ZodIssue;

/**
 * Returns the faults of a document; empty if the schema allows it. Reads at most `issues_max`
 * issues.
 */
export function schemaFaults(
  schema: z.ZodMiniType,
  document: unknown,
  issues_max = Infinity,
): Fault<unknown>[] {
  const { error } = schema.safeParse(document);
  return error === undefined ? [] : faultsOf(error.issues.slice(0, issues_max), document);
}

export const faultsOf = (issues: readonly Issue[], document: unknown): Fault<unknown>[] =>
  issues.flatMap((issue) => faultsOfIssue(issue, document, []));

/** Returns the faults as the page words them. */
export const faultsInWords = (issues: readonly Issue[], document: unknown): Fault[] =>
  faultsOf(issues, document).map(faultInWords);

export const faultInWords = ({ field, value, allowed }: Fault<unknown>): Fault => ({
  field,
  value: describeValue(value),
  allowed,
});

function faultsOfIssue(issue: Issue, document: unknown, parent: readonly PropertyKey[]): Fault<unknown>[] {
  const path = [...parent, ...issue.path];
  const at = (place: readonly PropertyKey[]) => ({
    field: fieldPath(place),
    value: valueAt(document, place),
    allowed: issue.message,
  });
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => at([...path, key]));
  if (issue.code === 'invalid_key') return [{ ...at(path), value: path.at(-1) }];
  const meant = issue.code === 'invalid_union' ? kindThatWasMeant(issue.errors) : null;
  return meant?.flatMap((inner) => faultsOfIssue(inner, document, path)) ?? [at(path)];
}

/**
 * Returns the issues of the union member that fits the value best: the member with the fewest
 * unknown fields.
 */
function kindThatWasMeant(kinds: readonly (readonly Issue[])[]): readonly Issue[] | null {
  const possible = kinds.filter((issues) => !issues.some(isOfAnotherKind));
  const fewest = Math.min(...possible.map(foreignFields));
  const best = possible.filter((issues) => foreignFields(issues) === fewest);
  return best.length === 1 ? best[0]! : null;
}

const isOfAnotherKind = ({ code, path }: Issue) =>
  path.length === 0 && (code === 'invalid_type' || code === 'invalid_value');

const foreignFields = (issues: readonly Issue[]) =>
  issues.flatMap((issue) => (issue.code === 'unrecognized_keys' ? issue.keys : [])).length;

function fieldPath(path: readonly PropertyKey[]): string {
  return path
    .map((part, index) => {
      if (typeof part === 'number') return `[${part}]`;
      return index === 0 ? String(part) : `.${String(part)}`;
    })
    .join('');
}

function valueAt(document: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined,
    document,
  );
}
