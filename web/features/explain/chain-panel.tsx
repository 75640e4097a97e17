import { CommandButton, CommandRow } from '../../widgets/command-button';
import { EvidenceNote } from '../../widgets/evidence-note';
import { Panel } from '../../widgets/panel';
import { useIsVirtual } from '../../widgets/run-time';
import { useExplorer } from '../../widgets/session-context';
import type { Explaining } from './explain-state';
import { ExplainedView } from './explained-view';
import './explain.css';

/**
 * Explains why one transaction was slow: the choice of the transaction, the progress, and the
 * outcome.
 */
export default function ChainPanel() {
  if (!useIsVirtual()) return <OnRealThreads />;
  return (
    <div className="chain">
      <WhichTransaction />
      <Outcome />
      <Stage />
    </div>
  );
}

function OnRealThreads() {
  return (
    <div className="chain">
      <EvidenceNote>
        On real threads, the cause of one slow transaction is unknown. Cache-line stalls and waits for a core
        are invisible, and a run cannot be repeated. The virtual server knows both to the picosecond.
      </EvidenceNote>
      <p>
        <CommandButton command="locks.on_virtual_server" className="button-small">
          Run on the virtual server
        </CommandButton>
      </p>
    </div>
  );
}

const choices = {
  'explain.slowest': 'Slowest in charts',
  'explain.p99': 'p99 in charts',
  'explain.slowest_in_lanes': 'Slowest in lanes',
  'explain.oldest': 'Oldest active',
  'explain.held': 'Pinned in lanes',
  'explain.blame': 'Slowest 1 %: blame',
};

const WhichTransaction = () => (
  <Panel title="Why was this transaction slow?">
    <CommandRow of={choices} />
  </Panel>
);

function Outcome() {
  const explaining = useExplorer((state) => state.explaining);
  switch (explaining.stage) {
    case 'none':
      return (
        <EvidenceNote>
          Or click a client’s lane or the latency chart. The explanation replays the run to this point twice
          in the background: first to list its transactions, then to record everything during one of them.
        </EvidenceNote>
      );
    case 'under_way':
      return <UnderWay title={explaining.title} partDone={explaining.partDone} />;
    case 'refused':
      return (
        <Panel title={explaining.title}>
          {explaining.reasons.map((reason) => (
            <p key={reason} role="alert" className="hint hint-error">
              {reason}
            </p>
          ))}
        </Panel>
      );
    case 'done':
      return <ExplainedView title={explaining.title} explained={explaining} />;
  }
}

const stageWords: Record<Explaining['stage'], string> = {
  none: '',
  under_way: 'Explanation started.',
  refused: '',
  done: 'Explanation finished.',
};

/** Announces the stage to screen readers. */
const Stage = () => (
  <p role="status" className="visually-hidden">
    {useExplorer((state) => stageWords[state.explaining.stage])}
  </p>
);

function UnderWay({ title, partDone }: { title: string; partDone: number }) {
  const percent = Math.round(partDone * 100);
  return (
    <Panel title={title}>
      <p className="row chain-progress">
        <progress aria-label="Explanation progress" max={100} value={percent} />
        <span>
          {percent} %: {partDone < 0.5 ? 'listing transactions' : 'recording one transaction'}
        </span>
        <CommandButton command="explain.cancel" className="button-small">
          Cancel
        </CommandButton>
      </p>
    </Panel>
  );
}
