import type { EngineVersion, ModelReadings, Moment } from '../contract/page-readings';
import type { EngineCommands, EngineQuestions } from '../contract/gen/engine-abi';
import type { CommandName, QuestionName, Refusal } from './engine-calls';
import type { TelemetryReader } from './telemetry-reader';

/** How far virtual time advances in one step. */
export type Step = { events: number } | { untilNextMultipleOfNs: number };

/** The outcome of posting a command: its number, or an immediate refusal. */
export type Posted = { number: number } | { refused: Refusal };

/** Hosts the compiled engine: on real threads in this page, or on a modeled server in a worker. */
export interface EngineHost {
  readonly version: EngineVersion;
  readonly telemetry: TelemetryReader;
  /** Controls of a modeled server; null on real threads. */
  readonly model: ModelControls | null;
  ask<Name extends QuestionName>(
    question: Name,
    ...values: Parameters<EngineQuestions[Name]>
  ): Promise<string>;
  post<Name extends CommandName>(command: Name, ...values: Parameters<EngineCommands[Name]>): Promise<Posted>;
  /** Ends the engine at once, in any state. */
  dispose(): void;
}

/** A request to a modeled server, whose virtual time advances only on request. */
export type ModelRequest =
  /**
   * Stops or continues virtual time. Commands posted while it is stopped still run, in as little
   * virtual time as they need.
   */
  | { kind: 'freeze'; isFrozen: boolean }
  /** Leaves virtual time stopped. */
  | { kind: 'step'; step: Step }
  /** Sets virtual nanoseconds per real second; null means as fast as possible. */
  | { kind: 'pace'; nsPerS: number | null }
  /**
   * Starting with the next run, reads telemetry at 0 and at every multiple of `runNs` of run time.
   * These times are the same in each run, however fast the host is.
   */
  | { kind: 'read_every'; runNs: number }
  /**
   * Starting with the next run, the engine watches the `latches` most expensive latches and reports
   * each event at them; 0 watches none. The choice depends only on the run and does not change it
   * (wasm-engine/telemetry/hot_latches.h).
   */
  | { kind: 'watch_hottest'; latches: number }
  /**
   * Starting with the next run, stores checkpoints to rewind to, within this memory budget; 0
   * disables them.
   */
  | { kind: 'keep_keyframes'; budgetBytes: number }
  /**
   * Moves to an earlier moment of the run, or forward to a moment that it had reached before.
   * Answered when virtual time has stopped there.
   */
  | { kind: 'rewind'; to: Moment };

/** A modeled server's controls and what it reports. Each event has one listener. */
export interface ModelControls {
  /** Settles after the page has seen the outcome. Only a rewind can be refused. */
  control(request: ModelRequest): Promise<Posted | null>;
  readings(): ModelReadings;
  onReading: ((reading: Reading) => void) | null;
  /** Called before telemetry that belongs to another moment arrives. */
  onRewound: ((rewound: Rewound) => void) | null;
  /** Called with the numbers of the readings that a rewind may still return to. */
  onKeptReadings: ((numbers: readonly number[]) => void) | null;
  /** Called with each batch of events at watched latches. */
  onLatchEvents: ((batch: LatchEventBatch) => void) | null;
  /** Called with each batch of thread lane segments. */
  onLanes: ((batch: LaneBatch) => void) | null;
}

/** A telemetry block that was read at a fixed run time, the same in each run. */
export interface Reading {
  /** Readings are numbered from the start of the worker. */
  number: number;
  /**
   * The worker has a checkpoint at this reading or may need it for one. The page must store its own
   * state as of this reading.
   */
  isKept: boolean;
}

/** The server moved to an earlier moment, or forward to a moment reached before. */
export interface Rewound {
  /** The page must restore its state as of this reading. */
  reading: number;
  /** Number of the next lane segment that the page will receive. */
  laneSegments: number;
}

/**
 * Consecutive segments of thread lanes, 32 bytes each, in the layout of
 * wasm-engine/telemetry/lanes.h.
 */
export interface LaneBatch {
  runGeneration: number;
  /** Number of the first segment. Segments of a run are numbered from 0. */
  first: number;
  /** Valid only during the call: the worker fills the buffer again. */
  segments: Uint8Array<ArrayBuffer>;
  /** Subtract this from a segment's clock to get run time, in nanoseconds. */
  clockLessRunNs: number;
}

/** Mirrors the declaration in wasm-engine/telemetry/latch_trace.h. */
export interface WatchedLatch {
  latch: number;
  /** Number of the first event written after the latch became watched. */
  sinceEvent: number;
}

/** Consecutive events at watched latches, in the layout of wasm-engine/telemetry/latch_trace.h. */
export interface LatchEventBatch {
  runGeneration: number;
  /** Number of the first event. Events of a run are numbered from 0. */
  first: number;
  /** These events replace all events sent before. */
  isWholeRing: boolean;
  events: ArrayBuffer;
  /** The latches watched now. */
  watched: readonly WatchedLatch[];
  /** Subtract this from an event's clock to get run time, in nanoseconds. */
  clockLessRunNs: number;
}

/** How an engine reports failures to the page and schedules work in it. */
export interface HostHooks {
  onFailure: (text: string) => void;
  /** Runs `work` in the next animation frame, before anything is drawn in it. */
  inNextFrame: (work: () => void) => void;
}

export type EngineLoader = (hooks: HostHooks) => Promise<EngineHost>;

const noMemory = /\bOOM\b|out of memory|enlarge memory|allocation failed|could not allocate/i;

/** Returns the text of a failure, preceded by its meaning if the text alone is unclear. */
export function inPlainWords(text: string): string {
  return noMemory.test(text) ? `The engine ran out of memory. ${text}` : text;
}
