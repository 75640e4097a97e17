import type { KeyboardEvent } from 'react';

import type { WalkStep } from '../../analysis/latch-walk';
import type { LabFaultKind } from '../../contract/lab-exercise';
import { CommandButton } from '../../widgets/command-button';
import { Panel } from '../../widgets/panel';
import { useExplorer } from '../../widgets/session-context';
import { useLab } from './lab-context';
import type { LabCheck, LabState } from './lab-state';
import { sourceShown } from './lab-work';

const fault_words: Readonly<Record<LabFaultKind, string>> = {
  mutual_exclusion: 'Two hold it at once',
  deadlock: 'Deadlock',
  lost_wake_up: 'Lost wake-up',
  no_end: 'It does not end',
  starvation: 'Somebody starves',
  exit_without_enter: 'Exit without enter',
  check_failed: 'A check failed',
  index_too_large: 'Index too large',
  division_by_zero: 'Division by zero',
  no_access: 'A loop that touches no word',
};

/** What the schedules have shown, and how far they went. */
export function VerdictPanel() {
  const check = useExplorer((state: LabState) => state.lab.check);
  const is_changed = useExplorer(
    ({ lab }: LabState) => lab.check !== null && lab.check.source !== sourceShown(lab),
  );
  if (check === null) return <NothingChecked />;
  const { result } = check;
  const kind = result.fault?.kind;
  return (
    <Panel
      title="Is it right?"
      remark={is_changed ? 'of the latch before your last change' : undefined}
      className="lab-verdict"
    >
      <p className="verdict" data-verdict={kind === undefined ? 'none_found' : 'fault'} role="status">
        <strong className="verdict-word">{kind === undefined ? 'No fault found' : fault_words[kind]}</strong>
        <span className="verdict-sentence">{result.sentence}</span>
      </p>
      {check.walk.length > 0 && <Walk check={check} />}
      <details open={kind === undefined}>
        <summary>What was checked</summary>
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
    <Panel title="Is it right?" className="experiment-empty">
      <p>
        The engine looks for a schedule under which the latch goes wrong: every schedule of two and of three
        threads, also with store buffers as on x86, then schedules at random of up to six.
      </p>
    </Panel>
  );
}

function Walk({ check }: { check: LabCheck }) {
  const { walk, step: index, result } = check;
  const step = walk[index]!;
  return (
    <section className="lab-walk" aria-label="How it happens, step by step">
      <Lanes walk={walk} index={index} />
      <div className="lab-buttons">
        <CommandButton command="lab.step.first">« Beginning</CommandButton>
        <CommandButton command="lab.step.back">◂ Back</CommandButton>
        <CommandButton command="lab.step.on">On ▸</CommandButton>
        <CommandButton command="lab.step.last">Fault »</CommandButton>
        <span className="muted">
          step {index} of {walk.length - 1}
        </span>
      </div>
      <p className="lab-step" aria-live="polite">
        {step.thread === null ? step.sentence : `Thread ${step.thread}, line ${step.line}: ${step.sentence}.`}
        {result.fault?.repeats_from_step === index && ' From here on it can go on for ever.'}
      </p>
      <div className="lab-moment">
        <Words step={step} />
        <Threads step={step} />
      </div>
    </section>
  );
}

/** Each thread a lane, each step a place on it. */
function Lanes({ walk, index }: { walk: readonly WalkStep[]; index: number }) {
  const lab = useLab();
  const moves: Partial<Record<string, number>> = {
    ArrowLeft: index - 1,
    ArrowRight: index + 1,
    Home: 0,
    End: walk.length - 1,
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const to = moves[event.key];
    if (to === undefined) return;
    event.preventDefault();
    lab.lookAt(to);
  };
  const step = walk[index]!;
  const threads = walk[0]!.threads.length;
  return (
    <div
      className="lab-lanes"
      role="slider"
      tabIndex={0}
      aria-label="Step"
      aria-valuemin={0}
      aria-valuemax={walk.length - 1}
      aria-valuenow={index}
      aria-valuetext={step.thread === null ? step.sentence : `thread ${step.thread}: ${step.sentence}`}
      onKeyDown={onKeyDown}
    >
      {Array.from({ length: threads }, (_, thread) => (
        <div key={thread} className="lab-lane">
          <span className="lab-lane-name">thread {thread + 1}</span>
          <span className="lab-lane-steps">
            {walk.map((each, i) => (
              <span
                key={i}
                className="lab-lane-step"
                data-phase={each.threads[thread]!.phase}
                data-moves={each.thread === thread + 1 ? '' : undefined}
                data-current={i === index ? '' : undefined}
                title={`step ${i}: ${each.threads[thread]!.phase}`}
                onClick={() => {
                  lab.lookAt(i);
                }}
              />
            ))}
          </span>
        </div>
      ))}
      <p className="lab-phases" aria-hidden="true">
        {['outside', 'entering', 'holding', 'exiting', 'asleep'].map((phase) => (
          <span key={phase}>
            <span className="lab-lane-step" data-phase={phase} /> {phase}
          </span>
        ))}
        <span>
          <span className="lab-lane-step" data-phase="outside" data-moves="" /> moves
        </span>
      </p>
    </div>
  );
}

function Words({ step }: { step: WalkStep }) {
  return (
    <table className="figures lab-words">
      <thead>
        <tr>
          <th scope="col">word</th>
          <th scope="col">value</th>
        </tr>
      </thead>
      <tbody>
        {step.cells.map(({ name, value, is_changed }) => (
          <tr key={name} data-changed={is_changed ? '' : undefined}>
            <th scope="row">
              <code>{name}</code>
            </th>
            <td>{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Threads({ step }: { step: WalkStep }) {
  const has_buffers = step.threads.some(({ buffered }) => buffered.length > 0);
  return (
    <table className="figures lab-threads">
      <thead>
        <tr>
          <th scope="col">thread</th>
          <th scope="col">is</th>
          {has_buffers && <th scope="col">stores nobody else sees yet</th>}
        </tr>
      </thead>
      <tbody>
        {step.threads.map(({ phase, buffered }, i) => (
          <tr key={i} data-changed={step.thread === i + 1 ? '' : undefined}>
            <th scope="row">{i + 1}</th>
            <td>{phase}</td>
            {has_buffers && <td>{buffered.map(({ cell, value }) => `${cell} = ${value}`).join(', ')}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
