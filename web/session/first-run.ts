// Selects the first run of a bug, which the page starts by itself on the platform that shows the
// bug.
import type { Platform } from '../contract/platforms';
import type { Manifest } from '../contract/manifest';
import { defaultRunSpec, preferredPlatform, type Machine, type RunSpec } from '../contract/run-spec';

/**
 * Returns real threads if there are enough cores to show the bug, else the virtual server if the
 * page can run it.
 */
export function firstRunPlatform(manifest: Manifest, machine: Machine): Platform {
  return lacksCores(manifest, machine) && machine.platforms.includes('virtual')
    ? 'virtual'
    : preferredPlatform(machine);
}

/** Returns whether the bug runs on this machine but hardly shows. */
export function lacksCores({ first_run }: Manifest, { cores, platforms }: Machine): boolean {
  return platforms.includes('threads') && cores < (first_run?.cores_min ?? 1);
}

export function firstRunSpec(manifest: Manifest, machine: Machine): RunSpec {
  const platform = firstRunPlatform(manifest, machine);
  return defaultRunSpec(manifest, machine, platform, manifest.first_run?.[platform]);
}
