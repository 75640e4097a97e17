import { reproductions } from 'virtual:scenario-texts';
import type { ReactNode } from 'react';

import { DASH, formatFigure, formatRange } from '../../analysis/format';
import type { ReproductionRow } from '../../contract/manifest';
import { Panel } from '../../widgets/panel';
import { useExplorer } from '../../widgets/session-context';
import { Table, type Column } from '../../widgets/table';

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
      <Table className="reported" rows={rows} columns={columns} />
      <p className="muted table-remark">
        Identical to the last byte in every browser; <code>npm run reproduce</code> computes it again.
        Predicted: nothing was chosen for this figure, so it is evidence. Selected: it follows from a chosen
        server, size or window. Fitted: a value was chosen to match this figure. Counted: the engine counts
        its own operations. Follows: derived from another row.
      </p>
    </Panel>
  );
}

const Remark = ({ children }: { children: ReactNode }) => (
  <span className="muted figure-conditions">{children}</span>
);

const columns: readonly Column<ReproductionRow>[] = [
  [
    'metric',
    ({ label, unit, misses, note }) => (
      <>
        {label}, {unit}
        {misses !== null && <span className="figure-conditions">Outside the band: {misses}</span>}
        <Remark>{note}</Remark>
      </>
    ),
  ],
  ['reported', ({ reported }) => (reported === null ? DASH : formatRange(reported))],
  [
    'virtual',
    ({ here, samples }) => (
      <>
        {formatFigure(here)}
        {samples !== null && (
          <Remark>
            median of {samples.count} samples: {formatRange([samples.least, samples.most])}
          </Remark>
        )}
      </>
    ),
  ],
  [
    'ratio',
    ({ ratio, basis, band }) => (
      <>
        {ratio === null ? DASH : ratio.toFixed(2)}
        <Remark>{basis}</Remark>
        {band !== null && <Remark>band {formatRange(band)}</Remark>}
      </>
    ),
  ],
];
