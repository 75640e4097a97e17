// Combines the session and the features of the page. Does not depend on the browser.
import { evidenceCommandId, evidenceFeature } from '../features/evidence';
import { experimentsFeature } from '../features/experiments';
import { explainFeature } from '../features/explain';
import { filesFeature, type FilePort } from '../features/files';
import { forksFeature } from '../features/forks';
import { glossaryFeature } from '../features/glossary';
import { importsFeature, type StreamedFile } from '../features/imports';
import { labFeature } from '../features/lab';
import { lastRunFeature, type TabStorage } from '../features/last-run';
import { lessonsFeature } from '../features/lessons';
import { locksFeature } from '../features/locks';
import { picturesFeature } from '../features/pictures';
import { loadRecordings, presenterFeature } from '../features/presenter';
import { serverFeature } from '../features/server';
import { loadStage, stageFeature } from '../features/stage';
import { rewindFeature } from '../features/rewind';
import { whatIfFeature } from '../features/what-if';
import { workloadFeature } from '../features/workload';
import { chartCommands, runCommands, scenarioCommands, type CommandPorts } from '../session/commands';
import type { Feature, FeatureModels } from '../session/feature';
import { Session, type SessionOptions } from '../session/session';
import type { FeatureSlices } from '../session/store';
import { pageCommands, shellAtFirst, themeCommands, type PageDialog } from './page-commands';

/** What the page needs from the browser. */
export interface BrowserPorts extends CommandPorts {
  files: FilePort & { pickSeveral: () => Promise<readonly StreamedFile[]> };
  /** Settles with a message for the reader. */
  copyText: (text: string) => Promise<string>;
  /** Settles with whether the browser allowed it. */
  toggleFullScreen: () => Promise<boolean>;
  nowMs: () => number;
  /** Returns the lab's text stored on this device; null if there is none. */
  remembered: () => string | null;
  remember: (text: string) => void;
  /** Returns the workload stored on this device; null if there is none. */
  rememberedWorkload: () => string | null;
  rememberWorkload: (text: string) => void;
  /** The tab's storage for the shown run. */
  lastRunStorage: TabStorage;
}

/** What features need from the page. The objects are those of the features before them. */
interface PagePorts extends BrowserPorts, FeatureModels {
  session: Session;
  openDialog: (dialog: PageDialog, slice?: Partial<FeatureSlices>) => void;
  /** Shows the chain of an explanation in the inspector. */
  showChain: () => void;
  /** Loads a bug's recorded run; rejects if there is none. */
  loadStage: (scenario: string) => ReturnType<typeof loadStage>;
  loadRecordings: typeof loadRecordings;
}

export type Page = { session: Session } & FeatureModels;

const runFeature: Feature<PagePorts> = {
  open: ({ session, reload, copyLink }) => ({ commands: [runCommands(session, { reload, copyLink })] }),
};
const chartFeature: Feature<PagePorts> = {
  open: ({ session }) => ({ commands: [chartCommands(session)] }),
};
const scenarioFeature: Feature<PagePorts> = {
  open: ({ session }) => ({ commands: [scenarioCommands(session), themeCommands(session)] }),
};
const shellFeature: Feature<PagePorts> = {
  slice: shellAtFirst,
  open: ({ session }) => ({ commands: [pageCommands(session)] }),
};

/** In the order of their commands in the command palette, and of their fields in a link. */
export const allFeatures: readonly Feature<PagePorts>[] = [
  runFeature,
  rewindFeature,
  chartFeature,
  experimentsFeature,
  whatIfFeature,
  scenarioFeature,
  stageFeature,
  evidenceFeature,
  locksFeature,
  explainFeature,
  lessonsFeature,
  presenterFeature,
  forksFeature,
  picturesFeature,
  glossaryFeature,
  serverFeature,
  labFeature,
  workloadFeature,
  shellFeature,
  filesFeature,
  importsFeature,
  lastRunFeature,
];

export function createPage(options: Omit<SessionOptions, 'features'>, browser: BrowserPorts): Page {
  const session = new Session({ ...options, features: allFeatures });
  const models: Partial<FeatureModels> = {};
  const ports = {
    session,
    ...browser,
    openDialog: (dialog: PageDialog, slice: Partial<FeatureSlices> = {}) => {
      session.store.setState({ dialog, ...slice });
    },
    showChain: () => {
      session.openView('explorer');
      void session.commands.perform(evidenceCommandId('chain'));
    },
    loadStage: (scenario: string) => loadStage(session, scenario),
    loadRecordings,
  };
  for (const { open } of allFeatures) {
    // A feature uses only objects of the features before it.
    const opened = open?.({ ...ports, ...models } as PagePorts);
    Object.assign(models, opened?.models);
    for (const source of opened?.commands ?? []) session.commands.register(source);
    if (opened?.openLink !== undefined) session.linkOpened.subscribe(opened.openLink);
  }
  return { session, ...models } as Page;
}
