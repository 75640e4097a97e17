// Declares the inspector beside the charts: a few tabs, in one order for all bugs, each with one or
// more forms of evidence.
import type { CommandSource } from '../../session/command-registry';
import type { Session } from '../../session/session';
import type { ExplorerState } from '../../session/store';
import type { Evidence, Manifest } from '../../contract/manifest';

/** Forms that reports use, and forms of this page only. */
export type EvidenceTab = Evidence | 'why' | 'chain' | 'flame' | 'source' | 'reported' | 'result';

/** The tabs of the inspector, and the forms in each. */
export const inspectorTabs = {
  why: { title: 'Why', forms: ['why', 'chain', 'blocked_stack'] },
  latches: { title: 'Latches', forms: ['latches', 'counters'] },
  profile: { title: 'Profile', forms: ['flame', 'stacks', 'cpu', 'source'] },
  report: { title: 'Report', forms: ['reported', 'sysbench', 'server_log', 'result'] },
} as const satisfies Record<string, { title: string; forms: readonly EvidenceTab[] }>;
export type InspectorTab = keyof typeof inspectorTabs;

export interface EvidenceSlice {
  evidence: {
    /** The shown form; null shows a summary of the run. */
    tab: EvidenceTab | null;
    /** Whether it uses the space of two columns, which makes the charts narrower. */
    isWide: boolean;
  };
}

declare module '../../session/store' {
  interface FeatureSlices extends EvidenceSlice {}
}

export const evidenceAtFirst: EvidenceSlice = { evidence: { tab: null, isWide: false } };

/**
 * Shows the reported figures when the reader opens a measured file, which is shown next to them.
 */
export function showOpenedMeasuredFiles(session: Session): void {
  const store = session.store;
  store.subscribe(({ measuredFiles, evidence }, before) => {
    if (measuredFiles === before.measuredFiles) return;
    const isOpened = Object.entries(measuredFiles).some(
      ([scenario, file]) => file !== null && file !== before.measuredFiles[scenario],
    );
    if (isOpened) store.setState({ evidence: { ...evidence, tab: 'reported' } });
  });
}

/** Shows the reader's selection under Why. */
export function showWhatIsSelected(session: Session): void {
  const store = session.store;
  store.subscribe(({ selected, evidence }, before) => {
    if (selected !== before.selected && selected !== null)
      store.setState({ evidence: { ...evidence, tab: 'why' } });
  });
}

export const evidenceTitles: Record<EvidenceTab, string> = {
  why: 'Summary',
  chain: 'Chain',
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
  result: 'Whole run',
};

/** Forms with content of a bug: its report, and the engine's source of its variants. */
const formsOfBugs: readonly EvidenceTab[] = ['reported', 'source'];
const hasForm = (form: EvidenceTab, { bug }: Pick<Manifest, 'bug'>) =>
  bug !== undefined || !formsOfBugs.includes(form);

const allFormsOf = (tab: InspectorTab): readonly EvidenceTab[] => inspectorTabs[tab].forms;

/** Returns the forms of a tab that the scenario has. */
export const formsOf = (tab: InspectorTab, manifest: Pick<Manifest, 'bug'>): EvidenceTab[] =>
  allFormsOf(tab).filter((form) => hasForm(form, manifest));

/** A workload has no report. */
export const tabTitle = (tab: InspectorTab, { bug }: Pick<Manifest, 'bug'>): string =>
  tab === 'report' && bug === undefined ? 'Output' : inspectorTabs[tab].title;

const allTabs = Object.keys(inspectorTabs) as InspectorTab[];

/** Returns the tab that contains a form. */
export const tabOf = (form: EvidenceTab): InspectorTab =>
  allTabs.find((tab) => allFormsOf(tab).includes(form)) ?? 'why';

/** Returns the form that a tab shows first: the form of this bug's report, if the tab has it. */
export function firstFormOf(tab: InspectorTab, manifest: Manifest): EvidenceTab {
  const forms = formsOf(tab, manifest);
  return manifest.evidence?.find((form) => forms.includes(form)) ?? forms[0]!;
}

export const evidenceCommandId = (tab: EvidenceTab) => `evidence.${tab}`;
export const WIDEN_EVIDENCE = 'evidence.widen';

export function evidenceCommands(session: Session): CommandSource {
  const store = session.store;
  const show = (change: Partial<EvidenceSlice['evidence']>) => {
    store.setState(({ evidence }) => ({ evidence: { ...evidence, ...change } }));
  };
  return {
    commands: () => [
      ...allTabs.flatMap(allFormsOf).map((tab) => ({
        id: evidenceCommandId(tab),
        title: `Evidence: ${evidenceTitles[tab]}`,
        isEnabled: ({ scenario }: ExplorerState) => hasForm(tab, scenario.manifest),
        unlessEnabled: 'only bugs have it',
        execute: () => show({ tab }),
      })),
      {
        id: WIDEN_EVIDENCE,
        title: 'Toggle wide inspector',
        execute: () => show({ isWide: !store.getState().evidence.isWide }),
      },
    ],
  };
}
