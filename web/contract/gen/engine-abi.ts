// Generated from wasm-engine/wasm/latchscope.h by the build. Do not edit.
export const abi_hash = 1558563144;
export const outcomes = ['accepted', 'wrong_value', 'wrong_state', 'mailbox_full', 'refused_by_server', ] as const;
export type Outcome = (typeof outcomes)[number];
export const command_states = {
  create: ['idle', 'finished', ],
  start: ['ready', ],
  pause: ['running', ],
  resume: ['paused', ],
  stop: ['ready', 'running', 'paused', ],
  set_knob: ['ready', 'running', 'paused', ],
  fire: ['running', 'paused', ],
  suppose: ['running', 'paused', ],
  explain: ['idle', 'finished', ],
  compete: ['idle', ],
  fail_for_test: ['idle', 'building', 'ready', 'running', 'paused', 'stopping', 'finished', 'failed', ],
} as const;
export const functions = {
  create: { returns: 'outcome', takes: ['text', ] },
  start: { returns: 'outcome', takes: [] },
  pause: { returns: 'outcome', takes: [] },
  resume: { returns: 'outcome', takes: [] },
  stop: { returns: 'outcome', takes: [] },
  set_knob: { returns: 'outcome', takes: ['text', 'text', ] },
  fire: { returns: 'outcome', takes: ['text', ] },
  suppose: { returns: 'outcome', takes: ['text', ] },
  explain: { returns: 'outcome', takes: ['text', 'text', ] },
  compete: { returns: 'outcome', takes: ['text', ] },
  fail_for_test: { returns: 'outcome', takes: ['text', ] },
  version: { returns: 'text', takes: [] },
  check: { returns: 'text', takes: ['text', ] },
  refusal: { returns: 'text', takes: [] },
  sysbench_header: { returns: 'text', takes: [] },
  result: { returns: 'text', takes: [] },
  outcome: { returns: 'text', takes: ['text', ] },
  hot_latches: { returns: 'text', takes: ['text', ] },
  what_if_report: { returns: 'text', takes: ['text', ] },
  explanation_progress: { returns: 'text', takes: [] },
  explanation: { returns: 'text', takes: [] },
  explanation_text: { returns: 'text', takes: [] },
  explanation_tables: { returns: 'text', takes: [] },
  note_course: { returns: 'text', takes: ['text', ] },
  course: { returns: 'text', takes: [] },
  noted_event: { returns: 'text', takes: ['text', ] },
  parting: { returns: 'text', takes: ['text', ] },
  course_diff: { returns: 'text', takes: ['text', ] },
  begin_lab_check: { returns: 'text', takes: ['text', ] },
  go_on_lab_check: { returns: 'text', takes: [] },
  lab_check: { returns: 'text', takes: [] },
  contest: { returns: 'text', takes: [] },
  open: { returns: 'nothing', takes: [] },
  telemetry: { returns: 'address', takes: [] },
  telemetry_bytes: { returns: 'count', takes: [] },
  run_slice: { returns: 'nothing', takes: ['count', 'number', ] },
  is_idle: { returns: 'truth', takes: [] },
  clock_ns: { returns: 'number', takes: [] },
  events: { returns: 'number', takes: [] },
  lane_segments: { returns: 'address', takes: [] },
  lane_segments_max: { returns: 'count', takes: [] },
  lane_segments_written: { returns: 'number', takes: [] },
  lane_totals: { returns: 'address', takes: [] },
  watch_hottest: { returns: 'nothing', takes: ['count', ] },
  watched_latches: { returns: 'address', takes: [] },
  watched_latches_max: { returns: 'count', takes: [] },
  latch_events: { returns: 'address', takes: [] },
  latch_events_max: { returns: 'count', takes: [] },
  latch_events_written: { returns: 'number', takes: [] },
  hash_of_memory: { returns: 'number', takes: ['address', 'count', ] },
} as const;
export interface EngineCommands {
  /** builds the server: building, then ready */
  create: (run_spec_json: string, ) => Outcome;
  /** releases the clients: running */
  start: () => Outcome;
  /** paused, at a transaction boundary */
  pause: () => Outcome;
  /** running again */
  resume: () => Outcome;
  /** ends the run: stopping, then finished */
  stop: () => Outcome;
  /** changes the design */
  set_knob: (knob: string, variant: string, ) => Outcome;
  /** runs an action of the scenario */
  fire: (action: string, ) => Outcome;
  /** virtual: applies a what-if from now on; costs and latches as in a run spec */
  suppose: (what_if_json: string, ) => Outcome;
  /** runs twice to explain a slow transaction; then finished, with the second run */
  explain: (run_spec_json: string, transaction_json: string, ) => Outcome;
  /** virtual: runs a lab contest; input: {program, contest} (wasm/lab_host.h) */
  compete: (contest_json: string, ) => Outcome;
  /** makes the coordinator fail, for hosts to test that they survive it */
  fail_for_test: (cause: string, ) => Outcome;
}
export interface EngineQuestions {
  /** JSON: the engine's version, its limits, and the hashes of its declarations */
  version: () => string;
  /** JSON list of a run spec's errors; empty if it is valid */
  check: (run_spec_json: string, ) => string;
  /** reason why the last rejected command was rejected */
  refusal: () => string;
  /** JSON list of sysbench's header lines for the run created last */
  sysbench_header: () => string;
  /** the run result (JSON) in run state finished, else nothing */
  result: () => string;
  /** virtual, in run state finished: the figures that a what-if study uses (JSON), from the run's `beginning` or from the end of its `first_interval`; else nothing */
  outcome: (from: string, ) => string;
  /** the latches of a profile's base, the costliest first (JSON); nothing if the input is no profile */
  hot_latches: (study_json: string, ) => string;
  /** the report of a study (JSON): explain/what_if_report.h; nothing if the input is no study */
  what_if_report: (study_json: string, ) => string;
  /** JSON: progress of the current explanation, from 0 to 1 */
  explanation_progress: () => string;
  /** the last explanation as JSON, else nothing */
  explanation: () => string;
  /** the last explanation as readable lines */
  explanation_text: () => string;
  /** the tables of these lines as JSON: a list of {id, heading, rows} */
  explanation_tables: () => string;
  /** notes events {after, count} of the next run without changing it; returns the window, or nothing if it is invalid */
  note_course: (window_json: string, ) => string;
  /** JSON: the branch of the run, in run state finished, else nothing (explain/course.h) */
  course: () => string;
  /** JSON: the noted event of this number; null if none */
  noted_event: (number: string, ) => string;
  /** JSON: where two runs diverge; input: {noted, courses}, the window and the `course` of each; nothing if it is invalid */
  parting: (courses_json: string, ) => string;
  /** JSON: the differences of two runs; input as explain/course_report.h reads it; nothing if it is invalid */
  course_diff: (given_json: string, ) => string;
  /** JSON list of a lab check's errors; empty once it has begun; input: {program, check} (wasm/lab_host.h) */
  begin_lab_check: (check_json: string, ) => string;
  /** JSON: progress of the check after some thousand more states; null without a check */
  go_on_lab_check: () => string;
  /** JSON: the result of the check; null until it is done */
  lab_check: () => string;
  /** JSON: the result of the last contest; null before the first */
  contest: () => string;
}
export interface EngineCalls extends EngineCommands, EngineQuestions {
  /** starts the coordinator; call once, after the module's threads are ready */
  open: () => void;
  /** the telemetry block */
  telemetry: () => number;
  /** its size */
  telemetry_bytes: () => number;
  /** runs the virtual server */
  run_slice: (events: number, until_ns: number, ) => void;
  /** whether the last slice ended because the engine waits for a command */
  is_idle: () => boolean;
  /** clock of the virtual server, between two slices */
  clock_ns: () => number;
  /** events of the virtual server since its start */
  events: () => number;
  /** thread activity over time (telemetry/lanes.h): a ring */
  lane_segments: () => number;
  /** how many fit in the ring */
  lane_segments_max: () => number;
  /** how many were written in this run */
  lane_segments_written: () => number;
  /** time in each state, for each thread slot */
  lane_totals: () => number;
  /** sets how many latches the engine watches from the next run on: telemetry/hot_latches.h */
  watch_hottest: (latches: number, ) => void;
  /** the watched latches (telemetry/latch_trace.h) */
  watched_latches: () => number;
  /** number of these records */
  watched_latches_max: () => number;
  /** events of the watched latches (telemetry/latch_trace.h): a ring */
  latch_events: () => number;
  /** how many fit in the ring */
  latch_events_max: () => number;
  /** how many were written in this run */
  latch_events_written: () => number;
  /** hash of a range of the module's memory, a multiple of 32 bytes; writes no memory */
  hash_of_memory: (from: number, bytes: number, ) => number;
}
