// Declares what a feature adds to the session: a slice of the state, and fields of a link. The
// session does not know any feature; the shell passes all of them when it creates the session.
import type { StoreApi } from 'zustand/vanilla';

import type { Fault } from '../contract/fault';
import type { Scenario } from '../contract/manifest';
import type { Machine, Parsed, RunSpec } from '../contract/run-spec';
import type { ExplorerState, ExplorerStore, View } from './store';

export interface Feature {
  /** Initial slice of the state. */
  slice?: object;
  /** Returns changes of its slice when the page shows another scenario or platform. */
  sliceAfterLeaving?: (before: ExplorerState, isOtherScenario: boolean) => object;
  link?: LinkFields;
}

/** The fields of a feature in a link, in addition to the run spec. */
export interface LinkFields {
  /** The reader's names for the fields. */
  names: readonly string[];
  /**
   * These fields do not describe the run: a link with only them still starts the scenario's first
   * run.
   */
  isBesideTheRun: boolean;
  isField: (key: string) => boolean;
  /** Whether the field means the same on each platform. */
  isOfAnyPlatform: (key: string) => boolean;
  /** Returns faults of fields that mean nothing in the link's view. */
  misplaced?: (view: View, pairs: readonly LinkPair[]) => Fault[];
  /** Parses the fields. */
  parse: (link: ParsedLink) => Parsed<object>;
  /** Returns the fields of a link to the page's present state. */
  format: (state: ExplorerState) => LinkPair[];
  /** The parts of the state that `format` reads. */
  partsOf: (state: ExplorerState) => readonly unknown[];
}

export type LinkPair = [key: string, value: string];

/** A link with a parsed run spec. */
export interface ParsedLink {
  view: View;
  /** All pairs, and those that apply to the platforms of this page. */
  pairs: readonly LinkPair[];
  runnable: readonly LinkPair[];
  spec: RunSpec;
  scenario: Scenario;
  machine: Machine;
}

/** Types the store for a feature that has put its slice into it. */
export const storeWithSlice = <State extends ExplorerState>(store: ExplorerStore) =>
  store as unknown as StoreApi<State>;
