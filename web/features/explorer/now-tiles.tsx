import { formatLatency_ns, formatShare, formatWhole } from '../../analysis/format';
import { besideTps } from '../../session/live';
import { clockStepShown } from '../../session/store';
import { useExplorer } from '../../widgets/session-context';

/** The run in four numbers on one line, each of the last second or sample, or of a few transactions where these take longer. */
export function NowTiles() {
  const { title } = besideTps(useExplorer((state) => state.scenario.manifest));
  const live = useExplorer((state) => state.live);
  const clock_step_ns = useExplorer(clockStepShown);
  const shares = live?.time_shares;
  const on_latches = shares ? (shares.waiting ?? 0) + (shares.spinning ?? 0) : null;
  const stalled = shares?.stalled ?? null;
  return (
    <dl className="tiles">
      <Tile
        title="TPS"
        value={formatWhole(live?.transactions_per_s)}
        note={live?.is_settled === false ? 'not settled yet' : 'transactions per second'}
      />
      <Tile title={title} value={formatWhole(live?.beside_tps_per_s)} note="per second" />
      <Tile
        title="p99 latency"
        value={formatLatency_ns(live?.p99_ns, clock_step_ns)}
        note={live !== null && live.p99_ns === null ? 'too few to tell' : '99 % are faster'}
      />
      <Tile
        title="On latches"
        value={formatShare(on_latches)}
        note={stalled === null ? 'of the clients’ time' : `of the time; ${formatShare(stalled)} stalled`}
      />
    </dl>
  );
}

function Tile({ title, value, note }: { title: string; value: string; note: string }) {
  return (
    <div className="tile" title={note}>
      <dt>{title}</dt>
      <dd className="tile-value">{value}</dd>
      <dd className="tile-note">{note}</dd>
    </div>
  );
}
