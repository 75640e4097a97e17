import { useState } from 'react';

import { formatPerOperation, formatShare } from '../analysis/format';
import type { LatchFigures, LatchRow } from '../analysis/latch-table';
import { CodeName } from './code-name';
import { EvidenceNote } from './evidence-note';
import { useRunTime } from './run-time';
import { useExplorer } from './session-context';

/** Which latches are taken where, how often per operation, and how much of the clients' time they cost. */
export function LatchTable() {
  const { operation } = useExplorer((state) => state.scenario.manifest.unit_of_work);
  const reported = useExplorer((state) => state.scenario.manifest.reported);
  const rows = useExplorer((state) => state.live?.latch_rows);
  const window_s = useExplorer((state) => state.live?.table_window_s);
  const formatRunTime = useRunTime();
  const isReported = (latch: string) => reported.some(({ here }) => here?.of === latch);
  return (
    <>
      <EvidenceNote>
        {window_s !== undefined && `Last ${formatRunTime(window_s)}. `}Waiting, spinning: share of the
        clients’ time. Contended: share of the acquisitions.
      </EvidenceNote>
      <table className="figures latches">
        <thead>
          <tr>
            <th scope="col">latch, who takes it</th>
            <th scope="col">per {operation}</th>
            <th scope="col">waiting</th>
            <th scope="col">spinning</th>
            <th scope="col">contended</th>
          </tr>
        </thead>
        {rows?.map((row) => (
          <LatchRows key={row.latch} row={row} is_open_at_first={isReported(row.latch)} />
        ))}
      </table>
      {rows === undefined && <p className="muted">Nothing has run yet.</p>}
    </>
  );
}

/** A latch, and below it, when opened, the functions that take it. */
function LatchRows({ row, is_open_at_first }: { row: LatchRow; is_open_at_first: boolean }) {
  const [is_open, setOpen] = useState(is_open_at_first);
  const toggle = () => {
    setOpen(!is_open);
  };
  return (
    <tbody>
      <tr className="latch-row">
        <th scope="row">
          <button type="button" className="disclosure" aria-expanded={is_open} onClick={toggle}>
            <CodeName name={row.latch} />
          </button>
        </th>
        <FigureCells figures={row} />
      </tr>
      {is_open &&
        row.sites.map((site) => (
          <tr key={site.function} className="site-row">
            <th scope="row">
              <CodeName name={site.function} />
            </th>
            <FigureCells figures={site} />
          </tr>
        ))}
    </tbody>
  );
}

function FigureCells({ figures }: { figures: LatchFigures }) {
  const { per_operation, waiting_share, spinning_share, contended_share } = figures;
  return (
    <>
      <td>{formatPerOperation(per_operation)}</td>
      <ShareCell share={waiting_share} className="share-waiting" />
      <ShareCell share={spinning_share} className="share-spinning" />
      <td>{formatShare(contended_share)}</td>
    </>
  );
}

/** A share with a bar behind it, so that the eye finds the large ones. */
function ShareCell({ share, className }: { share: number | null; className: string }) {
  return (
    <td className={className} style={{ backgroundSize: `${(share ?? 0) * 100}% 100%` }}>
      {formatShare(share)}
    </td>
  );
}
