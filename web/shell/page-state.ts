// Declares the shell's part of the page's state, and the whole state with the slices of all
// features.
import type { EvidenceSlice } from '../features/evidence/evidence';
import type { ExperimentSlice } from '../features/experiments/experiment-state';
import type { ExplainSlice } from '../features/explain/explain-state';
import type { ForksSlice } from '../features/forks/forks-state';
import type { GlossarySlice } from '../features/glossary/glossary';
import type { LabSlice } from '../features/lab/lab-state';
import type { LastRunSlice } from '../features/last-run/last-run';
import type { LocksSlice } from '../features/locks/locks-state';
import type { LessonSlice } from '../features/lessons/lesson-state';
import type { PresenterReadings } from '../contract/page-readings';
import type { StudySlice } from '../features/what-if/study-state';
import type { Feature } from '../session/feature';
import type { ExplorerState } from '../session/store';

interface ShellSlice {
  dialog: 'palette' | 'help' | 'picture' | 'glossary' | 'courses' | null;
  /** Ids of commands chosen in the command palette, latest first. */
  recentCommands: readonly string[];
  /** False disables single-key shortcuts, for readers whose speech input types letters. */
  areShortcutsOn: boolean;
}

export type PageState = ExplorerState &
  ShellSlice &
  EvidenceSlice &
  ExperimentSlice &
  ExplainSlice & { forks: ForksSlice } & GlossarySlice &
  LabSlice &
  LastRunSlice &
  LessonSlice &
  LocksSlice &
  PresenterReadings &
  StudySlice;

const shellAtFirst: ShellSlice = { dialog: null, recentCommands: [], areShortcutsOn: true };

export const shellFeature: Feature = { slice: shellAtFirst };
