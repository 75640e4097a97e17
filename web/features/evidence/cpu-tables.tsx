import { formatShare } from '../../analysis/format';
import { knownStates, timeSharesOf, type TimeShares } from '../../contract/time-shares';
import { CodeName } from '../../widgets/code-name';
import { EvidenceNote } from '../../widgets/evidence-note';
import { useIsVirtual, useSamplesSpan, useRunTime } from '../../widgets/run-time';
import { useExplorer, useInFrame } from '../../widgets/session-context';
import { stateName } from '../../widgets/state-names';
import { Table, type Column } from '../../widgets/table';

/** Shows what threads spend their time on, and a profile of the time on CPU. */
export default function CpuTables() {
  return (
    <>
      <StateTable />
      <ProfileTable />
    </>
  );
}

function StateTable() {
  const cpu = useInFrame((state) => state.live?.cpu);
  const windowS = useInFrame((state) => state.live?.table_window_s);
  const result = useExplorer((state) => state.result);
  const formatRunTime = useRunTime();
  const isVirtual = useIsVirtual();
  const now = windowS === undefined ? 'now' : `last ${formatRunTime(windowS)}`;
  const rows: StateRow[] = [
    { title: 'clients', when: now, shares: cpu?.clients },
    { title: 'server threads', when: now, shares: cpu?.server },
    { title: 'clients', when: 'whole run', shares: result && timeSharesOf(result.cpu) },
    { title: 'server threads', when: 'whole run', shares: result && timeSharesOf(result.engine_cpu) },
  ];
  return (
    <>
      <Table
        rows={rows}
        columns={[
          [
            'share of time',
            ({ title, when }) => (
              <>
                {title} <span className="muted">{when}</span>
              </>
            ),
          ],
          ...knownStates(isVirtual).map((state): Column<StateRow> => [
            stateName(state, isVirtual),
            ({ shares }) => formatShare(shares?.[state]),
          ]),
        ]}
      />
      {!isVirtual && (
        <EvidenceNote>
          Stalled (on a cache line) and ready (without a core) are unknown on this machine: a running thread
          may be either.
        </EvidenceNote>
      )}
    </>
  );
}

interface StateRow {
  title: string;
  when: string;
  shares: TimeShares | null | undefined;
}

/** Renders the profile in the form of `perf report --children`. */
function ProfileTable() {
  const span = useSamplesSpan();
  const isVirtual = useIsVirtual();
  const profile = useInFrame((state) => state.live?.profile);
  const isFile = useExplorer((state) => state.opened !== null);
  if (isFile) return <EvidenceNote>A run result has no CPU profile.</EvidenceNote>;
  return (
    <>
      <EvidenceNote>
        Time on CPU ({isVirtual ? 'running, stalled or spinning' : 'running or spinning'}) of clients and
        server threads, last {span}: {formatShare(profile?.polling)} of it is spent polling a latch.
        {!isVirtual && ' A thread that waits for a core counts as running.'}
      </EvidenceNote>
      <Table
        className="profile"
        rows={profile?.rows ?? []}
        columns={[
          [
            'function',
            ({ symbol }) => (
              <code>
                <CodeName name={symbol} />
              </code>
            ),
          ],
          ['self', ({ self }) => formatShare(self)],
          ['children', ({ children }) => formatShare(children)],
        ]}
      />
    </>
  );
}
