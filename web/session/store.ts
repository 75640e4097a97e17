// Declares the state that the session and the features share, and creates its store.
import { createStore, type StoreApi } from 'zustand/vanilla';

import type { Draft } from '../contract/draft';
import type { LatencyCounts } from '../analysis/exports/hdr-log';
import type { LongWait } from '../analysis/long-wait';
import type { MeasuredServer } from '../contract/real-servers/measured-server.mjs';
import type { MissingCapabilities } from '../engine-client/capabilities';
import type { Fault } from '../contract/fault';
import type { Platform } from '../contract/platforms';
import type { RunState } from '../contract/telemetry-states';
import type { RunReadings, SessionReadings } from '../contract/page-readings';
import { initialViewport, type ChartViewport } from '../charts/chart-viewport';
import { withGuardedListeners } from '../recording/listeners';
import type { Scenario } from '../contract/manifest';
import { defaultRunSpec, type Machine, type RunSpec, type WhatIf } from '../contract/run-spec';
import type { RunMark } from '../recording/run-marks';
import { emptyServerLog } from '../recording/server-log';
import { checkDraft, draftOf, type CheckedDraft } from './draft';
import type { LogEntry } from './log';
import type { PreviousRun } from './previous-run';
import type { RunLockStage } from './run-lock';

export type Theme = 'system' | 'light' | 'dark';

/**
 * The start page, then the views of one bug: its stage, explorer, comparison of two designs,
 * throughput against threads, and what-if studies. The others belong to no bug.
 */
export const allViews = [
  'front',
  'stage',
  'explorer',
  'compare',
  'sweep',
  'what_if',
  'lab',
  'waits',
  'workload',
] as const;
export type View = (typeof allViews)[number];

const viewsOfNoBug: readonly View[] = ['front', 'lab', 'waits', 'workload'];
/** Whether a view shows the run of one bug. */
export const isOfBug = (view: View) => !viewsOfNoBug.includes(view);

/** Status of the page's files for use without a network. */
interface OfflineState {
  /**
   * `kept`: all files are on this device. `not_kept`: not yet, or this browser or origin does not
   * allow it.
   */
  status: 'not_kept' | 'kept';
  /** This device has a newer build, which a reload would use. */
  hasNewer: boolean;
  /**
   * This device lacks space for the page's files, or for a newer build in addition to the older
   * one.
   */
  lacksSpace: boolean;
  /** A reload would isolate the page, so that it can run real threads. */
  wouldIsolate: boolean;
}

const notKept: OfflineState = {
  status: 'not_kept',
  hasNewer: false,
  lacksSpace: false,
  wouldIsolate: false,
};

/** The features' slices of the state. Each feature adds its own to this interface. */
export interface FeatureSlices {}

/** The state of the page. */
export interface ExplorerState extends CheckedDraft, SessionReadings, RunReadings, FeatureSlices {
  offline: OfflineState;
  view: View;
  scenarios: readonly Scenario[];
  /** The shown scenario: of the draft, of the current run, and of all data of that run. */
  scenario: Scenario;
  /** The next run of another scenario, shown as soon as the current run has stopped. */
  opening: Draft | null;
  machine: Machine;
  /** Capabilities that this page lacks for each platform. */
  missing: MissingCapabilities;
  /** Virtual nanoseconds per real second; null means as fast as possible. */
  paceNsPerS: number | null;
  /** Step of the clock that measures latencies, in nanoseconds; null if not measured. */
  clockStepNs: number | null;
  /** Faults of the link that this page was opened with. */
  linkErrors: Fault[];
  /** Why the last command was refused, one line per fault. */
  refusals: string[];
  /**
   * Stage of the run lock: whether a run is in progress or requested, so that no other may start.
   */
  runLock: RunLockStage;
  /** Name of the running series, such as a sweep; null if none. */
  series: string | null;
  commandsOutstanding: number;
  /**
   * The reader's interactive what-if and its start. It applies once an interactive mark confirms
   * it.
   */
  whatIfByHand: WhatIf | null;
  marks: RunMark[];
  chart: ChartViewport;
  /** The reader's selection, which the inspector shows. */
  selected: Selected | null;
  /** A run of the same scenario and platform as the shown run. */
  previousRun: PreviousRun | null;
  log: LogEntry[];
  /** The long operation in progress in the run. */
  longWait: LongWait | null;
  /** The long operation that ended last. */
  lastLongWait: LongWait['what'] | null;
  /**
   * The lines that sysbench prints before the intervals; null before a run, and for a file without
   * them.
   */
  sysbenchHeader: readonly string[] | null;
  /** The lines of sysbench's final report of a finished run; null as above. */
  sysbenchReport: readonly string[] | null;
  /** The text of `result`, byte for byte as the engine wrote it or as the file contains it. */
  resultJson: string | null;
  /** Latency histograms of a finished run; files do not contain them. */
  latencies: RunLatencies | null;
  /** The file whose result is shown instead of a run of this page. */
  opened: OpenedFile | null;
  /** The last file that could not be opened, and why. */
  fileRefused: { name: string; errors: Fault[] } | null;
  /** A reader's measurements of a real server, by scenario; null once removed. */
  measuredFiles: Readonly<Record<string, MeasuredFile | null>>;
  /** The first run that the page started by itself, until its note is closed. */
  firstRun: { scenario: string; platform: Platform } | null;
  theme: Theme;
  /** Announced once, also to screen readers. */
  announcement: string;
}

/** A part of the run that a reader can select. */
export type Selected =
  | { kind: 'phase'; fromS: number }
  | { kind: 'mark'; number: number }
  | SelectedPoint
  | { kind: 'latch'; latch: string }
  | { kind: 'function'; name: string }
  | SelectedSpan;

/** A point of the latency chart, for the transactions that ended since `from_s`. */
export interface SelectedPoint {
  kind: 'point';
  fromS: number;
  tS: number;
  p50Ns: number;
  p99Ns: number;
  maxNs: number;
}

/** A client, by its slot, at a run time. */
export interface ClientMoment {
  slot: number;
  tNs: number;
}

/** A period of one thread in the lanes. */
export interface SelectedSpan {
  kind: 'span';
  thread: string;
  /** Where in the lanes it is; null for a thread of the server's own. */
  clientMoment: ClientMoment | null;
  words: string;
  /** The latch that it waited for or polled. */
  latch: string | null;
  /** Run time at which it began; null if unknown. */
  fromNs: number | null;
}

/** The file of a shown result. */
export interface OpenedFile {
  name: string;
}

/** A measured file that the reader opened. */
export interface MeasuredFile {
  name: string;
  server: MeasuredServer;
}

interface RunLatencies {
  intervals: readonly LatencyCounts[];
  wholeRun: LatencyCounts;
}

export type ExplorerStore = StoreApi<ExplorerState>;

export interface StoreOptions {
  scenarios: readonly Scenario[];
  machine: Machine;
  missing: MissingCapabilities;
  clockStepNs: number | null;
  /** The slices that features add to the state. */
  slices?: Partial<FeatureSlices>;
}

export function createExplorerStore({
  scenarios,
  machine,
  missing,
  clockStepNs,
  slices,
}: StoreOptions): ExplorerStore {
  const scenario = scenarios[0];
  if (scenario === undefined) throw new Error('No scenario to show.');
  const draft = draftOf(defaultRunSpec(scenario.manifest, machine));
  const ofSession: Omit<ExplorerState, keyof FeatureSlices> = {
    view: 'front',
    offline: notKept,
    scenarios,
    scenario,
    opening: null,
    machine,
    missing,
    paceNsPerS: null,
    clockStepNs,
    ...checkDraft(draft, scenarios, machine),
    engine_status: 'not_loaded',
    engine_version: null,
    ...nothingSeenYet,
    run_state: 'idle',
    runLock: 'none',
    series: null,
    commandsOutstanding: 0,
    spec: null,
    chart: initialViewport,
    selected: null,
    measuredFiles: {},
    firstRun: null,
    theme: 'system',
  };
  // Each feature gives its own slice.
  const state = { ...ofSession, ...slices } as ExplorerState;
  return withGuardedListeners(createStore<ExplorerState>(() => state));
}

/** Returns the measured file of the shown bug. */
export const measuredFileShown = ({ measuredFiles, scenario }: ExplorerState) =>
  measuredFiles[scenario.manifest.id] ?? null;

/**
 * Returns the platform of the next and the current run, or the platform that the reader has
 * requested.
 */
export const shownPlatform = ({ opening, draft }: ExplorerState) => (opening ?? draft).platform;

/** Returns the capabilities that this page lacks for the shown platform. */
export const missingHere = (state: ExplorerState) => state.missing[state.draft.platform];

/**
 * Returns the step of the clock that measures latencies; null if unknown, or if latencies are exact
 * as on a modeled server.
 */
export const clockStepShown = ({ draft, clockStepNs, opened }: ExplorerState) =>
  draft.platform === 'virtual' || opened !== null ? null : clockStepNs;

/** Returns whether the shown file comes from an engine that did not store sysbench's lines. */
export const lacksSysbenchLines = ({ opened, sysbenchHeader }: ExplorerState) =>
  opened !== null && sysbenchHeader === null;

/** Returns whether the run has clients, so that a knob can be changed. */
export const isLive = (runState: RunState) => ['ready', 'running', 'paused'].includes(runState);

/**
 * Returns whether the page shows no run in progress. `refusalToStart` (run-lock.ts) decides whether
 * another may start.
 */
export const canRun = (runState: RunState) => ['idle', 'finished', 'failed'].includes(runState);

/**
 * Returns whether the next run differs from the current one in more than its design. Changes of the
 * design apply at once.
 */
export function differsFromRun({ draftSpec, spec }: ExplorerState): boolean {
  if (draftSpec === null || spec === null) return false;
  const withoutDesign = (of: RunSpec) => JSON.stringify({ ...of, design: null });
  return withoutDesign(draftSpec) !== withoutDesign(spec);
}

/** Returns whether the note on the first run belongs to the shown run. */
export const isFirstRunShown = ({ view, firstRun, scenario, draft }: ExplorerState) =>
  view === 'explorer' &&
  firstRun !== null &&
  firstRun.scenario === scenario.manifest.id &&
  firstRun.platform === draft.platform;

export const nothingRefused = { refusals: [], linkErrors: [], fileRefused: null };

/** The state of a page that has seen nothing of a run. */
export const nothingSeenYet = {
  ...nothingRefused,
  announcement: '',
  engine_failure: null,
  marks: [],
  whatIfByHand: null,
  previousRun: null,
  log: [],
  server_log: emptyServerLog,
  intervals: [],
  live: null,
  longWait: null,
  lastLongWait: null,
  model: null,
  sysbenchHeader: null,
  sysbenchReport: null,
  result: null,
  resultJson: null,
  latencies: null,
  opened: null,
};
