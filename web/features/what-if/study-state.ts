// What the studies of what-if add to the state of the page.
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

/** What has come out, or what there is of a study that goes on. */
export interface StudyOutcome {
  plan: StudyPlan;
  /** Null before the run as it is has come to something. */
  report: WhatIfReport | null;
  /** The same, to the byte as the engine wrote it. */
  report_json: string | null;
  failed: readonly FailedRun[];
  /** How long a run took here, in real seconds; null before the first. */
  run_took_s: number | null;
}

export interface StudySlice {
  study_settings: StudySettings;
  /** The study that goes on. */
  study_progress: BatchProgress<StudyRun> | null;
  study: StudyOutcome | null;
}

export type StudyState = ExplorerState & StudySlice;

export const no_study: StudySlice = { study_settings: default_study, study_progress: null, study: null };
