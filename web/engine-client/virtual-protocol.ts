// Declares the messages between the page and the worker that hosts the modeled server.
import type { EngineVersion, ModelReadings } from '../contract/page-readings';
import type { CommandName, QuestionName } from './engine-calls';
import type { LaneBatch, LatchEventBatch, ModelRequest, Posted, Reading } from './engine-host';
import type { BlockPlace } from './telemetry-reader';

export type RequestBody =
  | ModelRequest
  | { kind: 'ask'; question: QuestionName; values: string[] }
  | { kind: 'post'; command: CommandName; values: string[] }
  // The answer only shows that the worker is alive.
  | { kind: 'ping' };

/** The worker answers each request in order, under its id. */
export type Request = RequestBody & { id: number };

export type Answer = string | Posted | null;

/** The page has processed one more reading. */
export interface Receipt {
  kind: 'receipt';
  /**
   * Number of rewinds that the page had received by then. The worker ignores receipts of an
   * abandoned branch.
   */
  rewinds: number;
}

/** The page no longer reads these two buffers; the worker may fill them again. */
export interface Spare {
  kind: 'spare';
  block: ArrayBuffer;
  segments: ArrayBuffer;
}

/** A message from the page to the worker. */
export type Message = Request | Receipt | Spare;

/**
 * The telemetry block between two slices, without the slots of threads that this run does not have.
 */
export interface Snapshot {
  block: Required<Pick<BlockPlace, 'stateTimes'>> & { buffer: ArrayBuffer };
  readings: ModelReadings;
  lanes: LaneBatch;
  latchEvents: LatchEventBatch;
}

export type Report =
  | { kind: 'loaded'; version: EngineVersion; snapshot: Snapshot }
  // `reading` is set for requested readings, which occur at the same run times in each run. Other
  // snapshots come at any time.
  | { kind: 'snapshot'; snapshot: Snapshot; reading: Reading | null }
  // The server is at this reading again, or slightly after it, and continues from there.
  | { kind: 'rewound'; rewinds: number; reading: number; laneSegments: number; snapshot: Snapshot }
  // Readings that a rewind may still return to.
  | { kind: 'kept_readings'; numbers: readonly number[] }
  | { kind: 'answer'; id: number; answer: Answer }
  | { kind: 'failed'; text: string };
