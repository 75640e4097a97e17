import { actionCommandId } from '../../session/commands';
import { CommandButton } from '../../widgets/command-button';
import { LongWaitNote } from './long-wait-note';
import { Panel } from '../../widgets/panel';
import { useExplorer } from '../../widgets/session-context';

/** Fires the steps of the report's how-to-repeat during the run. */
export function ActionsPanel() {
  const actions = useExplorer((state) => state.scenario.manifest.actions);
  const canFire = useExplorer(({ run_state }) => run_state === 'running' || run_state === 'paused');
  return (
    <Panel title="Actions" note={canFire ? 'applied at once' : 'during a run'}>
      <div className="actions">
        {actions.map(({ id, explanation }) => (
          <CommandButton key={id} command={actionCommandId(id)} title={explanation} />
        ))}
      </div>
      <LongWaitNote />
    </Panel>
  );
}
