// Declares the slice of the page's state for workload files.
import type { LabError } from '../../analysis/latch-language/lab-error';
import type { WorkloadProgram } from '../../contract/workload-program';
import type { ExplorerState } from '../../session/store';
import { FIRST_TEMPLATE, linkedIds } from './template-ids';

/** What the view shows beside the editor. */
export type WorkloadSide = 'declared' | 'run';

export interface WorkloadSlice {
  workload: {
    /** The template or the report that the reader started with. */
    template: string;
    /** The reader's source; null if the template is unchanged. */
    source: string | null;
    /** The latest compiled source, and its errors. */
    checked: { source: string; errors: readonly LabError[] } | null;
    /** The latest source without errors. */
    compiled: CompiledSource | null;
    side: WorkloadSide;
  };
}

export interface CompiledSource {
  source: string;
  program: WorkloadProgram;
}

/** Returns whether the shown scenario is a workload of the reader. */
export const isWorkloadOpen = ({ scenario }: Pick<ExplorerState, 'scenario'>) =>
  scenario.manifest.workload !== undefined;

declare module '../../session/store' {
  interface FeatureSlices extends WorkloadSlice {}
}

export const firstWorkload: WorkloadSlice = {
  workload: { template: FIRST_TEMPLATE, source: null, checked: null, compiled: null, side: 'declared' },
};

/** The part of the slice that this device stores, and that links contain. */
export type WorkloadText = Pick<WorkloadSlice['workload'], 'template' | 'source'>;

const DRAFT_VERSION = 1;

export const textOfDraft = ({ template, source }: WorkloadText) =>
  JSON.stringify({ version: DRAFT_VERSION, template, source });

/** Reads a stored draft. What the device stores may be anything: null if it is no draft. */
export function draftFrom(text: string | null): WorkloadText | null {
  if (text === null) return null;
  try {
    const { version, template, source } = JSON.parse(text) as Record<string, unknown>;
    const isDraft =
      version === DRAFT_VERSION &&
      linkedIds.some((id) => id === template) &&
      (source === null || typeof source === 'string');
    return isDraft ? ({ template, source } as WorkloadText) : null;
  } catch {
    return null;
  }
}
