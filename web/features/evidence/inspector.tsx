import { lazy, Suspense, useEffect, useRef, type ReactNode } from 'react';

import { formatWhole } from '../../analysis/format';
import { CommandButton } from '../../widgets/command-button';
import { Part } from '../../widgets/part';
import { useExplorer, usePerform } from '../../widgets/session-context';
import { Loading } from '../../widgets/loading';
import { Tabs } from '../../widgets/tabs';
import {
  evidenceTitles,
  evidenceCommandId,
  firstFormOf,
  formsOf,
  inspectorTabs,
  tabOf,
  tabTitle,
  WIDEN_EVIDENCE,
  type EvidenceTab,
  type InspectorTab,
} from './evidence';
import { WhyPanel } from './why-panel';

// Loaded when first shown.
const ReportedForm = lazy(() => import('./reported-panel'));
const LatchTable = lazy(() => import('./latch-table'));
const CounterTable = lazy(() => import('./counter-table'));
const FlameGraph = lazy(() => import('./flame-graph'));
const SourceCode = lazy(() => import('./source-code'));
const StackList = lazy(() => import('./stack-list'));
const BlockedStackList = lazy(() => import('./blocked-stack-list'));
const CpuTables = lazy(() => import('./cpu-tables'));
const SysbenchOutput = lazy(() => import('./sysbench-output'));
const ServerLogOutput = lazy(() => import('./server-log-output'));
const ResultPanel = lazy(() => import('./result-panel'));

const contents: Record<Exclude<EvidenceTab, 'why' | 'chain'>, ReactNode> = {
  flame: <FlameGraph />,
  source: <SourceCode />,
  reported: <ReportedForm />,
  latches: <LatchTable />,
  stacks: <StackList />,
  blocked_stack: <BlockedStackList />,
  cpu: <CpuTables />,
  sysbench: (
    <AutoScroll>
      <SysbenchOutput />
    </AutoScroll>
  ),
  server_log: (
    <AutoScroll>
      <ServerLogOutput />
    </AutoScroll>
  ),
  counters: <CounterTable />,
  result: <ResultPanel />,
};

/** Shows one form of the evidence, outside of the inspector. */
export const EvidenceForm = ({ place }: { place: string }) => {
  const form = place.replace('evidence.', '');
  return <Suspense fallback={<Loading />}>{(contents as Record<string, ReactNode>)[form]}</Suspense>;
};

interface InspectorProps {
  /** Explains why one transaction was slow. */
  chain?: ReactNode;
  /** Shows the cores, the latch's words and its queue at the time under the pointer. */
  lockPicture?: ReactNode;
  /** The picture comes first while the reader points at a time. */
  isPictureFirst?: boolean;
}

/** Explains the run: the selection, and all forms of evidence, in one order for all bugs. */
export function Inspector({ chain, lockPicture, isPictureFirst = false }: InspectorProps) {
  const perform = usePerform();
  const manifest = useExplorer((state) => state.scenario.manifest);
  const { tab, isWide } = useExplorer((state) => state.evidence);
  const form = tab ?? 'why';
  const tabs = (Object.keys(inspectorTabs) as InspectorTab[]).map((id) => ({
    id,
    title: tabTitle(id, manifest),
    content: (
      <>
        <Forms tab={id} shown={form} />
        <Part key={form} name={`“${evidenceTitles[form]}”`}>
          <Suspense fallback={<Loading />}>
            {form === 'why' && <WhyPanel lockPicture={lockPicture} isPictureFirst={isPictureFirst} />}
            {form === 'chain' && chain}
            {form !== 'why' && form !== 'chain' && contents[form]}
          </Suspense>
        </Part>
      </>
    ),
  }));
  return (
    <section
      className="panel evidence-panel"
      aria-label="Inspector"
      data-panel="Inspector"
      data-is-wide={isWide}
    >
      <h2 className="visually-hidden">Inspector</h2>
      <Tabs
        label="Inspector"
        tabs={tabs}
        chosen={tabOf(form)}
        onChoose={(id) => perform(evidenceCommandId(firstFormOf(id, manifest)))}
      />
      <footer className="row inspector-foot">
        <CommandButton command={WIDEN_EVIDENCE} className="button-form button-widen" pressed={isWide}>
          Wide
        </CommandButton>
        <InvariantsInShort />
      </footer>
    </section>
  );
}

/** Selects a form of a tab that has several. */
function Forms({ tab, shown }: { tab: InspectorTab; shown: EvidenceTab }) {
  const manifest = useExplorer((state) => state.scenario.manifest);
  return (
    <div className="forms" role="group" aria-label={`Views of ${tabTitle(tab, manifest)}`}>
      {formsOf(tab, manifest).map((form) => (
        <CommandButton
          key={form}
          command={evidenceCommandId(form)}
          className="button-form"
          pressed={form === shown}
        >
          {evidenceTitles[form]}
        </CommandButton>
      ))}
    </div>
  );
}

/** Shows in every form whether the run kept all invariants of the server. */
function InvariantsInShort() {
  const invariants = useExplorer(({ result }) => result?.invariants);
  if (invariants === undefined || invariants.length === 0) return null;
  const broken = invariants.filter(({ ok }) => !ok).length;
  return (
    <p className="invariants-in-short" data-are-broken={broken > 0}>
      <CommandButton command={evidenceCommandId('result')} className="button-form">
        {broken === 0
          ? `All ${formatWhole(invariants.length)} invariants hold`
          : `${formatWhole(broken)} of ${formatWhole(invariants.length)} invariants are broken`}
      </CommandButton>
    </p>
  );
}

const AT_END_PX = 40;

/**
 * Keeps the end of growing text in view by scrolling the surrounding element, unless the reader has
 * scrolled away from it.
 */
function AutoScroll({ children }: { children: ReactNode }) {
  const content = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const scroller = content.current!.parentElement!;
    let isAtEnd = true;
    const onScroll = () => {
      isAtEnd = scroller.scrollTop + scroller.clientHeight >= scroller.scrollHeight - AT_END_PX;
    };
    const growth = new ResizeObserver(() => {
      if (isAtEnd) scroller.scrollTo({ top: scroller.scrollHeight });
    });
    scroller.addEventListener('scroll', onScroll);
    growth.observe(content.current!);
    return () => {
      scroller.removeEventListener('scroll', onScroll);
      growth.disconnect();
    };
  }, []);
  return <div ref={content}>{children}</div>;
}
