import { lazy, Suspense, type ReactNode } from 'react';

import type { HoldingThread, LatchRow } from '../../contract/live-view';
import type { ThreadState } from '../../contract/telemetry-states';
import { formatPerOperation, formatShare } from '../../analysis/format';
import { costOf, inOrderOfCost } from '../../analysis/latch-table';
import { stateBands, type StateBand } from '../../charts/chart-series';
import type { TimeShares } from '../../contract/time-shares';
import { CodeName } from '../../widgets/code-name';
import { LastSeenBadge } from '../../widgets/last-seen-badge';
import { Panel } from '../../widgets/panel';
import { useIsVirtual } from '../../widgets/run-time';
import { useExplorer, useInFrame, useSession } from '../../widgets/session-context';
import { stateName } from '../../widgets/state-names';

// Loaded at the first selection.
const SelectedCard = lazy(() => import('./selected-card'));

interface WhyPanelProps {
  lockPicture: ReactNode;
  isPictureFirst: boolean;
}

/**
 * Shows the selection, the clients' time by state, what holds them up, the most expensive latch, and
 * a description of the bug.
 */
export function WhyPanel({ lockPicture, isPictureFirst }: WhyPanelProps) {
  const picture = (
    <div key="picture" className="lock-picture-slot">
      {lockPicture}
    </div>
  );
  const selected = <SelectedPart key="selected" />;
  const rest = [<TimeInShort key="time" />, <Cause key="cause" />, <CostliestLatch key="costliest" />];
  return (
    <div className="why">
      {isPictureFirst ? [picture, selected, ...rest] : [selected, ...rest, picture]}
      <WhatIsWrong />
    </div>
  );
}

function SelectedPart() {
  const selected = useExplorer((state) => state.selected);
  return <Suspense>{selected !== null && <SelectedCard selected={selected} />}</Suspense>;
}

function WhatIsWrong() {
  const { manifest, last_seen } = useExplorer((state) => state.scenario);
  if (manifest.bug === undefined) return null;
  return (
    <Panel title={`What is wrong in ${manifest.server_version}`}>
      <p>
        {manifest.what_is_wrong}{' '}
        <a href={manifest.report.url} rel="noreferrer">
          report
        </a>
      </p>
      {last_seen !== null && <LastSeenBadge lastSeen={last_seen} isWhole />}
    </Panel>
  );
}

/** Shows the clients' time for the window of the tables. */
function TimeInShort() {
  const shares = useInFrame((state) => state.live?.cpu.clients ?? null);
  const isVirtual = useIsVirtual();
  if (shares === null) return null;
  return (
    <Panel title="Where client time goes">
      <dl className="time-in-short">
        {stateBands(isVirtual).map((band) => (
          <ShareRow key={band.column} band={band} name={stateName(band.column, isVirtual)} shares={shares} />
        ))}
      </dl>
    </Panel>
  );
}

interface ShareRowProps {
  band: StateBand;
  name: string;
  shares: TimeShares;
}

function ShareRow({ band, name, shares }: ShareRowProps) {
  const share = shares[band.column];
  return (
    <div>
      <dt>{name}</dt>
      <dd className="time-bar" aria-hidden="true">
        <span
          className={`texture-${band.texture}`}
          style={{ width: `${(share ?? 0) * 100}%`, backgroundColor: `var(${band.color})` }}
        />
      </dd>
      <dd>{formatShare(share)}</dd>
    </div>
  );
}

/** Names what blocked clients wait for in the end, which is often not the latch that they queue at. */
function Cause() {
  const isFile = useExplorer((state) => state.opened !== null);
  const cause = useInFrame((state) => state.live?.blocked.cause ?? null);
  if (isFile || cause === null) return null;
  const { share, latch, thread } = cause;
  return (
    <Panel title="What holds clients up">
      <p>
        {formatShare(share)} of blocked clients wait, directly or behind others, for{' '}
        {thread === null ? <BusyLatch latch={latch} /> : <HoldingThreadInWords thread={thread} />}.
      </p>
    </Panel>
  );
}

/** An event has no holders. */
function BusyLatch({ latch }: { latch: string }) {
  const row = useInFrame((state) => state.live?.latch_rows.find((one) => one.latch === latch));
  return (
    <>
      <CodeName name={latch} />
      {row?.acquisitions !== 0 && ', whose holders run'}
    </>
  );
}

function HoldingThreadInWords({ thread: { is_client, state, frames, holds } }: { thread: HoldingThread }) {
  const [innermost = 'an unknown function'] = frames;
  return (
    <>
      a {is_client ? 'client' : 'server thread'} {stateInWords[state] ?? state} in{' '}
      <CodeName name={innermost} />
      {holds.length > 0 && `, which holds ${holds.join(', ')}`}
    </>
  );
}

const stateInWords: Partial<Record<ThreadState, string>> = {
  io: 'in device I/O',
  sleeping: 'asleep',
  ready: 'without a core',
};

function CostliestLatch() {
  const session = useSession();
  const rows = useInFrame((state) => state.live?.latch_rows);
  const { operation } = useExplorer((state) => state.scenario.manifest.unit_of_work);
  const row = costliest(rows ?? []);
  if (row === null) return null;
  return (
    <Panel title="Most expensive latch">
      <p>
        <button
          type="button"
          className="link-button"
          onClick={() => session.select({ kind: 'latch', latch: row.latch })}
        >
          <CodeName name={row.latch} />
        </button>
        : {formatShare(costOf(row))} of client time is lost here in waits
        {row.cost_share !== null && ' and stalls'}
        {costOf(row) > 1 && ' (server threads included)'}
        {row.acquisitions > 0 && (
          <>
            ; {formatPerOperation(row.per_operation)} acquisitions per {operation}
          </>
        )}
        .
      </p>
    </Panel>
  );
}

function costliest(rows: readonly LatchRow[]): LatchRow | null {
  const [first] = inOrderOfCost(rows);
  return first !== undefined && costOf(first) > 0 ? first : null;
}
