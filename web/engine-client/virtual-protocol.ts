// Messages between the page and the worker that hosts the modelled server.
import type { ModelReadings, Moment } from '../contract/model-readings';
import type { EngineVersion } from '../contract/engine-version';
import type { CommandName, QuestionName } from './engine-calls';
import type { LaneBatch, LatchEventBatch, Posted, Reading } from './engine-host';
import type { Step } from './model-time';
import type { BlockPlace } from './telemetry-reader';

/** Each is answered, in order, under its id. */
export type Request =
  | { id: number; kind: 'ask'; question: QuestionName; values: string[] }
  | { id: number; kind: 'post'; command: CommandName; values: string[] }
  | { id: number; kind: 'freeze'; is_frozen: boolean }
  | { id: number; kind: 'step'; step: Step }
  | { id: number; kind: 'pace'; ns_per_s: number | null }
  | { id: number; kind: 'read_every'; run_ns: number }
  // From the next run on. 0: none.
  | { id: number; kind: 'watch_hottest'; latches: number }
  // From the next run on. 0: none.
  | { id: number; kind: 'keep_keyframes'; budget_bytes: number }
  // Answered when time stands at that moment.
  | { id: number; kind: 'rewind'; to: Moment }
  // Only the answer counts: the worker is alive.
  | { id: number; kind: 'ping' };

/** The page has dealt with one more reading. */
export interface Receipt {
  kind: 'receipt';
  /** How often the page had been told of another moment until then: what belongs to a course that was left has no effect. */
  rewinds: number;
}

/** The page no longer reads this block and these segments, and the worker fills their buffers again. */
export interface Spare {
  kind: 'spare';
  block: ArrayBuffer;
  segments: ArrayBuffer;
}

/** What the page tells the worker. */
export type Message = Request | Receipt | Spare;

/** The telemetry block as it stood between two slices, without the slots of threads that this run does not have. */
export interface Snapshot {
  block: Required<Pick<BlockPlace, 'state_times'>> & { buffer: ArrayBuffer };
  readings: ModelReadings;
  lanes: LaneBatch;
  latch_events: LatchEventBatch;
}

export type Report =
  | { kind: 'loaded'; version: EngineVersion; snapshot: Snapshot }
  // A reading is one of those that were asked for, at the same moments of each run; others come as the host gets to them.
  | { kind: 'snapshot'; snapshot: Snapshot; reading: Reading | null }
  // The server is at the moment of this reading again, or somewhat after it, and goes on from there.
  | { kind: 'rewound'; rewinds: number; reading: number; lane_segments: number; snapshot: Snapshot }
  // Readings that may still be gone back to.
  | { kind: 'kept_readings'; numbers: readonly number[] }
  | { kind: 'answer'; id: number; answer: string | Posted | null }
  | { kind: 'failed'; text: string };
