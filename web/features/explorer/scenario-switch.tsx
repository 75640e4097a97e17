import { scenarioInShort } from '../../contract/scenario-names';
import { scenarioCommandId } from '../../session/commands';
import { useExplorer, usePerform } from '../../widgets/session-context';

/**
 * Opens another bug. The browser's own list lies invisibly over a short text, so that it can show
 * whole titles.
 */
export function ScenarioSwitch() {
  const perform = usePerform();
  const scenarios = useExplorer((state) => state.scenarios);
  const current = useExplorer((state) => state.scenario);
  const shown = useExplorer(({ opening, scenario }) => opening?.scenario ?? scenario.manifest.id);
  // The reader's own workload may not be among the scenarios of the page.
  const listed = scenarios.includes(current) ? scenarios : [current, ...scenarios];
  const shownManifest = listed.find(({ manifest }) => manifest.id === shown)?.manifest;
  return (
    <span className="scenario-switch">
      <span aria-hidden="true">{shownManifest !== undefined && scenarioInShort(shownManifest)}</span>
      <select
        aria-label="Bug"
        value={shown}
        onChange={({ target }) => perform(scenarioCommandId(target.value))}
      >
        {listed.map(({ manifest }) => (
          <option key={manifest.id} value={manifest.id}>
            {scenarioInShort(manifest)} {manifest.title}
          </option>
        ))}
      </select>
    </span>
  );
}
