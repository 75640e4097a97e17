// Declares what the slides need from the lesson, the stage and the page.
import type { Scenario } from '../../contract/manifest';
import type { Machine, RunSpec } from '../../contract/run-spec';
import type { StageStory } from '../../contract/scenario-files/stage';
import type { Course } from '../../session/course';
import type { LessonRun } from '../../session/lesson-runs';
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
}

/** A run of a lesson, as it was recorded. */
export interface RecordedLessonRun extends LessonRun {
  course: Course;
}

/** A bug's stage. */
export interface PresentersStage {
  story: StageStory;
  course: { spec: RunSpec };
  numbersInWords: readonly NumberInWords[];
}

/** A number of the recorded run. `after` is the step of the run after which it applies. */
export interface NumberInWords {
  after: number;
  /** Transactions per second, or seconds. */
  number: number;
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
  /** Returns the runs of a lesson that this build has recordings of. */
  loadRecordings: (scenario: Scenario, machine: Machine) => Promise<RecordedLessonRun[]>;
  /** Settles with whether the browser allowed it. */
  toggleFullScreen: () => Promise<boolean>;
  openDialog: (dialog: 'present') => void;
}
