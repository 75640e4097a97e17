import { longWaitInWords, longWaitIsOver, longWaitSpoken, type LongWait } from '../../analysis/long-wait';
import { actionCommandId } from '../../session/commands';
import { CommandButton } from '../../widgets/command-button';
import { Panel } from '../../widgets/panel';
import { useRunTime } from '../../widgets/run-time';
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

/** Shows the long operation in progress, its progress, and its remaining time. */
function LongWaitNote() {
  const wait = useExplorer((state) => state.longWait);
  const lastWait = useExplorer((state) => state.lastLongWait);
  return (
    <>
      {wait !== null && <Progress wait={wait} />}
      <p role="status" className="visually-hidden">
        {wait !== null ? longWaitSpoken(wait) : lastWait !== null && longWaitIsOver(lastWait)}
      </p>
    </>
  );
}

function Progress({ wait }: { wait: LongWait }) {
  const formatRunTime = useRunTime();
  const text = longWaitInWords(wait, formatRunTime);
  return (
    <div className="long-wait">
      <progress value={wait.share} max={1} aria-label={longWaitSpoken(wait)} />
      {/* Screen readers announce it only by quarters. */}
      <p aria-hidden="true">{text}</p>
    </div>
  );
}
