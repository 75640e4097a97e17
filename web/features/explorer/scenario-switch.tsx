import type { ChangeEvent } from 'react';

import { scenarioCommandId } from '../../session/commands';
import { useExplorer, useSession } from '../../widgets/session-context';

/**
 * Opens another bug. The browser's own list lies invisibly over a short text, so that it can show
 * whole titles.
 */
export function ScenarioSwitch() {
  const session = useSession();
  const scenarios = useExplorer((state) => state.scenarios);
  const shown = useExplorer(({ opening, scenario }) => opening?.scenario ?? scenario.manifest.id);
  const shownBug = scenarios.find(({ manifest }) => manifest.id === shown)?.manifest.bug;
  const onChange = ({ target }: ChangeEvent<HTMLSelectElement>) => {
    void session.commands.perform(scenarioCommandId(target.value));
  };
  return (
    <span className="scenario-switch">
      <span aria-hidden="true">#{shownBug}</span>
      <select aria-label="Bug" value={shown} onChange={onChange}>
        {scenarios.map(({ manifest: { id, bug, title } }) => (
          <option key={id} value={id}>
            #{bug} {title}
          </option>
        ))}
      </select>
    </span>
  );
}
