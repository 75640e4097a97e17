import { sysbenchIntervalLine } from '../analysis/sysbench';
import { INTERVALS_KEPT } from '../state/interval-meter';
import { EvidenceNote } from './evidence-note';
import { useExplorer } from './session-context';

/** What sysbench prints: a line each second, and the final report when the run is over. */
export function SysbenchOutput() {
  const intervals = useExplorer((state) => state.intervals);
  const report = useExplorer((state) => state.sysbench_report);
  return (
    <>
      <EvidenceNote>
        A line each second{intervals.length === INTERVALS_KEPT && `, the last ${INTERVALS_KEPT}`}; the final
        report when the run is over.
      </EvidenceNote>
      <ol className="output" aria-label="Interval lines">
        {intervals.map((interval) => (
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
