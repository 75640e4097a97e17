import { scenarioCommandId } from '../../session/commands';
import { useExplorer, usePerform } from '../../widgets/session-context';

/**
 * Opens another bug. The browser's own list lies invisibly over a short text, so that it can show
 * whole titles.
 */
export function ScenarioSwitch() {
  const perform = usePerform();
  const scenarios = useExplorer((state) => state.scenarios);
  const shown = useExplorer(({ opening, scenario }) => opening?.scenario ?? scenario.manifest.id);
  const shownBug = scenarios.find(({ manifest }) => manifest.id === shown)?.manifest.bug;
  return (
    <span className="scenario-switch">
      <span aria-hidden="true">#{shownBug}</span>
      <select
        aria-label="Bug"
        value={shown}
        onChange={({ target }) => perform(scenarioCommandId(target.value))}
      >
        {scenarios.map(({ manifest: { id, bug, title } }) => (
          <option key={id} value={id}>
            #{bug} {title}
          </option>
        ))}
      </select>
    </span>
  );
}
