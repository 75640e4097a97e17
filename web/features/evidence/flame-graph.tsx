import { useMemo, useState } from 'react';

import type { FlameStack } from '../../contract/live-view';
import { flameStacksOfRun, flameTree } from '../../analysis/flame';
import { FlameChoice, FlameGraph, samplesUnit } from '../../widgets/flame-graph';
import { useIsVirtual, useSamplesSpan } from '../../widgets/run-time';
import { useExplorer, useInFrame } from '../../widgets/session-context';

/** Draws all sampled stacks of the run in one graph. */
export default function RunFlameGraph() {
  const [shown, show] = useState({ clients: true, server: false });
  const [chosenSpan, chooseSpan] = useState<Span | null>(null);
  const isOver = useExplorer((state) => state.result !== null);
  const isVirtual = useIsVirtual();
  const span = chosenSpan ?? (isOver ? 'run' : 'recent');
  const stacks = useStacks(span);
  const root = useMemo(
    () =>
      flameTree(
        rootName(shown),
        (stacks ?? []).filter((stack) => isShown(stack, shown)),
      ),
    [stacks, shown],
  );
  return (
    <FlameGraph
      root={root}
      unit={samplesUnit}
      isModeled={isVirtual}
      choices={
        <>
          <Whose shown={shown} onChange={show} />
          <SpanChoice span={span} onChange={chooseSpan} />
        </>
      }
      nothing={stacks === undefined ? 'Run to sample stacks.' : 'No samples of these threads.'}
      note={
        span === 'run' && isOver
          ? 'For the whole run, only the most frequent stacks.'
          : 'The lowest frames show thread states.'
      }
    />
  );
}

type Span = 'recent' | 'run';

interface Shown {
  clients: boolean;
  server: boolean;
}

function rootName({ clients, server }: Shown): string {
  if (clients && server) return 'all threads';
  return server ? 'server threads' : 'clients';
}

const isShown = ({ is_client }: FlameStack, { clients, server }: Shown) =>
  (is_client !== false && clients) || (is_client !== true && server);

/** Returns undefined while there are no samples. */
function useStacks(span: Span): FlameStack[] | undefined {
  const flame = useInFrame((state) => state.live?.flame);
  const runStacks = useExplorer((state) => state.result?.stacks);
  return useMemo(() => {
    if (span === 'recent' || runStacks === undefined) return flame?.[span];
    return flameStacksOfRun(runStacks, flame?.run ?? []);
  }, [span, flame, runStacks]);
}

function Whose({ shown, onChange }: { shown: Shown; onChange: (shown: Shown) => void }) {
  const box = (part: keyof Shown, title: string) => (
    <FlameChoice
      type="checkbox"
      title={title}
      isChosen={shown[part]}
      onChange={(isChosen) => onChange({ ...shown, [part]: isChosen })}
    />
  );
  return (
    <span role="group" aria-label="Threads" className="row flame-group">
      {box('clients', 'clients')}
      {box('server', 'server threads')}
    </span>
  );
}

function SpanChoice({ span, onChange }: { span: Span; onChange: (span: Span) => void }) {
  const samplesSpan = useSamplesSpan();
  const radio = (value: Span, title: string) => (
    <FlameChoice
      type="radio"
      name="flame-span"
      title={title}
      isChosen={span === value}
      onChange={() => onChange(value)}
    />
  );
  return (
    <span role="radiogroup" aria-label="Time span" className="row flame-group">
      {radio('recent', `last ${samplesSpan}`)}
      {radio('run', 'whole run')}
    </span>
  );
}
