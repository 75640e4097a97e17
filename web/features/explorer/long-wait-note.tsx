import { longWaitInWords, longWaitIsOver, longWaitSpoken, type LongWait } from '../../analysis/long-wait';
import { useRunTime } from '../../widgets/run-time';
import { useExplorer } from '../../widgets/session-context';

/** Shows the long operation in progress, its progress, and its remaining time. */
export function LongWaitNote() {
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
