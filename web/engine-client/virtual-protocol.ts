// Messages between the page and the worker that hosts the modelled server.
import type { EngineVersion } from './engine-version';
import type { CommandName, QuestionName } from './engine-calls';
import type { LaneBatch, LatchEventBatch, Posted } from './engine-host';
import type { ModelReadings, Step } from './model-time';
import type { BlockPlace } from './telemetry-reader';

/** Each is answered, in order, under its id. */
export type Request =
  | { id: number; kind: 'ask'; question: QuestionName; values: string[] }
  | { id: number; kind: 'post'; command: CommandName; values: string[] }
  | { id: number; kind: 'freeze'; is_frozen: boolean }
  | { id: number; kind: 'step'; step: Step }
  | { id: number; kind: 'pace'; ns_per_s: number | null }
  | { id: number; kind: 'read_every'; run_ns: number }
  // By number; instead of those that were watched before.
  | { id: number; kind: 'watch_latches'; latches: readonly number[] }
  // Only the answer counts: the worker is alive.
  | { id: number; kind: 'ping' };

/** The page has dealt with one more reading. */
export interface Receipt {
  kind: 'receipt';
}

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
  | { kind: 'snapshot'; snapshot: Snapshot; is_reading: boolean }
  | { kind: 'answer'; id: number; answer: string | Posted | null }
  | { kind: 'failed'; text: string };
