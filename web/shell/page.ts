// Puts the session and the features of the page together. Knows neither React nor the browser.
import { evidenceCommands, evidence_feature, showOpenedMeasuredFiles } from '../features/evidence/evidence';
import { experimentCommands } from '../features/experiments/experiment-commands';
import { Experiments } from '../features/experiments/experiments';
import { experiments_feature } from '../features/experiments/feature';
import { exportCommands, fileCommands, type FilePort } from '../features/files/file-commands';
import { lessons_feature } from '../features/lessons/feature';
import { lessonCommands } from '../features/lessons/guidance-commands';
import { LessonGuide } from '../features/lessons/lesson-guide';
import { presenter_feature } from '../features/presenter/feature';
import { Presenter } from '../features/presenter/presenter';
import { presenterCommands } from '../features/presenter/presenter-commands';
import { chartCommands, runCommands, scenarioCommands } from '../session/commands';
import { storeWithSlice } from '../session/feature';
import { Session, type SessionOptions } from '../session/session';
import { pageCommands, themeCommands } from './page-commands';
import { shell_feature, type PageState } from './page-state';

/** What the page needs of the browser. */
export interface BrowserPorts {
  reload: () => Promise<void>;
  /** Shows the link in the address bar and copies it. Settles with what to tell the reader. */
  copyLink: (link: string) => Promise<string>;
  files: FilePort;
  /** Settles with whether the browser allowed it. */
  toggleFullScreen: () => Promise<boolean>;
  now_ms: () => number;
}

export interface Page {
  session: Session;
  experiments: Experiments;
  lesson: LessonGuide;
  presenter: Presenter;
}

/** In the order of their fields in a link. */
export const all_features = [
  lessons_feature,
  presenter_feature,
  experiments_feature,
  evidence_feature,
  shell_feature,
];

export function createPage(options: Omit<SessionOptions, 'features'>, browser: BrowserPorts): Page {
  const session = new Session({ ...options, features: all_features });
  const lesson = new LessonGuide(session);
  const presenter = new Presenter(session, lesson);
  const experiments = new Experiments({
    store: storeWithSlice<PageState>(session.store),
    beginSeries: (name, cancel) => session.beginSeries(name, cancel),
    place: (target) => {
      session.place(target);
    },
    now_ms: browser.now_ms,
  });
  session.onLinkOpened((of_features) => {
    experiments.openLink(of_features);
    lesson.openLink(of_features);
    presenter.openLink(of_features);
  });
  showOpenedMeasuredFiles(session);
  const page = { session, experiments, lesson, presenter };
  registerCommands(page, browser);
  return page;
}

/** In the order in which the command palette lists them. */
function registerCommands(page: Page, { reload, copyLink, files, toggleFullScreen }: BrowserPorts): void {
  const { session, experiments, lesson, presenter } = page;
  const { commands } = session;
  commands.register(runCommands(session, { reload, copyLink }));
  commands.register(chartCommands(session));
  commands.register(
    experimentCommands(experiments, (name, content) => {
      files.save(name, content);
    }),
  );
  commands.register(scenarioCommands(session));
  commands.register(themeCommands(session));
  commands.register(evidenceCommands(session));
  commands.register(lessonCommands(lesson, session));
  commands.register(presenterCommands(presenter, session, toggleFullScreen));
  commands.register(pageCommands(session));
  commands.register(exportCommands(session, files));
  commands.register(fileCommands(session, files));
}
