// A study of a what-if: its fields of a link.
import type { Field } from './draft.ts';

/** What a curve supposes of a hand-off. */
export type HandOver = 'as_it_is' | 'line' | 'wake_up' | 'both' | 'free';

export type StudyKind = 'profile' | 'curve';

/** What a study has beside the run spec. null: the default. */
export interface StudySettings {
  kind: StudyKind;
  /** Of a curve: a latch, or one of its sites, or a cost of the server. */
  latch: string | null;
  site: string | null;
  hand_over: HandOver;
  cost: string | null;
  /** Of a curve: percents, as they were typed. */
  scale: string | null;
  /** Of a profile. */
  percent: Field | null;
  top: Field | null;
  seeds: Field | null;
  /** Run time from which on all counts; 0: all of the run. */
  from_s: Field | null;
}
