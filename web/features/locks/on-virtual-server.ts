// Converts the shown run on real threads to a run on the virtual server.
import { defaultRunSpec, type Machine, type RunSpec } from '../../contract/run-spec';
import type { Manifest } from '../../contract/manifest';

/**
 * Keeps design, clients, parameters and steps. Replaces each second with the sample of virtual time
 * that represents a second.
 */
export function onVirtualServer(spec: RunSpec, manifest: Manifest, machine: Machine): RunSpec {
  const { design, threads, seed, parameters, actions, duration_s } = spec;
  const { interval_s = 1 } = defaultRunSpec(manifest, machine, 'virtual');
  return defaultRunSpec(manifest, machine, 'virtual', {
    design,
    threads,
    seed,
    parameters,
    actions: actions.map((action) => ({ ...action, at_s: action.at_s * interval_s })),
    duration_s: duration_s === null ? null : duration_s * interval_s,
  });
}
