// Creates the session of an embedded run: one bug, the virtual server, and no features.
import type { EmbedOptions } from '../browser/embedding/embed-options';
import type { Scenario } from '../contract/manifest';
import type { Machine, Parsed } from '../contract/run-spec';
import { isBugScenario } from '../contract/scenario-names';
import type { MissingCapability } from '../engine-client/capabilities';
import type { EngineLoader } from '../engine-client/engine-host';
import { chartCommands, runCommands, scenarioCommands } from '../session/commands';
import { firstRunSpec } from '../session/first-run';
import { Session } from '../session/session';

export interface EmbedEnvironment {
  scenarios: readonly Scenario[];
  machine: Pick<Machine, 'cores' | 'memory_gib'>;
  /** The capabilities that the frame lacks for the virtual server. */
  missing: MissingCapability[];
  loadEngine: EngineLoader;
}

/** Returns the session with the bug's first run as its next run, or the fault of an unknown bug. */
export function embeddedSession(
  { bug, design }: Pick<EmbedOptions, 'bug' | 'design'>,
  { scenarios, machine: { cores, memory_gib }, missing, loadEngine }: EmbedEnvironment,
): Parsed<Session> {
  const bugs = scenarios.filter(isBugScenario);
  const scenario = bugs.find(({ manifest }) => String(manifest.bug) === bug);
  if (scenario === undefined) {
    const allowed = bugs.map(({ manifest }) => manifest.bug).join(', ');
    return { ok: false, errors: [{ field: 'bug', value: bug, allowed }] };
  }
  const { manifest } = scenario;
  const machine: Machine = {
    cores,
    ...(memory_gib !== undefined && { memory_gib }),
    platforms: missing.length === 0 ? ['virtual'] : [],
  };
  const session = new Session({
    scenarios: [scenario],
    machine,
    missing: { threads: [], virtual: missing },
    clockStepNs: null,
    loaders: {
      threads: () => Promise.reject(new Error('An embedded run uses the virtual server.')),
      virtual: loadEngine,
    },
    // A page may have many embedded runs, and none of them goes back in time.
    checkpointBytes: 0,
  });
  const first = firstRunSpec(manifest, machine);
  const spec = {
    ...first,
    design: manifest.designs[design]!,
    // Only the reader changes the design.
    actions: first.actions.filter((timed) => !('knob' in timed)),
  };
  session.place({ view: 'explorer', spec, ofFeatures: {} });
  const { commands } = session;
  commands.register(
    runCommands(session, { reload: () => Promise.resolve(), copyLink: () => Promise.resolve('') }),
  );
  commands.register(scenarioCommands(session));
  commands.register(chartCommands(session));
  return { ok: true, value: session };
}
