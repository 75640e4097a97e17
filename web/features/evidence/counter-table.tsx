// Shows the counters of the run that matter for the bug, as totals and rates.
import { formatWhole } from '../../analysis/format';
import { counters } from '../../contract/gen/telemetry-layout';
import { EvidenceNote } from '../../widgets/evidence-note';
import { useRunTime } from '../../widgets/run-time';
import { useExplorer, useInFrame } from '../../widgets/session-context';

const meanings = new Map<string, string>(counters.map(({ name, meaning }) => [name, meaning]));

export default function CounterTable() {
  const shown = useExplorer((state) => state.scenario.manifest.shown_counters);
  const values = useInFrame((state) => state.live?.counters);
  const windowS = useInFrame((state) => state.live?.table_window_s);
  const formatRunTime = useRunTime();
  return (
    <>
      <EvidenceNote>Totals of this run, and the rate over the last {formatRunTime(windowS)}.</EvidenceNote>
      <table className="figures">
        <thead>
          <tr>
            <th scope="col">counter</th>
            <th scope="col">this run</th>
            <th scope="col">per second</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((name) => {
            const value = values?.find((candidate) => candidate.name === name);
            return (
              <tr key={name}>
                <th scope="row">
                  <code>{name}</code>
                  <span className="muted figure-conditions">{meanings.get(name)}</span>
                </th>
                <td>{formatWhole(value?.total)}</td>
                <td>{formatWhole(value?.per_s)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </>
  );
}
