import { formatVirtualTime } from '../../analysis/format';
import { sysbenchIntervalLine } from '../../analysis/sysbench';
import { INTERVALS_KEPT } from '../../session/interval-meter';
import { EvidenceNote } from '../../widgets/evidence-note';
import { useExplorer } from '../../widgets/session-context';

/** What sysbench prints: a line each second, and the final report when the run is over. */
export function SysbenchOutput() {
  const intervals = useExplorer((state) => state.intervals);
  const sample_s = useExplorer(({ spec, draft_spec }) => (spec ?? draft_spec)?.interval_s ?? 1);
  const line_each = sample_s === 1 ? 'A line each second' : `A line for each ${formatVirtualTime(sample_s)}`;
  const report = useExplorer((state) => state.sysbench_report);
  return (
    <>
      <EvidenceNote>
        {line_each}
        {intervals.length >= INTERVALS_KEPT && `, the last ${INTERVALS_KEPT}`}; the final report when the run
        is over.
      </EvidenceNote>
      <ol className="output" aria-label="Interval lines">
        {intervals.slice(-INTERVALS_KEPT).map((interval) => (
          <li key={interval.t_s}>{sysbenchIntervalLine(interval)}</li>
        ))}
      </ol>
      {report !== null && (
        <pre className="output output-report" tabIndex={0} aria-label="Final report">
          {report}
        </pre>
      )}
    </>
  );
}
