import { describeFaults } from '../../contract/fault';
import { timedActionInWords } from '../../session/timed-actions';
import { CommandButton } from '../../widgets/command-button';
import { useRunTime } from '../../widgets/run-time';
import { useExplorer } from '../../widgets/session-context';

/**
 * Lists the timed actions of the next run, which come from a link, and lets the reader remove them.
 */
export function TimedActions() {
  const manifest = useExplorer((state) => state.scenario.manifest);
  const actions = useExplorer((state) => state.draft.actions);
  const errors = useExplorer((state) => state.draftErrors);
  const formatRunTime = useRunTime();
  if (actions.length === 0) return null;
  const faults = errors.filter(({ field }) => field.startsWith('actions'));
  return (
    <section className="timed-actions" aria-label="Timed actions">
      <p>Scheduled for the next run:</p>
      <ol>
        {actions.map((timed, place) => (
          <li key={place}>
            {timedActionInWords(timed, manifest)} at {formatRunTime(timed.at_s)}
          </li>
        ))}
      </ol>
      {describeFaults(faults).map((fault) => (
        <p key={fault} className="hint hint-error">
          {fault}
        </p>
      ))}
      <CommandButton command="run.drop_actions" className="button-preset">
        Remove timed actions
      </CommandButton>
    </section>
  );
}
