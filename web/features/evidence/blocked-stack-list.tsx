import type { BlockedStack } from '../../contract/live-view';
import type { ThreadState } from '../../contract/telemetry-states';
import { Backtrace } from '../../widgets/backtrace';
import { EvidenceNote } from '../../widgets/evidence-note';
import { useSamplesSpan } from '../../widgets/run-time';
import { useExplorer, useInFrame } from '../../widgets/session-context';

/** Shows where threads are blocked, in the form of a debugger's backtrace. */
export default function BlockedStackList() {
  const blocked = useInFrame((state) => state.live?.blocked);
  const span = useSamplesSpan();
  const isFile = useExplorer((state) => state.opened !== null);
  if (isFile) return <EvidenceNote>A run result has no blocked stacks.</EvidenceNote>;
  return (
    <>
      <EvidenceNote>Call stacks of threads that are not running, last {span}.</EvidenceNote>
      <BlockedBacktrace
        title="Blocks other threads"
        stack={blocked?.holding_others_up}
        nothing="No blocked thread was seen blocking others."
      />
      <BlockedBacktrace
        title="Most frequent client stack"
        stack={blocked?.most_frequent}
        nothing="No blocked client was seen."
      />
    </>
  );
}

interface BlockedBacktraceProps {
  title: string;
  stack: BlockedStack | null | undefined;
  /** Text shown if there is no such stack. */
  nothing: string;
}

const BlockedBacktrace = ({ title, stack, nothing }: BlockedBacktraceProps) => (
  <Backtrace title={title} frames={stack?.frames ?? null}>
    {stack ? <Found stack={stack} /> : <p className="muted">{nothing}</p>}
  </Backtrace>
);

function Found({ stack }: { stack: BlockedStack }) {
  const { count, holds, waiters } = stack;
  return (
    <p>
      Found {times(count)}: {whatItDoes(stack)}
      {holds.length > 0 && `, holding ${holds.join(', ')}`}
      {waiters > 0 && `; waiters for it found ${times(waiters)}`}.
    </p>
  );
}

const stateWords: Partial<Record<ThreadState, string>> = {
  ready: 'ready, without a core',
  sleeping: 'asleep on a timer or an event',
  io: 'in device I/O',
};

function whatItDoes({ state, waits_for }: BlockedStack): string {
  if (state === 'following') return 'asleep in a commit group';
  if (waits_for !== null) return `${state === 'spinning' ? 'polling' : 'waiting for'} ${waits_for}`;
  return stateWords[state] ?? state;
}

const times = (count: number) => (count === 1 ? 'once' : `${count} times`);
