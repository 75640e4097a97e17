// Upgrades documents of older versions.
import type { Fault } from './fault.ts';

/** Converts the content of one version to the next version. */
type Upgrader = (content: Record<string, unknown>) => Record<string, unknown>;

/** Upgraders by the version that they start from. */
export type Upgraders = Record<number, Upgrader>;

type Upgraded = { ok: true; content: Record<string, unknown> } | { ok: false; errors: Fault[] };

/**
 * Upgrades content to version `current`, one version at a time; refuses newer and unknown versions.
 */
export function upgrade(
  content: Record<string, unknown>,
  field: string,
  current: number,
  upgraders: Upgraders,
): Upgraded {
  const version = content[field];
  const versions_known = [...Object.keys(upgraders).map(Number), current];
  if (typeof version !== 'number' || !versions_known.includes(version)) {
    const is_newer = typeof version === 'number' && version > current;
    const allowed = versions_known.join(', ') + (is_newer ? ' (written by a newer Latchscope)' : '');
    return { ok: false, errors: [{ field, value: describeValue(version), allowed }] };
  }
  let upgraded = content;
  for (let step = version; step < current; step += 1) {
    upgraded = { ...upgraders[step]!(upgraded), [field]: step + 1 };
  }
  return { ok: true, content: upgraded };
}

/** Formats any value, even a script's, for error messages. */
export function describeValue(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value;
    case 'undefined':
      return 'missing';
    case 'function':
      return 'a function';
    case 'object':
      return objectAsJson(value);
    default:
      return String(value);
  }
}

function objectAsJson(value: object | null): string {
  try {
    const json: unknown = JSON.stringify(value);
    return typeof json === 'string' ? json : 'an object';
  } catch {
    return 'an object that is not JSON';
  }
}
