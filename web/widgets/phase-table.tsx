import { formatShare, formatWhole } from '../analysis/format';
import { Table } from './table';
import { usePhases } from './use-phases';

/** Shows the run's measurements so far, phase by phase. */
export function PhaseTable() {
  const phases = usePhases().filter(({ tps }) => tps !== null);
  const [first] = phases;
  if (first === undefined) return null;
  return (
    <Table
      className="phases"
      caption="Measured in this run"
      rows={phases}
      columns={[
        ['phase', ({ label }) => label],
        ['TPS', ({ tps }) => formatWhole(tps)],
        ['of first phase', ({ tps }) => formatShare(tps! / first.tps!)],
      ]}
    />
  );
}
