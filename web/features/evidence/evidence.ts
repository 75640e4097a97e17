// The evidence beside the charts: one of several forms at a time.
import type { Command } from '../../session/commands';
import type { Evidence, Manifest } from '../../contract/manifest';

/** Forms that reports use, and those that only this page has. */
export type EvidenceTab = Evidence | 'flame' | 'source' | 'reported';

export interface EvidenceState {
  /** Null: the scenario's first one. */
  tab: EvidenceTab | null;
  /** It takes up the room of two columns; the charts get narrower. */
  is_wide: boolean;
}

export const evidence_at_first: EvidenceState = { tab: null, is_wide: false };

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

export function evidenceCommands(manifest: Manifest): Command[] {
  return [
    ...evidenceTabs(manifest).map((tab) => ({
      id: evidenceCommandId(tab),
      title: `Evidence: ${evidence_titles[tab]}`,
      isEnabled: () => true,
      execute: ({ store }: Parameters<Command['execute']>[0]) => {
        store.setState(({ evidence }) => ({ evidence: { ...evidence, tab } }));
      },
    })),
    {
      id: WIDEN_EVIDENCE,
      title: 'Widen the evidence, or make it narrow again',
      isEnabled: () => true,
      execute: ({ store }) => {
        store.setState(({ evidence }) => ({ evidence: { ...evidence, is_wide: !evidence.is_wide } }));
      },
    },
  ];
}
