// The first run of a bug: the page starts it by itself, on the platform on which the bug is to be seen.
import type { Platform } from '../contract/platforms';
import type { Manifest } from '../contract/manifest';
import { defaultRunSpec, preferredPlatform, type Machine, type RunSpec } from '../contract/run-spec';

/** Real threads if there are enough cores for the bug to show; else the virtual server, if the page can run it. */
export function firstRunPlatform(manifest: Manifest, machine: Machine): Platform {
  return lacksCores(manifest, machine) && machine.platforms.includes('virtual')
    ? 'virtual'
    : preferredPlatform(machine);
}

/** The bug runs on this machine, but hardly shows. */
export function lacksCores({ first_run }: Manifest, { cores, platforms }: Machine): boolean {
  return platforms.includes('threads') && cores < (first_run?.cores_min ?? 1);
}

export function firstRunSpec(manifest: Manifest, machine: Machine): RunSpec {
  const platform = firstRunPlatform(manifest, machine);
  return defaultRunSpec(manifest, machine, platform, manifest.first_run?.[platform]);
}
