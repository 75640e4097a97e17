// Combines the session and the features of the page. Does not depend on React or the browser.
import {
  evidenceCommands,
  evidenceFeature,
  evidenceCommandId,
  showOpenedMeasuredFiles,
  showWhatIsSelected,
} from '../features/evidence/evidence';
import { experimentCommands } from '../features/experiments/experiment-commands';
import { Experiments } from '../features/experiments/experiments';
import { explainCommands } from '../features/explain/explain-commands';
import { explainFeature } from '../features/explain/explain-state';
import { Explanations } from '../features/explain/explanations';
import { p99Of, slowestOf, whyNotExplained } from '../features/explain/which-transaction';
import { experimentsFeature } from '../features/experiments/feature';
import { exportCommands, fileCommands, type FilePort } from '../features/files/file-commands';
import { forkCommands } from '../features/forks/fork-commands';
import { Forks } from '../features/forks/forks';
import { forksFeature } from '../features/forks/forks-state';
import { glossaryFeature, glossaryCommands, type GlossarySlice } from '../features/glossary/glossary';
import { Lab } from '../features/lab/lab';
import { labFeature, openLabLink } from '../features/lab/lab-state';
import { lastRunFeature, LastRun, lastRunCommands, type TabStorage } from '../features/last-run/last-run';
import { lessonsFeature } from '../features/lessons/feature';
import { lessonCommands } from '../features/lessons/guidance-commands';
import { LessonGuide } from '../features/lessons/lesson-guide';
import { locksFeature, locksCommands } from '../features/locks/locks';
import { Locks } from '../features/locks/locks-state';
import { pictureCommands } from '../features/pictures/picture-commands';
import { presenterFeature } from '../features/presenter/feature';
import { Presenter } from '../features/presenter/presenter';
import { presenterCommands } from '../features/presenter/presenter-commands';
import { rewindCommands } from '../features/rewind/rewind';
import { whatIfFeature } from '../features/what-if/feature';
import { Studies } from '../features/what-if/studies';
import { studyCommands } from '../features/what-if/study-commands';
import { whatIfCommands } from '../features/what-if/what-if';
import { chartCommands, LATCH_OF_RUN, runCommands, scenarioCommands } from '../session/commands';
import { storeWithSlice } from '../session/feature';
import type { SharedLink } from '../session/link';
import { Session, type SessionOptions } from '../session/session';
import { pageCommands, themeCommands } from './page-commands';
import { shellFeature, type PageState } from './page-state';

/** What the page needs from the browser. */
export interface BrowserPorts {
  reload: () => Promise<void>;
  /** Shows the link in the address bar and copies it. Settles with a message for the reader. */
  copyLink: (shared: SharedLink) => Promise<string>;
  files: FilePort;
  /** Settles with a message for the reader. */
  copyText: (text: string) => Promise<string>;
  /** Settles with whether the browser allowed it. */
  toggleFullScreen: () => Promise<boolean>;
  nowMs: () => number;
  /** Returns the lab's text stored on this device; null if there is none. */
  remembered: () => string | null;
  remember: (text: string) => void;
  /** The tab's storage for the shown run. */
  lastRun: TabStorage;
}

export interface Page {
  session: Session;
  experiments: Experiments;
  studies: Studies;
  lesson: LessonGuide;
  presenter: Presenter;
  locks: Locks;
  explanations: Explanations;
  forks: Forks;
  lab: Lab;
  lastRun: LastRun;
}

/** In the order of their fields in a link. */
export const allFeatures = [
  lessonsFeature,
  presenterFeature,
  experimentsFeature,
  whatIfFeature,
  evidenceFeature,
  glossaryFeature,
  locksFeature,
  explainFeature,
  forksFeature,
  labFeature,
  lastRunFeature,
  shellFeature,
];

export function createPage(options: Omit<SessionOptions, 'features'>, browser: BrowserPorts): Page {
  const session = new Session({ ...options, features: allFeatures });
  const locks = new Locks();
  const explanations = explanationsOf(session, locks, browser);
  const lesson = new LessonGuide(session, {
    explain: ({ which, window }) => {
      const range = window && { fromS: window.from_s, toS: window.to_s };
      return explanations.explain(which === 'p99' ? p99Of(range) : slowestOf(range));
    },
    whyNotExplained: () => whyNotExplained(session.store.getState())?.message ?? null,
  });
  const presenter = new Presenter(session, lesson);
  const forks = new Forks(session);
  const experiments = new Experiments({
    store: storeWithSlice<PageState>(session.store),
    beginSeries: (name, cancel, runs) => session.beginSeries(name, cancel, runs),
    place: (target) => {
      session.place(target);
    },
    nowMs: browser.nowMs,
  });
  const studies = new Studies({
    store: storeWithSlice<PageState>(session.store),
    beginSeries: (name, cancel, runs) => session.beginSeries(name, cancel, runs),
    place: (target) => {
      session.place(target);
    },
    nowMs: browser.nowMs,
    whatIfReport: (study) => session.whatIfReport(study),
    hotLatches: (study) => session.hotLatches(study),
  });
  const lab = new Lab({
    store: storeWithSlice<PageState>(session.store),
    engine: () => session.extraEngines.engine(),
    show: () => {
      session.openView('lab');
    },
    start: async (spec) => {
      session.openView('explorer');
      await session.startRun(spec);
    },
    remembered: browser.remembered,
    remember: browser.remember,
    save: (name, content) => {
      browser.files.save(name, content);
    },
    register: (commands) => {
      session.commands.register(commands);
    },
  });
  session.onLinkOpened((ofFeatures) => {
    openLabLink(storeWithSlice<PageState>(session.store), ofFeatures);
    forks.openLink(ofFeatures);
    experiments.openLink(ofFeatures);
    studies.openLink(ofFeatures);
    lesson.openLink(ofFeatures);
    presenter.openLink(ofFeatures);
  });
  showOpenedMeasuredFiles(session);
  showWhatIsSelected(session);
  const lastRun = new LastRun(session, browser.lastRun);
  const parts = { session, experiments, studies, lesson, presenter, locks, explanations, forks, lab };
  const page = { ...parts, lastRun };
  registerCommands(page, browser);
  return page;
}

/** Shows an explanation in the inspector and its chain in the lanes. */
const explanationsOf = (session: Session, locks: Locks, { files, copyText }: BrowserPorts) =>
  new Explanations(session, {
    show: () => {
      session.openView('explorer');
      void session.commands.perform(evidenceCommandId('chain'));
    },
    showPath: (path) => {
      locks.showPath(path);
    },
    showPart: (part) => {
      locks.showPathPart(part);
    },
    revealLanes: () => {
      locks.revealLanes();
    },
    heldInLanes: () => locks.moment?.held ?? null,
    windowOfLanes: () => {
      const range = locks.moment?.range;
      return range === undefined ? null : { fromS: range.fromNs / 1e9, toS: range.toNs / 1e9 };
    },
    copyText,
    save: (name, content) => {
      files.save(name, content);
    },
  });

/** Registers commands in the order in which the command palette lists them. */
function registerCommands(page: Page, { reload, copyLink, files, toggleFullScreen }: BrowserPorts): void {
  const { session, experiments, studies, lesson, presenter, locks, forks, lab } = page;
  const { commands } = session;
  commands.register(runCommands(session, { reload, copyLink }));
  commands.register(rewindCommands(session));
  commands.register(whatIfCommands(session));
  commands.register(chartCommands(session));
  commands.register(
    experimentCommands(experiments, (name, content) => {
      files.save(name, content);
    }),
  );
  commands.register(
    studyCommands(studies, session, (name, content) => {
      files.save(name, content);
    }),
  );
  commands.register(scenarioCommands(session));
  commands.register(themeCommands(session));
  commands.register(evidenceCommands(session));
  commands.register(locksCommands(locks, session));
  commands.register(explainCommands(page.explanations));
  commands.register(lessonCommands(lesson, session));
  commands.register(presenterCommands(presenter, session, toggleFullScreen));
  const openDialog = (dialog: PageState['dialog'], ofFeature: Partial<GlossarySlice> = {}) => {
    storeWithSlice<PageState>(session.store).setState({ dialog, ...ofFeature });
  };
  commands.register(
    forkCommands(forks, () => {
      openDialog('courses');
    }),
  );
  commands.register(
    pictureCommands(() => {
      openDialog('picture');
    }),
  );
  commands.register(
    glossaryCommands((slice) => {
      openDialog('glossary', slice);
    }),
  );
  commands.register({
    commands: () => [
      {
        id: LATCH_OF_RUN,
        title: 'Latch lab: show this run’s latch',
        isEnabled: () => true,
        execute: async () => {
          (await lab.load()).begin(session.store.getState().draft.latch?.source ?? null);
        },
      },
    ],
  });
  commands.register(pageCommands(session));
  commands.register(exportCommands(session, files));
  commands.register(fileCommands(session, files));
  commands.register(lastRunCommands(page.lastRun));
}
