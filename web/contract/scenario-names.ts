// Names scenarios in words: bugs by their number, and a reader's workload as such.
import type { BugManifest, Manifest, Scenario } from './manifest.ts';

export interface BugScenario extends Scenario {
  manifest: BugManifest;
}

type Numbered = Pick<Manifest, 'bug'>;

/** Returns `Bug #69276` or `Workload`. */
export const scenarioLabel = ({ bug }: Numbered) => (bug === undefined ? 'Workload' : `Bug #${bug}`);

/** Returns `bug #69276` or `the workload`, for use in a sentence. */
export const scenarioInWords = ({ bug }: Numbered) => (bug === undefined ? 'the workload' : `bug #${bug}`);

/** Returns `#69276` or `Workload`, for places with little room. */
export const scenarioInShort = ({ bug }: Numbered) => (bug === undefined ? 'Workload' : `#${bug}`);

/** Returns `Bug #69276: fil_system->mutex ...` or `Workload: ...`. */
export const scenarioTitle = (manifest: Numbered & Pick<Manifest, 'title'>) =>
  `${scenarioLabel(manifest)}: ${manifest.title}`;

export const isBugScenario = (scenario: Scenario): scenario is BugScenario =>
  scenario.manifest.bug !== undefined;
