import type { CSSProperties } from 'react';

import { formatLatency_ns, formatShare, formatWhole } from '../../analysis/format';
import { clockStepShown } from '../../session/store';
import { useIsVirtual } from '../../widgets/run-time';
import { useExplorer } from '../../widgets/session-context';

/** The run in four numbers, each of the last second, or of the sample that stands for it. */
export function NowTiles() {
  const { operation } = useExplorer((state) => state.scenario.manifest.unit_of_work);
  const live = useExplorer((state) => state.live);
  const clock_step_ns = useExplorer(clockStepShown);
  const is_virtual = useIsVirtual();
  const per_second = is_virtual ? 'per virtual second' : 'per second';
  const shares = live?.time_shares;
  const on_latches = shares ? shares.waiting + shares.spinning : null;
  return (
    <dl className="tiles">
      <Tile
        title="TPS"
        value={formatWhole(live?.transactions_per_s)}
        note={is_virtual ? per_second : 'transactions/s'}
      />
      <Tile
        title={`${capitalised(operation)}s`}
        value={formatWhole(live?.operations_per_s)}
        note={per_second}
      />
      <Tile
        title="p99 latency"
        value={formatLatency_ns(live?.p99_ns, clock_step_ns)}
        note={live !== null && live.p99_ns === null ? 'too few to tell' : '99 % are faster'}
      />
      <Tile title="On latches" value={formatShare(on_latches)} note="of the clients’ time" />
    </dl>
  );
}

function Tile({ title, value, note }: { title: string; value: string; note: string }) {
  return (
    <div className="tile">
      <dt>{title}</dt>
      <dd className="tile-value" style={fitting(value)}>
        {value}
      </dd>
      <dd className="tile-note">{note}</dd>
    </div>
  );
}

/** Short values share one size, longer ones still fit. */
const fitting = (value: string) => ({ '--characters': Math.max(value.length, 8) }) as CSSProperties;

const capitalised = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);
