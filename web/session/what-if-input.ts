// Parses an interactive what-if.
import { describeValue } from '../contract/fault';
import type { Scenario } from '../contract/manifest';
import { parseRunSpec, type Machine, type RunSpec, type WhatIf } from '../contract/run-spec';
import { CommandRefused } from '../engine-client/command-refused';

/** Applies the rules of the run's own spec. Throws CommandRefused with each invalid field. */
export function parseWhatIf(
  input: unknown,
  spec: RunSpec,
  scenarios: readonly Scenario[],
  machine: Machine,
): WhatIf {
  const { from_s, ...whatIf } = { ...(input as WhatIf | null) };
  if (from_s !== undefined)
    throw new CommandRefused([
      { field: 'what_if.from_s', value: describeValue(from_s), allowed: 'omitted: it applies from now on' },
    ]);
  const parsed = parseRunSpec({ ...spec, what_if: whatIf }, scenarios, machine);
  if (!parsed.ok) throw new CommandRefused(parsed.errors);
  return parsed.value.what_if!;
}
