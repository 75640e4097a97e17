import { lazy, Suspense, type ReactNode } from 'react';

import {
  evidence_titles,
  evidenceCommandId,
  evidenceTabs,
  WIDEN_EVIDENCE,
  type EvidenceTab,
  type EvidenceState,
} from './evidence';
import { BlockedStackList } from './blocked-stack-list';
import { CommandButton } from '../../widgets/command-button';
import { CounterTable } from './counter-table';
import { CpuTables } from './cpu-tables';
import { FlameGraph } from './flame-graph';
import { FollowedEnd } from '../../widgets/followed-end';
import { LatchTable } from './latch-table';
import { Part } from '../../widgets/part';
import { ReportedPanel } from './reported-panel';
import { ReproductionPanel } from '../../widgets/reproduction-panel';
import { ServerLogOutput } from './server-log-output';
import { useExplorer, useSession } from '../../widgets/session-context';
import { SourceCode } from './source-code';
import { StackList } from './stack-list';
import { SysbenchOutput } from './sysbench-output';
import { Tabs } from '../../widgets/tabs';

/** Loaded with what was counted, when it is first shown. */
const RealServersPanel = lazy(() => import('./real-servers-panel'));

const contents: Record<EvidenceTab, ReactNode> = {
  flame: <FlameGraph />,
  source: <SourceCode />,
  reported: (
    <>
      <ReportedPanel />
      <Suspense fallback={null}>
        <RealServersPanel />
      </Suspense>
      <ReproductionPanel />
    </>
  ),
  latches: <LatchTable />,
  stacks: <StackList />,
  blocked_stack: <BlockedStackList />,
  cpu: <CpuTables />,
  sysbench: (
    <FollowedEnd>
      <SysbenchOutput />
    </FollowedEnd>
  ),
  server_log: (
    <FollowedEnd>
      <ServerLogOutput />
    </FollowedEnd>
  ),
  counters: <CounterTable />,
};

/** What is wrong, in the forms that reports use: first those of this scenario's report. */
export function EvidencePanel() {
  const session = useSession();
  const manifest = useExplorer((state) => state.scenario.manifest);
  const { tab, is_wide } = useExplorer((state: EvidenceState) => state.evidence);
  const ids = evidenceTabs(manifest);
  const tabs = ids.map((id) => ({
    id,
    title: evidence_titles[id],
    content: <Part name={`“${evidence_titles[id]}”`}>{contents[id]}</Part>,
  }));
  const choose = (id: EvidenceTab) => {
    void session.commands.perform(evidenceCommandId(id));
  };
  return (
    <section className="panel evidence-panel" aria-label="Evidence" data-is-wide={is_wide}>
      <h2 className="visually-hidden">Evidence</h2>
      <CommandButton command={WIDEN_EVIDENCE} className="button-widen" pressed={is_wide}>
        Wide
      </CommandButton>
      <Tabs label="Evidence" tabs={tabs} chosen={tab ?? ids[0]!} onChoose={choose} />
    </section>
  );
}
