// Declares what the slides need from the lesson, the stage and the page.
import type { QueuePicture } from '../../analysis/client-queue';
import type { LessonTask } from '../../contract/lesson';
import type { RunSpec } from '../../contract/run-spec';
import type { StageStory } from '../../contract/scenario-files/stage';
import type { HistoryRows } from '../../recording/history';
import type { RunMark } from '../../recording/run-marks';
import type { Session } from '../../session/session';

/** The lesson whose slides are shown. */
export interface PresentersLesson {
  /** Opens the lesson at a step, by its index from 0. */
  open: (step: number) => void;
  close: () => void;
  /** Points at the subject of an observation of the open step. */
  look: (index: number) => void;
  /** Performs a task of a step. Settles when its run has started, or when it has explained. */
  perform: (step: number, task: number) => Promise<void>;
  /** Returns the run that a task starts. */
  specOf: (task: LessonTask) => RunSpec;
}

/** A bug's recorded run. */
export interface PresentersStage {
  story: StageStory;
  course: {
    spec: RunSpec;
    marks: readonly RunMark[];
    history: HistoryRows;
    pictures: readonly QueuePicture[];
  };
  numbersInWords: readonly NumberInWords[];
}

/** A number of the recorded run. `after` is the step of the run after which it applies. */
export interface NumberInWords {
  after: number;
  title: string;
  value: string;
  ratioInWords: string;
  change: 'worse' | 'better' | undefined;
}

export interface PresenterPorts {
  session: Session;
  lesson: PresentersLesson;
  /** Rejects if the bug has none. */
  loadStage: (scenario: string) => Promise<PresentersStage>;
  /** Settles with whether the browser allowed it. */
  toggleFullScreen: () => Promise<boolean>;
  openDialog: (dialog: 'present') => void;
}
