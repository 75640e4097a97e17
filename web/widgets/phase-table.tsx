import { formatShare, formatWhole } from '../analysis/format';
import type { RunPhase } from '../session/measured-phases';
import { usePhases } from './use-phases';

/** Shows the run's measurements so far, phase by phase. */
export function PhaseTable() {
  const phases = usePhases().filter(isMeasured);
  const first = phases[0];
  if (first === undefined) return null;
  return (
    <table className="figures phases">
      <caption>Measured in this run</caption>
      <thead>
        <tr>
          <th scope="col">phase</th>
          <th scope="col">TPS</th>
          <th scope="col">of first phase</th>
        </tr>
      </thead>
      <tbody>
        {phases.map(({ label, fromS, tps }) => (
          <tr key={fromS}>
            <th scope="row">{label}</th>
            <td>{formatWhole(tps)}</td>
            <td>{formatShare(tps / first.tps)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const isMeasured = (phase: RunPhase): phase is RunPhase & { tps: number } => phase.tps !== null;
