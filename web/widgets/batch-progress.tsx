import type { BatchRun } from '../contract/experiment-outcome';
import { formatSeconds } from '../analysis/format';
import { describeFaults, type Fault } from '../contract/fault';
import type { BatchProgress } from '../session/batch';

interface BatchProgressBarProps<Run extends BatchRun> {
  progress: BatchProgress<Run>;
  /** Describes a run. */
  inWords: (run: Run) => string;
}

/** Shows the progress of several runs and the remaining time. */
export function BatchProgressBar<Run extends BatchRun>({ progress, inWords }: BatchProgressBarProps<Run>) {
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

/** Shows why runs cannot be planned with the present settings. */
export function PlanFaults({ faults }: { faults: readonly Fault[] }) {
  return (
    <ul className="experiment-faults" role="alert">
      {describeFaults(faults).map((fault, index) => (
        <li key={index}>{fault}</li>
      ))}
    </ul>
  );
}

/** Returns 50 ms, 3 s. */
export function formatSpan(seconds: number, isVirtual: boolean): string {
  if (!isVirtual) return `${seconds} s`;
  return seconds < 1 ? `${Number((seconds * 1000).toPrecision(6))} ms` : `${seconds} s`;
}

/** Returns 8 s, 2 min 5 s. */
export function formatWaitS(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 1) return formatSeconds(seconds);
  if (whole < 60) return `${whole} s`;
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
