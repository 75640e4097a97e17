import { formatVirtualTime } from '../../analysis/format';
import { INTERVAL_DEFAULT_S } from '../../contract/run-spec';
import { INTERVALS_KEPT } from '../../session/intervals';
import { EvidenceNote } from '../../widgets/evidence-note';
import { lacksSysbenchLines } from '../../session/store';
import { useExplorer } from '../../widgets/session-context';

/** Shows sysbench's output: a line per second, and the final report when the run is over. */
export default function SysbenchOutput() {
  const intervals = useExplorer((state) => state.intervals);
  const sampleS = useExplorer(({ spec, draftSpec }) => (spec ?? draftSpec)?.interval_s ?? INTERVAL_DEFAULT_S);
  const lineEach = sampleS === 1 ? 'One line per second' : `One line per ${formatVirtualTime(sampleS)}`;
  const report = useExplorer((state) => state.sysbenchReport);
  if (useExplorer(lacksSysbenchLines))
    return <EvidenceNote>This file has no sysbench output: an earlier engine wrote it.</EvidenceNote>;
  const lines = intervals.flatMap(({ t_s, sysbench_line }) =>
    sysbench_line === undefined ? [] : [{ tS: t_s, sysbenchLine: sysbench_line }],
  );
  return (
    <>
      <EvidenceNote>
        {lineEach}
        {intervals.length >= INTERVALS_KEPT && `, the last ${INTERVALS_KEPT}`}; the final report after the
        run.
      </EvidenceNote>
      <ol className="output" aria-label="Interval lines">
        {lines.slice(-INTERVALS_KEPT).map(({ tS, sysbenchLine }) => (
          <li key={tS}>{sysbenchLine}</li>
        ))}
      </ol>
      {report !== null && (
        <pre className="output output-report" tabIndex={0} aria-label="Final report">
          {report.join('\n')}
        </pre>
      )}
    </>
  );
}
