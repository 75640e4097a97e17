// Declares the latch lab's slice of the page's state.
import type { Judgement, LabCheckResult, LabMeasurement, LabSettings } from '../../contract/lab-results';
import type { WalkStep } from '../../analysis/latch-walk';

import type { LinkedLab } from './lab-link';
import type { ExplorerStore } from '../../session/store';

export interface LabCheck {
  source: string;
  result: LabCheckResult;
  /** Steps of the fault or of a starvation; empty if there is none. */
  walk: readonly WalkStep[];
  /** Index of the shown step. */
  step: number;
}

export interface LabWork {
  kind: 'check' | 'measure' | 'judge';
  sentence: string;
  /** From 0 to 1. */
  partDone: number;
}

export interface LabSlice {
  lab: {
    /**
     * The place in a server that will use the latch, by its id in lab-server.ts; null for the first
     * place.
     */
    place: string | null;
    /** The latch of lab/latches/ that the reader started with. */
    latch: string;
    /** The open exercise, which replaces the latch; null if none. */
    exercise: string | null;
    /** The reader's source; null if it is unchanged. */
    source: string | null;
    settings: LabSettings;
    /** Latches to measure next to the reader's. */
    references: readonly string[];
    /** The work in progress; null if none. */
    work: LabWork | null;
    /** Why the last work was refused. */
    refusal: readonly string[];
    check: LabCheck | null;
    measurement: LabMeasurement | null;
    /** The judgement of the exercise. */
    judgement: { source: string; judgement: Judgement } | null;
    /** Counts exercises opened by the path. After each, the title of the exercise takes the focus. */
    arrivals: number;
    /** Exercises solved on this device, with the answers. */
    solved: Readonly<Record<string, string>>;
  };
}

declare module '../../session/store' {
  interface FeatureSlices extends LabSlice {}
}

const defaultReferences: readonly string[] = ['test-and-set', 'ticket', 'mcs', 'futex-drepper'];

export const firstSettings: LabSettings = {
  server: 'epyc-cloud-2025',
  threads: '1,2,4,8,16,24,32',
  hold_ns: '60',
  think_ns: '200',
  shared_percent: '0',
};

export const firstLab: LabSlice = {
  lab: {
    place: null,
    latch: 'test-and-test-and-set',
    exercise: null,
    source: null,
    settings: firstSettings,
    references: defaultReferences,
    work: null,
    refusal: [],
    check: null,
    measurement: null,
    judgement: null,
    arrivals: 0,
    solved: {},
  },
};

/** Applies the lab's fields of a link. */
export function openLabLink(store: ExplorerStore, { linkedLab }: { linkedLab?: LinkedLab }): void {
  if (linkedLab === undefined) return;
  const { lab } = store.getState();
  const opened = { ...firstLab.lab, settings: lab.settings, solved: lab.solved, arrivals: lab.arrivals };
  store.setState({ lab: { ...opened, ...linkedLab } });
}
