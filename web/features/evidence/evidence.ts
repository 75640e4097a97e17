// The evidence beside the charts: one of several forms at a time.
import type { CommandSource } from '../../session/command-registry';
import { storeWithSlice, type Feature } from '../../session/feature';
import type { Session } from '../../session/session';
import type { ExplorerState } from '../../session/store';
import type { Evidence, Manifest } from '../../contract/manifest';

/** Forms that reports use, and those that only this page has. */
export type EvidenceTab = Evidence | 'flame' | 'source' | 'reported';

export interface EvidenceSlice {
  evidence: {
    /** Null: the scenario's first one. */
    tab: EvidenceTab | null;
    /** It takes up the room of two columns; the charts get narrower. */
    is_wide: boolean;
  };
}

export type EvidenceState = ExplorerState & EvidenceSlice;

const evidence_at_first: EvidenceSlice = { evidence: { tab: null, is_wide: false } };

/** The evidence, as the session knows it. */
export const evidence_feature: Feature = {
  slice: evidence_at_first,
  sliceAfterLeaving: (before) => ({ evidence: { ...(before as EvidenceState).evidence, tab: null } }),
};

/** A measured file that the reader opens lies beside the reported figures: these are shown. */
export function showOpenedMeasuredFiles(session: Session): void {
  const store = storeWithSlice<EvidenceState>(session.store);
  store.subscribe(({ measured_files, evidence }, before) => {
    if (measured_files === before.measured_files) return;
    const is_opened = Object.entries(measured_files).some(
      ([scenario, file]) => file !== null && file !== before.measured_files[scenario],
    );
    if (is_opened) store.setState({ evidence: { ...evidence, tab: 'reported' } });
  });
}

export const evidence_titles: Record<EvidenceTab, string> = {
  flame: 'Flame graph',
  source: 'Source',
  reported: 'Reported',
  latches: 'Latches',
  stacks: 'Stacks',
  blocked_stack: 'Blocked',
  cpu: 'CPU',
  sysbench: 'sysbench',
  server_log: 'Server log',
  counters: 'Counters',
};

/** First the forms of this scenario's report, then the others. */
export function evidenceTabs({ evidence }: Manifest): EvidenceTab[] {
  const all = Object.keys(evidence_titles) as EvidenceTab[];
  return [...evidence, ...all.filter((tab) => !(evidence as EvidenceTab[]).includes(tab))];
}

export const evidenceCommandId = (tab: EvidenceTab) => `evidence.${tab}`;
export const WIDEN_EVIDENCE = 'evidence.widen';

export function evidenceCommands(session: Session): CommandSource<EvidenceState> {
  const store = storeWithSlice<EvidenceState>(session.store);
  const show = (change: Partial<EvidenceSlice['evidence']>) => {
    store.setState(({ evidence }) => ({ evidence: { ...evidence, ...change } }));
  };
  return {
    dependsOn: ({ scenario }) => [scenario],
    commands: ({ scenario }) => [
      ...evidenceTabs(scenario.manifest).map((tab) => ({
        id: evidenceCommandId(tab),
        title: `Evidence: ${evidence_titles[tab]}`,
        isEnabled: () => true,
        execute: () => {
          show({ tab });
        },
      })),
      {
        id: WIDEN_EVIDENCE,
        title: 'Widen the evidence, or make it narrow again',
        isEnabled: () => true,
        execute: () => {
          show({ is_wide: !store.getState().evidence.is_wide });
        },
      },
    ],
  };
}
