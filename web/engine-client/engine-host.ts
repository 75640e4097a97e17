import type { ModelReadings, Moment } from '../contract/model-readings';
import type { EngineVersion } from '../contract/engine-version';
import type { EngineCommands, EngineQuestions } from '../contract/gen/engine-abi';
import type { CommandName, QuestionName, Refusal } from './engine-calls';
import type { Step } from './model-time';
import type { TelemetryReader } from './telemetry-reader';

/** What becomes of a command that is posted: its number, or why it was refused at once. */
export type Posted = { number: number } | { refused: Refusal };

/** Where the compiled engine runs, and how it is reached: real threads in this page, or a worker with a modelled server. */
export interface EngineHost {
  readonly version: EngineVersion;
  readonly telemetry: TelemetryReader;
  /** What only a modelled server has; null on real threads. */
  readonly model: ModelControls | null;
  ask<Name extends QuestionName>(
    question: Name,
    ...values: Parameters<EngineQuestions[Name]>
  ): Promise<string>;
  post<Name extends CommandName>(command: Name, ...values: Parameters<EngineCommands[Name]>): Promise<Posted>;
  /** Ends the engine wherever it stands. */
  dispose(): void;
}

/** Time on a modelled server goes on only when it is told to. All promises settle when the page has seen the outcome. */
export interface ModelControls {
  /** Stops time, or lets it go on. While it stands, commands are still carried out, in as little time as they take. */
  freeze(is_frozen: boolean): Promise<void>;
  step(step: Step): Promise<void>;
  /** Virtual nanoseconds for each real second; null: as fast as possible. */
  setPace(ns_per_s: number | null): Promise<void>;
  /**
   * From the next run on, `onReading` is called when the telemetry says what was at a multiple of so much run time, from 0
   * on: at the same moments each time, however fast the host is.
   */
  readEvery(run_ns: number, onReading: (reading: Reading) => void): Promise<void>;
  readings(): ModelReadings;
  /**
   * From the next run on the engine watches this many latches, the ones that cost most, and reports every event at them; 0: none. The
   * choice depends on the run alone (wasm-engine/telemetry/hot_latches.h) and does not change it.
   */
  watchHottest(latches: number): Promise<void>;
  /** From the next run on moments are kept that can be gone back to, within so much memory; 0: none. */
  keepKeyframes(budget_bytes: number): Promise<void>;
  /** Goes back to a moment of the run, or on to one that it had been at before; time stands there. */
  rewind(to: Moment): Promise<Posted>;
  /** Called before what is told belongs to another moment; one listener. */
  onRewound: ((rewound: Rewound) => void) | null;
  /** Called with the numbers of the readings that may still be gone back to; one listener. */
  onKeptReadings: ((numbers: readonly number[]) => void) | null;
  /** Called with each batch of what happened to the latches that are watched; one listener. */
  onLatchEvents: ((batch: LatchEventBatch) => void) | null;
  /** Called with each batch of what threads did; one listener. */
  onLanes: ((batch: LaneBatch) => void) | null;
}

/** A telemetry block that was read at the same moment of each run. */
export interface Reading {
  /** Readings are counted from the start of the worker. */
  number: number;
  /** The worker has a keyframe of this moment, or needs the reading for one: the page keeps what it knows by then. */
  is_kept: boolean;
}

/** The server is at an earlier moment again, or at a later one that it had been at. */
export interface Rewound {
  /** What was known at this reading holds. */
  reading: number;
  /** What threads did is told from this segment on. */
  lane_segments: number;
}

/** Consecutive segments of thread lanes, 32 bytes each, as wasm-engine/telemetry/lanes.h lays them out. */
export interface LaneBatch {
  run_generation: number;
  /** Number of the first segment; those of a run are counted from 0. */
  first: number;
  /** To be read at once: their buffer is filled again. */
  segments: Uint8Array<ArrayBuffer>;
  /** What to take off a segment's clock to get run time. */
  clock_less_run_ns: number;
}

/** As wasm-engine/telemetry/latch_trace.h declares it. */
export interface WatchedLatch {
  latch: number;
  /** Number of the first event written after the latch became watched. */
  since_event: number;
}

/** Consecutive events at the latches that are watched, as wasm-engine/telemetry/latch_trace.h lays them out. */
export interface LatchEventBatch {
  run_generation: number;
  /** Number of the first event; those of a run are counted from 0. */
  first: number;
  /** They take the place of all events sent before. */
  is_whole_ring: boolean;
  events: ArrayBuffer;
  /** The latches that are watched now. */
  watched: readonly WatchedLatch[];
  /** What to take off an event's clock, in nanoseconds, to get run time. */
  clock_less_run_ns: number;
}

/** How an engine says that it cannot go on. */
export interface HostHooks {
  onFailure: (text: string) => void;
  /** Does this work in the next animation frame, before what is drawn in it. */
  inNextFrame: (work: () => void) => void;
}

export type EngineLoader = (hooks: HostHooks) => Promise<EngineHost>;
