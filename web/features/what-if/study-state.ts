// Declares the what-if studies' slice of the page's state.
import type { StudySettings } from '../../contract/study-settings';
import type { WhatIfReport } from '../../contract/what-if-report';
import type { BatchProgress } from '../../session/batch';
import type { ExplorerState } from '../../session/store';
import { default_study, type StudyPlan, type StudyRun } from './study-plan';

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
  report_json: string | null;
  failed: readonly FailedRun[];
  /** Real seconds of a run on this machine; null before the first run. */
  run_took_s: number | null;
}

export interface StudySlice {
  study_settings: StudySettings;
  /** The study in progress. */
  study_progress: BatchProgress<StudyRun> | null;
  study: StudyOutcome | null;
}

export type StudyState = ExplorerState & StudySlice;

export const no_study: StudySlice = { study_settings: default_study, study_progress: null, study: null };
