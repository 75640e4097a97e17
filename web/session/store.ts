// Declares the state that the session and the features share, and creates its store.
import { createStore, type StoreApi } from 'zustand/vanilla';

import type { Draft } from '../contract/draft';
import type { LatencyCounts } from '../analysis/exports/hdr-log';
import type { LongWait } from '../analysis/long-wait';
import type { MeasuredServer } from '../analysis/real-servers/measured-server.mjs';
import type { MissingCapabilities } from '../engine-client/capabilities';
import type { Fault } from '../contract/fault';
import type { Platform } from '../contract/platforms';
import type { RunState } from '../contract/telemetry-states';
import type { RunReadings, SessionReadings } from '../contract/page-readings';
import { initialViewport, type ChartViewport } from '../charts/chart-viewport';
import { checkDraft, draftOf, type CheckedDraft } from './draft';
import { withGuardedListeners } from '../recording/listeners';
import type { LogEntry } from './log';
import type { Scenario } from '../contract/manifest';
import type { PreviousRun } from './previous-run';
import { defaultRunSpec, type Machine, type RunSpec, type WhatIf } from '../contract/run-spec';
import type { TurnStage } from './run-turn';
import type { RunMark } from '../recording/run-marks';
import { emptyServerLog } from '../recording/server-log';

export type Theme = 'system' | 'light' | 'dark';

/**
 * The start page, the explorer of one bug, the comparison of two designs, throughput against
 * threads, what-if studies, and the latch lab.
 */
export const all_views = ['front', 'explorer', 'compare', 'sweep', 'what_if', 'lab'] as const;
export type View = (typeof all_views)[number];

/** Status of the page's files for use without a network. */
interface OfflineState {
  /**
   * `kept`: all files are on this device. `not_kept`: not yet, or this browser or origin does not
   * allow it.
   */
  status: 'not_kept' | 'kept';
  /** This device has a newer build, which a reload would use. */
  has_newer: boolean;
  /**
   * This device lacks space for the page's files, or for a newer build in addition to the older
   * one.
   */
  lacks_room: boolean;
  /** A reload would isolate the page, so that it can run real threads. */
  would_isolate: boolean;
}

const not_kept: OfflineState = {
  status: 'not_kept',
  has_newer: false,
  lacks_room: false,
  would_isolate: false,
};

/**
 * The state that the session and all features share. A feature declares its own state as a slice
 * (feature.ts).
 */
export interface ExplorerState extends CheckedDraft, SessionReadings, RunReadings {
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
  pace_ns_per_s: number | null;
  /** Step of the clock that measures latencies, in nanoseconds; null if not measured. */
  clock_step_ns: number | null;
  /** Faults of the link that this page was opened with. */
  link_errors: Fault[];
  /** Why the last command was refused, one line per fault. */
  refusals: string[];
  /**
   * Stage of the run lock: whether a run is in progress or requested, so that no other may start.
   */
  turn: TurnStage;
  /** Name of the running series, such as a sweep; null if none. */
  series: string | null;
  commands_outstanding: number;
  /**
   * The reader's interactive what-if and its start. It applies once an interactive mark confirms
   * it.
   */
  supposed: WhatIf | null;
  marks: RunMark[];
  chart: ChartViewport;
  /** The reader's selection, which the inspector shows. */
  selected: Selected | null;
  /** A run of the same scenario and platform as the shown run. */
  previous_run: PreviousRun | null;
  log: LogEntry[];
  /** The long operation in progress in the run. */
  long_wait: LongWait | null;
  /** The long operation that ended last. */
  last_long_wait: LongWait['what'] | null;
  /**
   * The lines that sysbench prints before the intervals; null before a run, and for a file without
   * them.
   */
  sysbench_header: readonly string[] | null;
  /** The lines of sysbench's final report of a finished run; null as above. */
  sysbench_report: readonly string[] | null;
  /** The text of `result`, byte for byte as the engine wrote it or as the file contains it. */
  result_json: string | null;
  /** Latency histograms of a finished run; files do not contain them. */
  latencies: RunLatencies | null;
  /** The file whose result is shown instead of a run of this page. */
  opened: OpenedFile | null;
  /** The last file that could not be opened, and why. */
  file_refused: { name: string; errors: Fault[] } | null;
  /** A reader's measurements of a real server, by scenario; null once removed. */
  measured_files: Readonly<Record<string, MeasuredFile | null>>;
  /** The first run that the page started by itself, until its note is closed. */
  first_run: { scenario: string; platform: Platform } | null;
  theme: Theme;
  /** Announced once, also to screen readers. */
  announcement: string;
}

/** A part of the run that a reader can select. */
export type Selected =
  | { kind: 'phase'; from_s: number }
  | { kind: 'mark'; number: number }
  | SelectedPoint
  | { kind: 'latch'; latch: string }
  | { kind: 'function'; name: string }
  | SelectedSpan;

/** A point of the latency chart, for the transactions that ended since `from_s`. */
export interface SelectedPoint {
  kind: 'point';
  from_s: number;
  t_s: number;
  p50_ns: number;
  p99_ns: number;
  max_ns: number;
}

/** A client, by its slot, at a run time. */
export interface ClientMoment {
  slot: number;
  t_ns: number;
}

/** A period of one thread in the lanes. */
export interface SelectedSpan {
  kind: 'span';
  thread: string;
  /** Where in the lanes it is; null for a thread of the server's own. */
  client_moment: ClientMoment | null;
  words: string;
  /** The latch that it waited for or polled. */
  latch: string | null;
  /** Run time at which it began; null if unknown. */
  from_ns: number | null;
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
  whole_run: LatencyCounts;
}

export type ExplorerStore = StoreApi<ExplorerState>;

export interface StoreOptions {
  scenarios: readonly Scenario[];
  machine: Machine;
  missing: MissingCapabilities;
  clock_step_ns: number | null;
  /** The slices that features add to the state. */
  slices?: readonly (object | undefined)[];
}

export function createExplorerStore({
  scenarios,
  machine,
  missing,
  clock_step_ns,
  slices = [],
}: StoreOptions): ExplorerStore {
  const scenario = scenarios[0];
  if (scenario === undefined) throw new Error('No scenario to show.');
  const draft = draftOf(defaultRunSpec(scenario.manifest, machine));
  const store = createStore<ExplorerState>(() => ({
    view: 'front',
    offline: not_kept,
    scenarios,
    scenario,
    opening: null,
    machine,
    missing,
    pace_ns_per_s: null,
    clock_step_ns,
    ...checkDraft(draft, scenarios, machine),
    engine_status: 'not_loaded',
    engine_version: null,
    engine_failure: null,
    link_errors: [],
    refusals: [],
    run_state: 'idle',
    turn: 'none',
    series: null,
    commands_outstanding: 0,
    spec: null,
    supposed: null,
    marks: [],
    chart: initialViewport,
    selected: null,
    previous_run: null,
    log: [],
    server_log: emptyServerLog,
    intervals: [],
    live: null,
    long_wait: null,
    last_long_wait: null,
    model: null,
    sysbench_header: null,
    sysbench_report: null,
    result: null,
    result_json: null,
    latencies: null,
    opened: null,
    file_refused: null,
    measured_files: {},
    first_run: null,
    theme: 'system',
    announcement: '',
    ...mergedSlices(slices),
  }));
  return withGuardedListeners(store);
}

/** Merges changes of several features' slices into one. */
export const mergedSlices = (slices: readonly (object | undefined)[]): object =>
  slices.reduce<object>((all, slice) => ({ ...all, ...slice }), {});

/** Returns the measured file of the shown bug. */
export const measuredFileShown = ({ measured_files, scenario }: ExplorerState) =>
  measured_files[scenario.manifest.id] ?? null;

/**
 * Returns the platform of the next and the current run, or the platform that the reader has
 * requested.
 */
export const shownPlatform = ({ opening, draft }: ExplorerState) => (opening ?? draft).platform;

/** Returns the capabilities that this page lacks for the shown platform. */
export const missingHere = (state: ExplorerState) => state.missing[state.draft.platform];

/**
 * Returns the step of the clock that measures latencies; null if unknown, or if latencies are exact
 * as on a modelled server.
 */
export const clockStepShown = ({ draft, clock_step_ns, opened }: ExplorerState) =>
  draft.platform === 'virtual' || opened !== null ? null : clock_step_ns;

/** Returns whether the shown file comes from an engine that did not store sysbench's lines. */
export const lacksSysbenchLines = ({ opened, sysbench_header }: ExplorerState) =>
  opened !== null && sysbench_header === null;

/** Returns whether the run has clients, so that a knob can be changed. */
export const isLive = (run_state: RunState) => ['ready', 'running', 'paused'].includes(run_state);

/**
 * Returns whether the page shows no run in progress. `refusalToStart` (run-turn.ts) decides whether
 * another may start.
 */
export const canRun = (run_state: RunState) => ['idle', 'finished', 'failed'].includes(run_state);

/**
 * Returns whether the next run differs from the current one in more than its design. Changes of the
 * design apply at once.
 */
export function differsFromRun({ draft_spec, spec }: ExplorerState): boolean {
  if (draft_spec === null || spec === null) return false;
  const withoutDesign = (of: RunSpec) => JSON.stringify({ ...of, design: null });
  return withoutDesign(draft_spec) !== withoutDesign(spec);
}

/** Returns whether the note on the first run belongs to the shown run. */
export const isFirstRunShown = ({ view, first_run, scenario, draft }: ExplorerState) =>
  view === 'explorer' &&
  first_run !== null &&
  first_run.scenario === scenario.manifest.id &&
  first_run.platform === draft.platform;

export const nothing_refused = { refusals: [], link_errors: [], file_refused: null };
