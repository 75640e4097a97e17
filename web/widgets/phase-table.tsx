import { useMemo } from 'react';

import { formatShare, formatWhole } from '../analysis/format';
import { measuredPhases } from '../session/measured-phases';
import { useExplorer } from './session-context';

/** What the run has measured so far, from change to change. */
export function PhaseTable() {
  const manifest = useExplorer((state) => state.scenario.manifest);
  const spec = useExplorer((state) => state.spec);
  const marks = useExplorer((state) => state.marks);
  const intervals = useExplorer((state) => state.intervals);
  const phases = useMemo(
    () => (spec === null ? [] : measuredPhases({ marks, intervals, spec }, manifest)),
    [marks, intervals, spec, manifest],
  );
  const first = phases[0];
  if (first === undefined) return null;
  return (
    <table className="figures phases">
      <caption>Measured in this run</caption>
      <thead>
        <tr>
          <th scope="col">from</th>
          <th scope="col">TPS</th>
          <th scope="col">of the first</th>
        </tr>
      </thead>
      <tbody>
        {phases.map(({ label, from_s, tps }) => (
          <tr key={from_s}>
            <th scope="row">{label}</th>
            <td>{formatWhole(tps)}</td>
            <td>{formatShare(tps / first.tps)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
