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
import { initial_viewport, type ChartViewport } from '../charts/chart-viewport';
import { checkDraft, draftOf, type CheckedDraft } from './draft';
import { withGuardedListeners } from '../recording/listeners';
import type { LogEntry } from './log';
import type { Scenario } from '../contract/manifest';
import type { PreviousRun } from './previous-run';
import { defaultRunSpec, type Machine, type RunSpec, type WhatIf } from '../contract/run-spec';
import type { TurnStage } from './run-turn';
import type { RunMark } from '../recording/run-marks';
import { empty_server_log } from '../recording/server-log';

export type Theme = 'system' | 'light' | 'dark';

/** The start page with all bugs; one bug on one screen; two designs side by side; throughput against threads; what if. */
export const all_views = ['front', 'explorer', 'compare', 'sweep', 'what_if', 'lab'] as const;
export type View = (typeof all_views)[number];

/** What has become of keeping this page for use without a network. */
interface OfflineState {
  /** `kept`: all files are on this device. `not_kept`: not yet, or this browser or place forbids it. */
  status: 'not_kept' | 'kept';
  /** A newer build is on this device and would be used after a reload. */
  has_newer: boolean;
  /** This device has no room for the files of the page, or of a newer build if an older one is kept. */
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

/** What the session and all features know; a feature that has more of it declares that as a slice (feature.ts). */
export interface ExplorerState extends CheckedDraft, SessionReadings, RunReadings {
  offline: OfflineState;
  view: View;
  scenarios: readonly Scenario[];
  /** The one that is shown: that of the draft, of the run that goes on, and of everything seen of it. */
  scenario: Scenario;
  /** The next run of another scenario, shown as soon as the current run has stopped. */
  opening: Draft | null;
  machine: Machine;
  /** What this page lacks for running the engine on each platform. */
  missing: MissingCapabilities;
  /** Virtual nanoseconds for each real second; null: as fast as possible. */
  pace_ns_per_s: number | null;
  /** Step of the clock that latencies are read from; null where it was not measured. */
  clock_step_ns: number | null;
  /** Faults of the link that this page was opened with. */
  link_errors: Fault[];
  /** Why the last command was not carried out, a line for each fault. */
  refusals: string[];
  /** Whether a run is going, or was asked for, so that no other may start. */
  turn: TurnStage;
  /** The series that is running, such as a sweep, by its name; null: none. */
  series: string | null;
  commands_outstanding: number;
  /** What the reader has supposed while the run went on, and from when; it holds once a mark by hand says so. */
  supposed: WhatIf | null;
  marks: RunMark[];
  chart: ChartViewport;
  /** What the reader has selected; the inspector shows it. */
  selected: Selected | null;
  /** Of the same scenario and platform as the run that is shown. */
  previous_run: PreviousRun | null;
  log: LogEntry[];
  /** What takes long in the run now. */
  long_wait: LongWait | null;
  /** The one that ended last in it. */
  last_long_wait: LongWait['what'] | null;
  /** What sysbench prints before the intervals, line by line; null before a run, and of a file that does not hold it. */
  sysbench_header: readonly string[] | null;
  /** sysbench's final report of the run that is over, in the same way. */
  sysbench_report: readonly string[] | null;
  /** The text of `result`, to the byte as the engine wrote it or as it stood in the file. */
  result_json: string | null;
  /** How often which latency was seen, of a run that is over; a file does not tell. */
  latencies: RunLatencies | null;
  /** The file whose result is shown instead of a run of this page. */
  opened: OpenedFile | null;
  /** The last file that could not be opened, and why. */
  file_refused: { name: string; errors: Fault[] } | null;
  /** By scenario: what a reader measured on a real server; null once it was removed. */
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

/** A point of the latency chart: of the transactions that ended since `from_s`. */
export interface SelectedPoint {
  kind: 'point';
  from_s: number;
  t_s: number;
  p50_ns: number;
  p99_ns: number;
  max_ns: number;
}

/** A client, by its slot, at a moment of run time. */
export interface ClientMoment {
  slot: number;
  t_ns: number;
}

/** What one thread did for a while, as the lanes tell it. */
export interface SelectedSpan {
  kind: 'span';
  thread: string;
  /** Where in the lanes it is; null of a thread of the server's own. */
  client_moment: ClientMoment | null;
  words: string;
  /** That it waited for, or polled. */
  latch: string | null;
  /** Run time at which it began; null if that is not known. */
  from_ns: number | null;
}

/** The file that a shown result comes from. */
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
  /** What features add to the state. */
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
    chart: initial_viewport,
    selected: null,
    previous_run: null,
    log: [],
    server_log: empty_server_log,
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

/** Changes of several features' slices, made as one. */
export const mergedSlices = (slices: readonly (object | undefined)[]): object =>
  slices.reduce<object>((all, slice) => ({ ...all, ...slice }), {});

/** The one of the bug that is shown. */
export const measuredFileShown = ({ measured_files, scenario }: ExplorerState) =>
  measured_files[scenario.manifest.id] ?? null;

/** The platform of the next run and of the current one, or the one that the reader has asked for. */
export const shownPlatform = ({ opening, draft }: ExplorerState) => (opening ?? draft).platform;

/** What this page lacks for running what it shows. */
export const missingHere = (state: ExplorerState) => state.missing[state.draft.platform];

/** Step of the clock that latencies are read from; null where it is not known, or exact as on a modelled server. */
export const clockStepShown = ({ draft, clock_step_ns, opened }: ExplorerState) =>
  draft.platform === 'virtual' || opened !== null ? null : clock_step_ns;

/** The file that is shown was written by an engine that did not put sysbench's lines into it. */
export const lacksSysbenchLines = ({ opened, sysbench_header }: ExplorerState) =>
  opened !== null && sysbench_header === null;

/** The run has clients, so a knob can be turned. */
export const isLive = (run_state: RunState) => ['ready', 'running', 'paused'].includes(run_state);

/** The page shows no run that is going. Whether another may start: refusalToStart (run-turn.ts). */
export const canRun = (run_state: RunState) => ['idle', 'finished', 'failed'].includes(run_state);

/** The next run differs from the current one in more than its design. (A change of design is made at once.) */
export function differsFromRun({ draft_spec, spec }: ExplorerState): boolean {
  if (draft_spec === null || spec === null) return false;
  const withoutDesign = (of: RunSpec) => JSON.stringify({ ...of, design: null });
  return withoutDesign(draft_spec) !== withoutDesign(spec);
}

/** Whether the note on the first run belongs to what is shown. */
export const isFirstRunShown = ({ view, first_run, scenario, draft }: ExplorerState) =>
  view === 'explorer' &&
  first_run !== null &&
  first_run.scenario === scenario.manifest.id &&
  first_run.platform === draft.platform;

export const nothing_refused = { refusals: [], link_errors: [], file_refused: null };
