import { formatFigure, formatRange } from '../../analysis/format';
import type { ReportedFigure } from '../../contract/manifest';
import { describeServer } from '../../contract/servers';
import type { ExplorerState } from '../../session/store';
import { specWithWhatIf } from '../../session/baseline-run';
import { whatIfInWords } from '../../session/what-if-words';
import { EvidenceNote } from '../../widgets/evidence-note';
import { Panel } from '../../widgets/panel';
import { useExplorer, useInFrame } from '../../widgets/session-context';

/**
 * Shows the report's figures next to this page's measurements. They come from different machines,
 * and the panel says so.
 */
export default function ReportedPanel() {
  const figures = useExplorer((state) => state.scenario.manifest.reported);
  const here = useExplorer(describeHere);
  const whatIf = useExplorer((state) => whatIfInWords(specWithWhatIf(state)?.what_if));
  return (
    <Panel title="Reported vs. here">
      {whatIf !== null && (
        <EvidenceNote>
          Not compared: this run has a what-if that the reporter’s server did not have ({whatIf}).
        </EvidenceNote>
      )}
      <table className="figures reported">
        <thead>
          <tr>
            <th scope="col">metric</th>
            <th scope="col">reported</th>
            <th scope="col">here</th>
            <th scope="col">here ÷ reported</th>
          </tr>
        </thead>
        <tbody>
          {figures.map((figure) => (
            <ReportedRow key={figure.id} figure={figure} />
          ))}
        </tbody>
      </table>
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

function ReportedRow({ figure }: { figure: ReportedFigure }) {
  const measured = useInFrame((state) => state.live?.measured[figure.id]);
  return (
    <tr>
      <th scope="row">
        {figure.figure}, {figure.unit}
        <span className="muted figure-conditions">{figure.conditions}</span>
        {figure.here?.kind === 'futex_bucket_spin_percent' && (
          <span className="muted figure-conditions">Here: whole run, after it ends.</span>
        )}
      </th>
      <td>{formatRange(figure.value)}</td>
      <td>{figure.here ? formatFigure(measured?.here) : 'not measured'}</td>
      <td>{formatFigure(measured?.ratio)}</td>
    </tr>
  );
}
