import { formatShare } from '../../analysis/format';
import { knownStates, timeSharesOf, type TimeShares } from '../../contract/time-shares';
import { CodeName } from '../../widgets/code-name';
import { EvidenceNote } from '../../widgets/evidence-note';
import { useIsVirtual, useSamplesSpan, useRunTime } from '../../widgets/run-time';
import { useExplorer, useInFrame } from '../../widgets/session-context';
import { stateName } from '../../widgets/state-names';

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
  return (
    <>
      <table className="figures">
        <thead>
          <tr>
            <th scope="col">share of time</th>
            {knownStates(isVirtual).map((state) => (
              <th key={state} scope="col">
                {stateName(state, isVirtual)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <StateRow title="clients" when={now} shares={cpu?.clients} />
          <StateRow title="server threads" when={now} shares={cpu?.server} />
          <StateRow title="clients" when="whole run" shares={result && timeSharesOf(result.cpu)} />
          <StateRow
            title="server threads"
            when="whole run"
            shares={result && timeSharesOf(result.engine_cpu)}
          />
        </tbody>
      </table>
      {!isVirtual && (
        <EvidenceNote>
          Stalled (on a cache line) and ready (without a core) are unknown on this machine: a running thread
          may be either.
        </EvidenceNote>
      )}
    </>
  );
}

interface StateRowProps {
  title: string;
  when: string;
  shares: TimeShares | null | undefined;
}

function StateRow({ title, when, shares }: StateRowProps) {
  return (
    <tr>
      <th scope="row">
        {title} <span className="muted">{when}</span>
      </th>
      {knownStates(useIsVirtual()).map((state) => (
        <td key={state}>{formatShare(shares?.[state])}</td>
      ))}
    </tr>
  );
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
      <table className="figures profile">
        <thead>
          <tr>
            <th scope="col">function</th>
            <th scope="col">self</th>
            <th scope="col">children</th>
          </tr>
        </thead>
        <tbody>
          {profile?.rows.map(({ symbol, self, children }) => (
            <tr key={symbol}>
              <th scope="row">
                <code>
                  <CodeName name={symbol} />
                </code>
              </th>
              <td>{formatShare(self)}</td>
              <td>{formatShare(children)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
