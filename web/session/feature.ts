// Declares what a feature adds to the session and to the page. The session does not know any
// feature; the shell passes all of them when it creates the session.
import type { Fault } from '../contract/fault';
import type { Scenario } from '../contract/manifest';
import type { Machine, Parsed, RunSpec } from '../contract/run-spec';
import type { CommandSource } from './command-registry';
import type { ExplorerState, FeatureSlices, View } from './store';

/** The objects of features that views use, by name. Each feature adds its own to this interface. */
export interface FeatureModels {}

/** `Ports` is what the feature needs from the page. */
export interface Feature<Ports = never> {
  /** Initial slice of the state. */
  slice?: Partial<FeatureSlices>;
  /** Returns changes of its slice when the page shows another scenario or platform. */
  sliceAfterLeaving?: (before: ExplorerState, isOtherScenario: boolean) => Partial<FeatureSlices>;
  link?: LinkFields;
  /** Starts the feature in a page. */
  open?: (page: Ports) => OpenedFeature;
}

/** A feature in a page. */
export interface OpenedFeature {
  models?: Partial<FeatureModels>;
  /** In the order in which the command palette lists them. */
  commands?: readonly CommandSource[];
  /** Shows the feature's fields of an opened link. */
  openLink?: (ofFeatures: object) => void;
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
  /**
   * The view of these fields, which needs no bug: a link with one of them may omit version, view and
   * bug.
   */
  view?: View;
  isField: (key: string) => boolean;
  /** Whether the field means the same on each platform. */
  isOfAnyPlatform: (key: string) => boolean;
  /** Returns faults of fields that mean nothing in the link's view. */
  misplaced?: (view: View, pairs: readonly LinkPair[]) => Fault[];
  /** Parses the fields. */
  parse: (link: ParsedLink) => Parsed<object>;
  /** Returns the fields of a link to the page's present state. */
  format: (state: ExplorerState) => LinkPair[];
  /** Returns the reader's source in the view, which links leave out if it is too long. */
  sourceOf?: (state: ExplorerState) => string | null;
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
