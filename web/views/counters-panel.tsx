import { formatWhole } from '../analysis/format';
import { counters } from '../engine-client/gen/telemetry-layout';
import { Panel } from './panel';
import { useExplorer } from './session-context';

const meanings = new Map<string, string>(counters.map(({ name, meaning }) => [name, meaning]));

export function CountersPanel() {
  const shown = useExplorer((state) => state.scenario.manifest.shown_counters);
  const values = useExplorer((state) => state.live?.counters);
  return (
    <Panel title="Counters">
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
    </Panel>
  );
}
