import type { ReactNode } from 'react';

import type { GlossaryTerm } from '../../contract/glossary';
import { formatLatencyNs, formatShare, formatWhole } from '../../analysis/format';
import { besideTps } from '../../session/live';
import { clockStepShown } from '../../session/store';
import { CommandButton } from '../../widgets/command-button';
import { GlossaryLink } from '../../widgets/glossary-link';
import { useIsVirtual } from '../../widgets/run-time';
import { useExplorer, useInFrame } from '../../widgets/session-context';

/**
 * Shows the run in a few numbers on one line. They cover the last second or sample, or longer if a
 * few transactions take longer.
 */
export function NowTiles() {
  const beside = besideTps(useExplorer((state) => state.scenario.manifest));
  const live = useInFrame((state) => state.live);
  const clockStepNs = useExplorer(clockStepShown);
  const shares = live?.time_shares;
  const onLatches = shares ? (shares.waiting ?? 0) + (shares.spinning ?? 0) : null;
  const stalled = shares?.stalled ?? null;
  const isVirtual = useIsVirtual();
  return (
    <dl className="tiles">
      <Tile
        title="TPS"
        term="throughput"
        value={formatWhole(live?.transactions_per_s)}
        note="transactions per second"
        remark={live?.is_settled === false ? 'not settled yet' : null}
      />
      {beside !== null && (
        <Tile title={beside.title} value={formatWhole(live?.beside_tps_per_s)} note="per second" />
      )}
      <Tile
        title="p99 latency"
        term="p99"
        value={formatLatencyNs(live?.p99_ns, clockStepNs)}
        note="99 % of transactions are faster"
        remark={live !== null && live.p99_ns === null ? 'too few transactions' : null}
        action={
          isVirtual && (
            <CommandButton command="explain.p99_now" className="button-small tile-why">
              Why?<span className="visually-hidden"> Explain this latency</span>
            </CommandButton>
          )
        }
      />
      <Tile
        title="On latches"
        term="latch"
        value={formatShare(onLatches)}
        note="of client time, waiting or spinning"
      />
      {(stalled !== null || (live === null && isVirtual)) && (
        <Tile
          title="Stalled"
          term="stall"
          value={formatShare(stalled)}
          note="of client time, on cache lines"
        />
      )}
    </dl>
  );
}

interface TileProps {
  title: string;
  /** Opens the glossary. */
  term?: GlossaryTerm;
  value: string;
  /** A description, shown on request. */
  note: string;
  /** Why the value is not reliable yet; always shown. */
  remark?: string | null;
  /** A control that explains the value. */
  action?: ReactNode;
}

function Tile({ title, term, value, note, remark = null, action }: TileProps) {
  return (
    <div className="tile" title={note}>
      <dt>{term === undefined ? title : <GlossaryLink term={term}>{title}</GlossaryLink>}</dt>
      <dd className="tile-value">{value}</dd>
      {remark !== null && <dd className="tile-remark">{remark}</dd>}
      <dd className="tile-note">{note}</dd>
      {Boolean(action) && <dd>{action}</dd>}
    </div>
  );
}
