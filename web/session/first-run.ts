// The first run of a bug: the page starts it by itself, on the platform on which the bug is to be seen.
import type { Platform } from '../contract/platforms';
import type { Manifest } from '../contract/manifest';
import { defaultRunSpec, preferredPlatform, type Machine, type RunSpec } from '../contract/run-spec';

/** Real threads where there are cores enough for the bug to hurt; else the virtual server, if the page can run it. */
export function firstRunPlatform(manifest: Manifest, machine: Machine): Platform {
  return lacksCores(manifest, machine) && machine.platforms.includes('virtual')
    ? 'virtual'
    : preferredPlatform(machine);
}

/** The bug could be run on this machine, but would hardly be seen. */
export function lacksCores({ first_run }: Manifest, { cores, platforms }: Machine): boolean {
  return platforms.includes('threads') && cores < (first_run?.cores_min ?? 1);
}

export function firstRunSpec(manifest: Manifest, machine: Machine): RunSpec {
  const platform = firstRunPlatform(manifest, machine);
  return defaultRunSpec(manifest, machine, platform, manifest.first_run?.[platform]);
}
