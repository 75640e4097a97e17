import type { ReactNode } from 'react';

import type { BatchRun } from '../contract/experiment-outcome';
import { formatSeconds } from '../analysis/format';
import { describeFaults, type Fault } from '../contract/fault';
import type { TimedRunSpec } from '../contract/run-spec';
import type { BatchProgress } from '../session/batch';
import { workersFor } from '../session/run-series';
import { CommandButton, WhyNot } from './command-button';
import { Panel } from './panel';
import { useExplorer } from './session-context';

interface BatchProgressProps<Run extends BatchRun> {
  /** Null while no run is in progress. */
  progress: BatchProgress<Run> | null;
  /** Describes a run. */
  inWords: (run: Run) => string;
}

/** Shows the progress of several runs and the remaining time. */
export function BatchProgressBar<Run extends BatchRun>({ progress, inWords }: BatchProgressProps<Run>) {
  if (progress === null) return null;
  const { done, total, failed, current, remainingS, isCancelling } = progress;
  return (
    <div className="batch-progress">
      <progress value={done} max={total} aria-label={`${done} of ${total} runs done`} />
      <p>
        <strong>
          {done} of {total}
        </strong>{' '}
        runs done{failed > 0 && `, ${failed} failed`}
        {remainingS !== null && !isCancelling && `; about ${formatWaitS(remainingS)} left`}
      </p>
      <p className="muted">
        {isCancelling ? 'Stopping …' : current.length > 0 && `Now: ${current.map(inWords).join('; ')}`}
      </p>
    </div>
  );
}

interface StartPanelProps<Run extends BatchRun> extends BatchProgressProps<Run> {
  /** Ids of the commands. */
  start: string;
  cancel: string;
  /** Replaces the title of the command. */
  startTitle?: string;
  /** Why runs cannot be planned with the present settings. */
  faults: readonly Fault[];
  /** Expects how long the runs take. */
  outlook: ReactNode;
  children?: ReactNode;
}

/** Starts and cancels a series of runs, and shows the expected time or the progress. */
export function StartPanel<Run extends BatchRun>(props: StartPanelProps<Run>) {
  const { start, cancel, startTitle, faults, progress, inWords, outlook, children } = props;
  if (progress !== null)
    return (
      <Panel title="Running" className="start-panel">
        <CommandButton command={cancel} className="button-start">
          Cancel and keep results
        </CommandButton>
        {children}
        <BatchProgressBar progress={progress} inWords={inWords} />
      </Panel>
    );
  return (
    <Panel title="Run" className="start-panel">
      <CommandButton command={start} className="button-main button-start">
        {startTitle}
      </CommandButton>
      {faults.length === 0 && <WhyNot command={start} />}
      {children}
      {faults.length === 0 ? outlook : <FaultList faults={describeFaults(faults)} />}
    </Panel>
  );
}

interface FaultListProps {
  faults: readonly string[];
  label?: string;
}

export const FaultList = ({ faults, label }: FaultListProps) => (
  <ul className="experiment-faults" role="alert" aria-label={label}>
    {faults.map((fault, index) => (
      <li key={index}>{fault}</li>
    ))}
  </ul>
);

interface OutlookProps {
  runs: number;
  /** There may be fewer runs. */
  isMost?: boolean;
  spec: Pick<TimedRunSpec, 'platform' | 'duration_s'>;
  /** Expected real seconds of all runs on one worker; null if unknown. */
  oneByOneS: number | null;
  basis: 'the last run' | 'the last runs';
}

/** Shows the number of runs, and the expected time on this machine. */
export function Outlook({ runs, isMost = false, spec, oneByOneS, basis }: OutlookProps) {
  const { platform, duration_s } = spec;
  const workers = Math.min(
    runs,
    useExplorer(({ machine }) => workersFor(platform, machine)),
  );
  const isVirtual = platform === 'virtual';
  return (
    <p className="experiment-note">
      {isMost && 'Up to '}
      {runs} {runs === 1 && !isMost ? 'run' : 'runs'} of {formatSpan(duration_s, isVirtual)},{' '}
      {workers === 1 ? 'one at a time' : `on ${workers} workers at once`}.{' '}
      {oneByOneS !== null && (
        <span data-depends-on-host>
          About {formatWaitS(oneByOneS / workers)} here, based on {basis}.
        </span>
      )}
      {oneByOneS === null && !isVirtual && `At least ${formatWaitS(runs * duration_s)}.`}
      {oneByOneS === null && isVirtual && 'The time estimate appears after the first run.'}
    </p>
  );
}

/** Returns 50 ms, 3 s. */
export function formatSpan(seconds: number, isVirtual: boolean): string {
  if (!isVirtual) return `${seconds} s`;
  return seconds < 1 ? `${Number((seconds * 1000).toPrecision(6))} ms` : `${seconds} s`;
}

/** Returns 8 s, 2 min 5 s. */
function formatWaitS(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 1) return formatSeconds(seconds);
  if (whole < 60) return `${whole} s`;
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
