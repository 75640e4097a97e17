import { shownFault } from '../../analysis/latch-walk';
import type { LabFaultKind } from '../../contract/lab-exercise';
import { CommandButton } from '../../widgets/command-button';
import { LatchPicture } from '../../widgets/latch-picture';
import { Panel } from '../../widgets/panel';
import { useExplorer } from '../../widgets/session-context';
import type { LabCheck } from './lab-state';
import { sourceShown } from './lab-work';
import { WalkLanes } from './walk-lanes';
import { walkPicture } from './walk-picture';
import type { ExplorerState } from '../../session/store';

const faultWords: Readonly<Record<LabFaultKind, string>> = {
  mutual_exclusion: 'Two threads hold it',
  deadlock: 'Deadlock',
  lost_wake_up: 'Lost wake-up',
  no_end: 'Does not terminate',
  starvation: 'Can starve',
  exit_without_enter: 'Exit without enter',
  check_failed: 'Check failed',
  index_too_large: 'Index too large',
  division_by_zero: 'Division by zero',
  no_access: 'Loop without word access',
};

const NO_FAULT = 'No fault found';

/** Returns the checker's sentence without the word that the verdict shows before it. */
function withoutWord(sentence: string): string {
  if (!sentence.startsWith(NO_FAULT)) return sentence;
  const rest = sentence.slice(NO_FAULT.length).replace(/^(\.|, but) /, '');
  return rest.charAt(0).toUpperCase() + rest.slice(1);
}

/** Shows the findings of the schedules, and how many the checker has explored. */
export function VerdictPanel() {
  const check = useExplorer((state) => state.lab.check);
  const isChanged = useExplorer(
    ({ lab }: ExplorerState) => lab.check !== null && lab.check.source !== sourceShown(lab),
  );
  if (check === null) return <NothingChecked />;
  const { result } = check;
  const kind = shownFault(result)?.kind;
  const verdict = result.fault !== undefined ? 'fault' : kind === undefined ? 'none_found' : 'can_starve';
  return (
    <Panel
      title="Correctness"
      remark={isChanged ? 'before your last change' : undefined}
      className="lab-verdict"
    >
      <p className="row verdict" data-verdict={verdict} role="status">
        <strong className="verdict-word">{kind === undefined ? NO_FAULT : faultWords[kind]}</strong>
        <span className="verdict-sentence">{withoutWord(result.sentence)}</span>
      </p>
      {check.walk.length > 0 && <Walk check={check} />}
      <details open={kind === undefined}>
        <summary>Checked schedules</summary>
        <ul className="lab-checked">
          {result.checked.map(({ sentence }) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      </details>
    </Panel>
  );
}

function NothingChecked() {
  return (
    <Panel title="Correctness" className="experiment-empty">
      <p>
        The checker searches for a schedule under which the latch fails. It tries all schedules of two and
        three threads, with and without x86 store buffers, then random schedules of up to six. Click Check
        correctness to start.
      </p>
    </Panel>
  );
}

function Walk({ check }: { check: LabCheck }) {
  const picture = walkPicture(check);
  return (
    <section className="lab-walk" aria-label="Fault, step by step">
      <WalkLanes check={check} momentInWords={picture.places.inWords} />
      <div className="row lab-buttons">
        <CommandButton command="lab.step.first">« First</CommandButton>
        <CommandButton command="lab.step.back">◂ Previous</CommandButton>
        <CommandButton command="lab.step.on">Next ▸</CommandButton>
        <CommandButton command="lab.step.last">Fault »</CommandButton>
      </div>
      <LatchPicture latch={picture} />
    </section>
  );
}
