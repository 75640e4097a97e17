import { describeFaults } from '../../contract/field-error';
import { timedStepInWords } from '../../session/timed-steps';
import { CommandButton } from '../../widgets/command-button';
import { useRunTime } from '../../widgets/run-time';
import { useExplorer } from '../../widgets/session-context';

/** What the next run does by itself, as a link has said, and a way to leave it out. */
export function TimedSteps() {
  const manifest = useExplorer((state) => state.scenario.manifest);
  const steps = useExplorer((state) => state.draft.actions);
  const errors = useExplorer((state) => state.draft_errors);
  const formatRunTime = useRunTime();
  if (steps.length === 0) return null;
  const faults = errors.filter(({ field }) => field.startsWith('actions'));
  return (
    <section className="timed-steps" aria-label="Timed steps">
      <p>The next run does by itself:</p>
      <ol>
        {steps.map((step, place) => (
          <li key={place}>
            {timedStepInWords(step, manifest)} at {formatRunTime(step.at_s)}
          </li>
        ))}
      </ol>
      {describeFaults(faults).map((fault) => (
        <p key={fault} className="hint hint-error">
          {fault}
        </p>
      ))}
      <CommandButton command="run.drop_steps" className="button-preset">
        Leave these out
      </CommandButton>
    </section>
  );
}
