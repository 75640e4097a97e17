import type { ReactNode } from 'react';

import type { Evidence } from '../state/manifest';
import { BlockedStackList } from './blocked-stack-list';
import { CounterTable } from './counter-table';
import { CpuTables } from './cpu-tables';
import { FollowedEnd } from './followed-end';
import { LatchTable } from './latch-table';
import { ServerLogOutput } from './server-log-output';
import { useExplorer } from './session-context';
import { StackList } from './stack-list';
import { SysbenchOutput } from './sysbench-output';
import { Tabs } from './tabs';

const forms: Record<Evidence, { title: string; content: ReactNode }> = {
  latches: { title: 'Latches', content: <LatchTable /> },
  stacks: { title: 'Stacks', content: <StackList /> },
  blocked_stack: { title: 'Blocked', content: <BlockedStackList /> },
  cpu: { title: 'CPU', content: <CpuTables /> },
  sysbench: {
    title: 'sysbench',
    content: (
      <FollowedEnd>
        <SysbenchOutput />
      </FollowedEnd>
    ),
  },
  server_log: {
    title: 'Server log',
    content: (
      <FollowedEnd>
        <ServerLogOutput />
      </FollowedEnd>
    ),
  },
  counters: { title: 'Counters', content: <CounterTable /> },
};
const all_forms = Object.keys(forms) as Evidence[];

/** What is wrong, in the forms that reports use: first those of this scenario's report. */
export function EvidencePanel() {
  const evidence = useExplorer((state) => state.scenario.manifest.evidence);
  const others = all_forms.filter((form) => !evidence.includes(form));
  const tabs = [...evidence, ...others].map((form) => ({ id: form, ...forms[form] }));
  return (
    <section className="panel evidence-panel" aria-label="Evidence">
      <h2 className="visually-hidden">Evidence</h2>
      <Tabs label="Evidence" tabs={tabs} />
    </section>
  );
}
