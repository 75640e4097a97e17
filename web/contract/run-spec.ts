// Checks run specs against the scenarios and servers of this build. A run spec contains everything
// that determines a run; the URL, the command line, the C ABI and tests all use it.
import type { Manifest, Scenario } from './manifest.ts';
import type { Platform } from './platforms.ts';
import {
  offeredRunSpec,
  parseRunSpecOf,
  preferredPlatform,
  type Machine,
  type Parsed,
  type RunSpec,
} from './run-spec-rules.ts';
import { all_servers } from './servers.ts';

export { DURATION_S, INTERVAL_DEFAULT_S, INTERVAL_S, RUN_SPEC_VERSION, SEED_MAX } from './run-spec-fields.ts';
export * from './run-spec-rules.ts';

/** Checks a run spec, fills in defaults, and reports all faults. */
export const parseRunSpec = (
  input: unknown,
  scenarios: readonly Scenario[],
  machine: Machine,
): Parsed<RunSpec> =>
  parseRunSpecOf(input, {
    manifests: scenarios.map(({ manifest }) => manifest),
    servers: all_servers,
    machine,
  });

/**
 * Returns the page's default run spec: on the virtual server, a sample of the report's seconds.
 * `part` overrides fields.
 */
export function defaultRunSpec(
  manifest: Manifest,
  machine: Machine,
  platform: Platform = preferredPlatform(machine),
  part: object = {},
): RunSpec {
  const offered = offeredRunSpec({ manifest, servers: all_servers, machine, platform }, part);
  if (!offered.ok) throw new Error(`${manifest.id} has no run: ${JSON.stringify(offered.faults)}`);
  return offered.value;
}
