// Shows the counters of the run that matter for the bug, as totals and rates.
import { formatWhole } from '../../analysis/format';
import { counters } from '../../contract/gen/telemetry-layout';
import { EvidenceNote } from '../../widgets/evidence-note';
import { useRunTime } from '../../widgets/run-time';
import { useExplorer, useInFrame } from '../../widgets/session-context';
import { Table } from '../../widgets/table';

const meanings = new Map<string, string>(counters.map(({ name, meaning }) => [name, meaning]));

export default function CounterTable() {
  const { shown_counters: shown, workload } = useExplorer((state) => state.scenario.manifest);
  const ofWorkload = workload?.program.counters ?? [];
  const values = useInFrame((state) => state.live?.counters);
  const windowS = useInFrame((state) => state.live?.table_window_s);
  const formatRunTime = useRunTime();
  const valueOf = (name: string) => values?.find((candidate) => candidate.name === name);
  return (
    <>
      <EvidenceNote>Totals of this run, and the rate over the last {formatRunTime(windowS)}.</EvidenceNote>
      <Table
        rows={shown}
        columns={[
          [
            'counter',
            (name) => (
              <>
                <code>{name}</code>
                <span className="muted figure-conditions">
                  {ofWorkload.includes(name) ? 'counted by the workload' : meanings.get(name)}
                </span>
              </>
            ),
          ],
          ['this run', (name) => formatWhole(valueOf(name)?.total)],
          ['per second', (name) => formatWhole(valueOf(name)?.per_s)],
        ]}
      />
    </>
  );
}
