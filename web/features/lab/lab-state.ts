// What the latch lab adds to the state of the page.
import type { LabMeasurement, LabSettings } from '../../contract/lab-measurement';
import type { Judgement } from '../../contract/judgement';
import type { WalkStep } from '../../analysis/latch-walk';
import type { LabCheckResult } from '../../contract/lab-results';
import type { StoreApi } from 'zustand/vanilla';

import type { Feature } from '../../session/feature';
import type { ExplorerState } from '../../session/store';
import { LAB_FIELDS, isLabField, labPairs, parseLab, type LinkedLab } from './lab-link';

export interface LabCheck {
  source: string;
  result: LabCheckResult;
  /** Of the fault; empty if there is none. */
  walk: readonly WalkStep[];
  /** Index of the step that is looked at. */
  step: number;
}

export interface LabWork {
  kind: 'check' | 'measure' | 'judge';
  sentence: string;
  /** From 0 to 1. */
  part_done: number;
}

export interface LabSlice {
  lab: {
    /** Where in a server it is taken, as lab-server.ts names it; null: to the first place. */
    place: string | null;
    /** The latch that the reader has begun with, as lab/latches/ has it. */
    latch: string;
    /** The exercise that is open instead; null: none. */
    exercise: string | null;
    /** What the reader has made of it; null: nothing. */
    source: string | null;
    settings: LabSettings;
    /** Latches that are measured beside the reader's. */
    references: readonly string[];
    /** What goes on; null: nothing. */
    work: LabWork | null;
    /** Why the last work was not done. */
    refusal: readonly string[];
    check: LabCheck | null;
    measurement: LabMeasurement | null;
    /** Of the exercise. */
    judgement: { source: string; judgement: Judgement } | null;
    /** Exercises that were solved on this device, with the answers. */
    solved: Readonly<Record<string, string>>;
  };
}

export type LabState = ExplorerState & LabSlice;

const default_references: readonly string[] = ['test-and-set', 'ticket', 'mcs', 'futex-drepper'];

export const first_settings: LabSettings = {
  server: 'epyc-cloud-2025',
  threads: '1,2,4,8,16,24,32',
  hold_ns: '60',
  think_ns: '200',
  shared_percent: '0',
};

const first_lab: LabSlice = {
  lab: {
    place: null,
    latch: 'test-and-test-and-set',
    exercise: null,
    source: null,
    settings: first_settings,
    references: default_references,
    work: null,
    refusal: [],
    check: null,
    measurement: null,
    judgement: null,
    solved: {},
  },
};

/** What a link says of the lab. */
export function openLabLink(store: StoreApi<LabState>, { linked_lab }: { linked_lab?: LinkedLab }): void {
  if (linked_lab === undefined) return;
  const { lab } = store.getState();
  const opened = { ...first_lab.lab, settings: lab.settings, solved: lab.solved };
  store.setState({ lab: { ...opened, ...linked_lab } });
}

export const lab_feature: Feature = {
  slice: first_lab,
  link: {
    names: LAB_FIELDS,
    is_beside_the_run: true,
    isField: isLabField,
    isOfAnyPlatform: isLabField,
    misplaced: (view, pairs) =>
      pairs.flatMap(([field, value]) =>
        isLabField(field) && view !== 'lab' ? [{ field, value, allowed: 'only with view=lab' }] : [],
      ),
    parse: parseLab,
    format: (state) => {
      const { view, lab } = state as LabState;
      return view === 'lab' ? labPairs(lab) : [];
    },
    partsOf: (state) => {
      const { lab } = state as LabState;
      return [lab.latch, lab.exercise, lab.source];
    },
  },
};
