// Defines the link fields of a what-if study.
import type { Field } from './draft.ts';

/** The change of the hand-off that a curve assumes. */
export type HandOver = 'as_it_is' | 'line' | 'wake_up' | 'both' | 'free';

export type StudyKind = 'profile' | 'curve';

/** Fields of a study in addition to the run spec. null: default. */
export interface StudySettings {
  kind: StudyKind;
  /** Curve: a latch, one of its sites, or a cost of the server. */
  latch: string | null;
  site: string | null;
  hand_over: HandOver;
  cost: string | null;
  /** Curve: percents, as typed. */
  scale: string | null;
  /** Profile only. */
  percent: Field | null;
  top: Field | null;
  seeds: Field | null;
  /** Run time from which all counts; 0: the whole run. */
  from_s: Field | null;
}
