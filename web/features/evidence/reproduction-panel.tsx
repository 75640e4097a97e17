import { reproductions } from 'virtual:scenario-texts';

import { DASH, formatFigure, formatRange } from '../../analysis/format';
import type { ReproductionRow } from '../../contract/manifest';
import { Panel } from '../../widgets/panel';
import { useExplorer } from '../../widgets/session-context';

const rowsByScenario = reproductions as Readonly<Record<string, readonly ReproductionRow[]>>;

/**
 * Shows the virtual server's results for the report's figures. They are precomputed, because they
 * are the same on any machine.
 */
export default function ReproductionPanel() {
  const scenario = useExplorer((state) => state.scenario.manifest.id);
  const rows = rowsByScenario[scenario] ?? [];
  if (rows.length === 0) return null;
  return (
    <Panel title="Reproduced on the virtual server">
      <table className="figures reported">
        <thead>
          <tr>
            <th scope="col">metric</th>
            <th scope="col">reported</th>
            <th scope="col">virtual</th>
            <th scope="col">ratio</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.label} row={row} />
          ))}
        </tbody>
      </table>
      <p className="muted table-remark">
        Identical to the last byte in every browser; <code>npm run reproduce</code> computes it again.
        Predicted: nothing was chosen for this figure, so it is evidence. Selected: it follows from a chosen
        server, size or window. Fitted: a value was chosen to match this figure. Counted: the engine counts
        its own operations. Follows: derived from another row.
      </p>
    </Panel>
  );
}

function Row({ row }: { row: ReproductionRow }) {
  return (
    <tr>
      <th scope="row">
        {row.label}, {row.unit}
        {row.misses !== null && <span className="figure-conditions">Outside the band: {row.misses}</span>}
        <span className="muted figure-conditions">{row.note}</span>
      </th>
      <td>{row.reported === null ? DASH : formatRange(row.reported)}</td>
      <td>
        {formatFigure(row.here)}
        {row.samples !== null && (
          <span className="muted figure-conditions">
            median of {row.samples.count} samples: {formatRange([row.samples.least, row.samples.most])}
          </span>
        )}
      </td>
      <td>
        {row.ratio === null ? '–' : row.ratio.toFixed(2)}
        <span className="muted figure-conditions">{row.basis}</span>
        {row.band !== null && <span className="muted figure-conditions">band {formatRange(row.band)}</span>}
      </td>
    </tr>
  );
}
