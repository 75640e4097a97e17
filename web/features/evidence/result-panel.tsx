import { DASH, formatLatencyNs, formatWhole } from '../../analysis/format';
import type { RunResult } from '../../contract/run-result';
import { Panel } from '../../widgets/panel';
import { clockStepShown } from '../../session/store';
import { useRunTime } from '../../widgets/run-time';
import { useExplorer } from '../../widgets/session-context';

/** Each phase of a run has about ten, and a reader may change knobs any number of times. */
const INVARIANTS_LISTED_MAX = 200;

/** Shows the results of the whole run; dashes until it is over. */
export default function ResultPanel() {
  const result = useExplorer((state) => state.result);
  const clockStepNs = useExplorer(clockStepShown);
  const formatRunTime = useRunTime();
  const totals = result?.totals;
  const latency = (percentile: 'p50' | 'p95' | 'p99') =>
    formatLatencyNs(totals && totals.latency_ms[percentile] * 1e6, clockStepNs);
  return (
    <Panel
      title="Whole run"
      remark={result ? formatRunTime(totals?.seconds) : 'after the run'}
      note={<Invariants invariants={result?.invariants} />}
    >
      <dl className="result">
        <ResultFigure title="transactions" value={formatWhole(totals?.transactions)} />
        <ResultFigure title="per second" value={formatWhole(totals?.tps)} />
        <ResultFigure title="wrong rows" value={formatWhole(result?.counters.rows_wrong)} />
        <ResultFigure title="p50" value={latency('p50')} />
        <ResultFigure title="p95" value={latency('p95')} />
        <ResultFigure title="p99" value={latency('p99')} />
      </dl>
    </Panel>
  );
}

function Invariants({ invariants }: { invariants: RunResult['invariants'] | undefined }) {
  if (invariants === undefined) return <span className="muted">Invariants: {DASH}</span>;
  const broken = invariants.filter(({ ok }) => !ok);
  const listed = [...broken, ...invariants.filter(({ ok }) => ok)].slice(0, INVARIANTS_LISTED_MAX);
  const leftOut = invariants.length - listed.length;
  const summary =
    broken.length === 0
      ? `All ${formatWhole(invariants.length)} invariants hold`
      : `${formatWhole(broken.length)} of ${formatWhole(invariants.length)} invariants are broken`;
  return (
    <details className="invariants" open={broken.length > 0}>
      <summary>{summary}</summary>
      <ul>
        {listed.map(({ name, ok, detail }, index) => (
          <li key={index} data-ok={ok}>
            {ok ? 'holds' : 'broken'}: {name} <span className="muted">{detail}</span>
          </li>
        ))}
        {leftOut > 0 && <li>and {formatWhole(leftOut)} more in the run result</li>}
      </ul>
    </details>
  );
}

function ResultFigure({ title, value }: { title: string; value: string }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>{value}</dd>
    </div>
  );
}
