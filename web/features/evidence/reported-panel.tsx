import { reproductions } from 'virtual:scenario-texts';
import type { ReactNode } from 'react';

import { DASH, counted, formatFigure, formatRange } from '../../analysis/format';
import type { ReportedFigure } from '../../contract/manifest';
import type { ReproductionRow } from '../../contract/reproduced-figures';
import { describeServer } from '../../contract/servers';
import type { ExplorerState } from '../../session/store';
import { specWithWhatIf } from '../../session/baseline-run';
import { whatIfInWords } from '../../session/what-if-words';
import { EvidenceNote } from '../../widgets/evidence-note';
import { Panel } from '../../widgets/panel';
import { useExplorer, useInFrame } from '../../widgets/session-context';
import RealServersPanel from './real-servers-panel';
import { Table, type Column } from '../../widgets/table';

/** Compares the report with this page, with real servers and with the virtual server. */
export default function ReportedForm() {
  return (
    <>
      <ReportedPanel />
      <RealServersPanel />
      <ReproductionPanel />
    </>
  );
}

/**
 * Shows the report's figures next to this page's measurements. They come from different machines,
 * and the panel says so.
 */
function ReportedPanel() {
  const figures = useExplorer((state) => state.scenario.manifest.reported) ?? [];
  const measured = useInFrame((state) => state.live?.measured);
  const here = useExplorer(describeHere);
  const whatIf = useExplorer((state) => whatIfInWords(specWithWhatIf(state)?.what_if));
  return (
    <Panel title="Reported vs. here">
      {whatIf !== null && (
        <EvidenceNote>
          Not compared: this run has a what-if that the reporter’s server did not have ({whatIf}).
        </EvidenceNote>
      )}
      <Table
        className="reported"
        rows={figures}
        columns={[
          ['metric', (figure) => <Metric figure={figure} />],
          ['reported', ({ value }) => formatRange(value)],
          ['here', ({ id, here: by }) => (by ? formatFigure(measured?.[id]?.here) : 'not measured')],
          ['here ÷ reported', ({ id }) => formatFigure(measured?.[id]?.ratio)],
        ]}
      />
      <p className="muted table-remark">
        Here: {here}; last value measured under the conditions of each row.
      </p>
    </Panel>
  );
}

function describeHere({ draft, draftSpec, spec, machine: { cores } }: ExplorerState): string {
  if (draft.platform === 'threads') {
    return `${counted(cores, 'core')} of this machine, in a browser, not the reporter’s server`;
  }
  const server = (spec ?? draftSpec)?.server;
  const name = server === undefined ? '' : ` (${describeServer(server)})`;
  return `deterministic server model${name}, per second of virtual time, not the reporter’s server`;
}

const Metric = ({ figure: { figure, unit, conditions, here } }: { figure: ReportedFigure }) => (
  <>
    {figure}, {unit}
    <Remark>{conditions}</Remark>
    {here?.kind === 'futex_bucket_spin_percent' && <Remark>Here: whole run, after it ends.</Remark>}
  </>
);

const rowsByScenario = reproductions as Readonly<Record<string, readonly ReproductionRow[]>>;

/**
 * Shows the virtual server's results for the report's figures. They are precomputed, because they
 * are the same on any machine.
 */
function ReproductionPanel() {
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
