import { useEffect, useRef, useState } from 'react';

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
  const isEarlier = useExplorer(
    ({ lab }: ExplorerState) => lab.check !== null && lab.check.source !== sourceShown(lab),
  );
  // The result that is already there when the lab opens.
  const [atFirst] = useState(check?.result);
  return (
    <Panel title="Correctness" className={`lab-verdict ${check === null ? 'experiment-empty' : ''}`}>
      <div role="status" aria-label="Verdict">
        {check !== null && (isEarlier ? <EarlierVerdict check={check} /> : <Verdict check={check} />)}
      </div>
      {check === null && <NothingChecked />}
      {check !== null && !isEarlier && <Findings check={check} isNew={check.result !== atFirst} />}
      {check !== null && isEarlier && (
        <details className="lab-earlier">
          <summary>Result before the change</summary>
          <p className="verdict-sentence">{check.result.sentence}</p>
          <Findings check={check} />
        </details>
      )}
    </Panel>
  );
}

function Verdict({ check: { result } }: { check: LabCheck }) {
  const kind = shownFault(result)?.kind;
  const verdict = result.fault !== undefined ? 'fault' : kind === undefined ? 'none_found' : 'can_starve';
  return (
    <p className="row verdict" data-verdict={verdict}>
      <strong className="verdict-word">{wordOf(result)}</strong>
      <span className="verdict-sentence">{withoutWord(result.sentence)}</span>
    </p>
  );
}

/** Says that the source is not the checked one any more, without the colors of a verdict. */
const EarlierVerdict = ({ check: { result } }: { check: LabCheck }) => (
  <p className="row verdict" data-verdict="earlier">
    <strong className="verdict-word">Not checked</strong>
    <span className="verdict-sentence">
      The source has changed since the last check. Its result was: {wordOf(result)}.
    </span>
  </p>
);

function wordOf(result: LabCheck['result']): string {
  const kind = shownFault(result)?.kind;
  return kind === undefined ? NO_FAULT : faultWords[kind];
}

const Findings = ({ check, isNew = false }: { check: LabCheck; isNew?: boolean }) => (
  <>
    {check.walk.length > 0 && <Walk check={check} scrollsTo={isNew} />}
    <details open={check.walk.length === 0}>
      <summary>Checked schedules</summary>
      <ul className="lab-checked">
        {check.result.checked.map(({ sentence }) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </details>
  </>
);

const NothingChecked = () => (
  <p>
    The checker searches for a schedule under which the latch fails. It tries all schedules of two and three
    threads, with and without x86 store buffers, then random schedules of up to six. Click Check correctness
    to start.
  </p>
);

/** A fault found just now scrolls into view. */
function Walk({ check, scrollsTo }: { check: LabCheck; scrollsTo: boolean }) {
  const picture = walkPicture(check);
  const lanes = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (scrollsTo) lanes.current?.scrollIntoView({ block: 'nearest' });
  }, [scrollsTo]);
  return (
    <section className="lab-walk" aria-label="Fault, step by step">
      <div ref={lanes} className="lab-steps">
        <WalkLanes check={check} momentInWords={picture.places.inWords} />
        <div className="row lab-buttons">
          <CommandButton command="lab.step.first">« First</CommandButton>
          <CommandButton command="lab.step.back">◂ Previous</CommandButton>
          <CommandButton command="lab.step.on">Next ▸</CommandButton>
          <CommandButton command="lab.step.last">Fault »</CommandButton>
        </div>
      </div>
      <LatchPicture latch={picture} />
    </section>
  );
}
