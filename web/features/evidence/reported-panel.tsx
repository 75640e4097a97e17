import { formatFigure, formatRange } from '../../analysis/format';
import type { ReportedFigure } from '../../contract/manifest';
import { describeServer } from '../../contract/servers';
import type { ExplorerState } from '../../session/store';
import { specWithWhatIf } from '../../session/baseline-run';
import { whatIfInWords } from '../../session/what-if-words';
import { EvidenceNote } from '../../widgets/evidence-note';
import { Panel } from '../../widgets/panel';
import { useExplorer, useInFrame } from '../../widgets/session-context';
import { Table } from '../../widgets/table';

/**
 * Shows the report's figures next to this page's measurements. They come from different machines,
 * and the panel says so.
 */
export default function ReportedPanel() {
  const figures = useExplorer((state) => state.scenario.manifest.reported);
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
    return `${cores} ${cores === 1 ? 'core' : 'cores'} of this machine, in a browser, not the reporter’s server`;
  }
  const server = (spec ?? draftSpec)?.server;
  const name = server === undefined ? '' : ` (${describeServer(server)})`;
  return `deterministic server model${name}, per second of virtual time, not the reporter’s server`;
}

const Metric = ({ figure: { figure, unit, conditions, here } }: { figure: ReportedFigure }) => (
  <>
    {figure}, {unit}
    <span className="muted figure-conditions">{conditions}</span>
    {here?.kind === 'futex_bucket_spin_percent' && (
      <span className="muted figure-conditions">Here: whole run, after it ends.</span>
    )}
  </>
);
