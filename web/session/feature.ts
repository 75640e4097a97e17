// What a feature adds to the session: its slice of the state, and its fields of a link. The session does not know the feature.
// The shell hands all features to the session when it makes it.
import type { StoreApi } from 'zustand/vanilla';

import type { Fault } from '../contract/fault';
import type { Scenario } from '../contract/manifest';
import type { Machine, Parsed, RunSpec } from '../contract/run-spec';
import type { ExplorerState, ExplorerStore, View } from './store';

export interface Feature {
  /** Its slice of the state, as it is at first. */
  slice?: object;
  /** What changes in its slice when the page shows another scenario or another platform. */
  sliceAfterLeaving?: (before: ExplorerState, is_other_scenario: boolean) => object;
  link?: LinkFields;
}

/** The fields that a feature has in a link, beside the run spec. */
export interface LinkFields {
  /** How the fields are named to the reader. */
  names: readonly string[];
  /** These fields do not describe the run: a link that has only them still starts the scenario's first run. */
  is_beside_the_run: boolean;
  isField: (key: string) => boolean;
  /** What such a field says means the same on any platform. */
  isOfAnyPlatform: (key: string) => boolean;
  /** Faults of fields that mean nothing in the view that the link opens. */
  misplaced?: (view: View, pairs: readonly LinkPair[]) => Fault[];
  /** What the fields say. */
  parse: (link: ParsedLink) => Parsed<object>;
  /** The fields for a link to the page as it is now. */
  format: (state: ExplorerState) => LinkPair[];
  /** The parts of the state that `format` reads. */
  partsOf: (state: ExplorerState) => readonly unknown[];
}

export type LinkPair = [key: string, value: string];

/** A link whose run spec has been read. */
export interface ParsedLink {
  view: View;
  /** All pairs, and those that mean something on the platforms of this page. */
  pairs: readonly LinkPair[];
  runnable: readonly LinkPair[];
  spec: RunSpec;
  scenario: Scenario;
  machine: Machine;
}

/** The same store, for a feature that has put its slice into it. */
export const storeWithSlice = <State extends ExplorerState>(store: ExplorerStore) =>
  store as unknown as StoreApi<State>;
