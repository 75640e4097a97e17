// Declares the what-if studies' slice of the page's state.
import type { WhatIfReport } from '../../contract/what-if-report';
import type { StudySettings } from '../../contract/draft';
import type { BatchProgress } from '../../session/batch';
import { defaultStudy, type StudyPlan, type StudyRun } from './study-plan';

export interface FailedRun {
  point: string;
  seed: number;
  reason: string;
}

/** The outcome of a study, partial while it is in progress. */
export interface StudyOutcome {
  plan: StudyPlan;
  /** Null until an unchanged run has succeeded. */
  report: WhatIfReport | null;
  /** The report, byte for byte as the engine wrote it. */
  reportJson: string | null;
  failed: readonly FailedRun[];
  /** Real seconds of a run on this machine; null before the first run. */
  runTookS: number | null;
}

export interface StudySlice {
  studySettings: StudySettings;
  /** The study in progress. */
  studyProgress: BatchProgress<StudyRun> | null;
  study: StudyOutcome | null;
}

declare module '../../session/store' {
  interface FeatureSlices extends StudySlice {}
}

export const noStudy: StudySlice = { studySettings: defaultStudy, studyProgress: null, study: null };
