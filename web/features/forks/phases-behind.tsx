import { formatVirtualTime, formatWhole } from '../../analysis/format';
import { useExplorer } from '../../widgets/session-context';
import './phases-behind.css';

/** What the course that the charts draw behind measured, from change to change. */
export function PhasesBehind() {
  const behind = useExplorer(({ previous_run, chart }) =>
    chart.is_previous_run_shown && previous_run?.kind === 'other_course' ? previous_run : null,
  );
  if (behind === null || behind.phases.length === 0) return null;
  const name = behind.course === undefined ? 'the course before going back' : `“${behind.course}”`;
  return (
    <p className="phases-behind" role="note" aria-label="Phases of the course behind">
      Pale, {name}:{' '}
      {behind.phases.map(({ from_s, label, tps }, i) => (
        <span key={from_s}>
          {i > 0 && `; from ${formatVirtualTime(from_s)} `}
          {label} <strong>{formatWhole(tps)}</strong>
        </span>
      ))}{' '}
      transactions per second
    </p>
  );
}
