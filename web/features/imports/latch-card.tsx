// Shows what the catalogue knows of one latch, which a link or a search names.
import { formatShare } from '../../analysis/format';
import type { MatchedLatch } from '../../contract/import-report';
import { CommandButton } from '../../widgets/command-button';
import { Panel } from '../../widgets/panel';
import { useExplorer } from '../../widgets/session-context';
import { useLoaded } from '../../widgets/use-loaded';
import { LatchFacts } from './latch-facts';

const loadLatch = async (id: string) => {
  const { latchOf } = await import('./latches');
  return { id, as: (server: Parameters<typeof latchOf>[1]) => latchOf(id, server) };
};

export function LatchCard() {
  const id = useExplorer((state) => state.shownLatch);
  return id === null ? null : <Card id={id} />;
}

function Card({ id }: { id: string }) {
  const scenarios = useExplorer((state) => state.scenarios);
  const report = useExplorer((state) => state.waits.report);
  const loaded = useLoaded(loadLatch, id);
  if (loaded instanceof Error) return <p role="alert">The catalogue could not be loaded. Reload the page.</p>;
  if (loaded?.id !== id) return null;
  const server = report?.server ?? null;
  const matched = loaded.as(server);
  if (matched === null) return null;
  return (
    <Panel
      title={matched.name}
      remark={kinds[matched.kind]}
      note={<CommandButton command="waits.close_latch">Close</CommandButton>}
      className="latch-card"
    >
      {report !== null && <p>{inReport(report.latches, id)}</p>}
      <LatchFacts matched={matched} server={server} scenarios={scenarios} />
    </Panel>
  );
}

const kinds: Record<MatchedLatch['kind'], string> = {
  mutex: 'mutex',
  rwlock: 'rw-latch',
  sxlock: 'sx-latch',
  cond: 'condition',
};

function inReport(latches: readonly { matched: MatchedLatch | null; share: number }[], id: string): string {
  const own = latches.filter(({ matched }) => matched?.id === id);
  if (own.length === 0) return 'Your texts do not name it.';
  return `In your texts: ${formatShare(own.reduce((sum, { share }) => sum + share, 0))} of the waiting.`;
}
