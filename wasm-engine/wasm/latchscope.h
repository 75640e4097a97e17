// The C ABI of the engine: the functions that a page (or any other host) calls. Nothing else
// crosses the boundary, except the telemetry block, which the host only reads.
//
// The ABI is declared once, in the lists below. They generate the prototypes of c_abi.cc, the list
// of functions that the WebAssembly modules export, and the page's types
// (web/contract/gen/engine-abi.ts, by abi_gen.cc). They also give the hash by which a page
// recognizes an engine of another build.
//
// No call blocks (run_slice takes as long as its events). Commands are posted to the coordinator
// thread, which runs them in order. The host sees the outcome in the telemetry block (BlockHeader:
// run_state, commands_done, command_outcome, error_text).
//
// An engine that cannot continue stays in run state `failed`, and failure_text says why. In
// WebAssembly, if it fails inside a call, the call also throws a JavaScript error with that text.
// (On the virtual platform everything happens inside calls.)
//
// Returned texts belong to the engine and stay valid until the next call.
#pragma once

#include <cstdint>

#include "telemetry/layout.h"

namespace latchscope::wasm {

// The types that cross the boundary. Texts are UTF-8 and zero-terminated. An address is in the
// module's memory. An outcome is a number from the list below.
using text = const char*;
using nothing = void;
using outcome = int32_t;
using truth = int32_t;
using count = uint32_t;
using number = double;
using address = const void*;

// Outcomes of a command, numbered from 0. A command that is rejected at once returns its outcome,
// and `refusal` says why. A command posted while earlier ones are pending may turn out to be
// impossible when its turn comes. Then command_outcome says so, and error_text says why. The reason
// is a JSON list of errors, [{"field":"threads","value":"0","allowed":"an integer from 1 to 64"}].
// For refused_by_server it is a sentence.
#define LATCHSCOPE_OUTCOMES(O)                                                                   \
  O(accepted, "posted; in command_outcome: executed")                                            \
  O(wrong_value, "an argument is invalid: errors by field")                                      \
  O(wrong_state, "not allowed in this run state: the field is the command, the value the state") \
  O(mailbox_full, "64 commands are already waiting")                                             \
  O(refused_by_server, "the server cannot do this now, such as drop a table that no longer exists")

// For each command: its name, parameters, the run states in which it is allowed, and its meaning.
//
// explain takes {"transaction", "blame"}: the transaction in the form that docs/guide/explain.md
// describes, and whether to add what the slowest ones spent their time on.
//
// fail_for_test fails by an "assertion", or by using up "memory" or "threads". In WebAssembly on
// the virtual platform it can also overrun a "stack", or nest more "calls" than their buffer can
// hold.
#define LATCHSCOPE_COMMANDS(F, NONE, ONE, TWO)                                                             \
  F(create, ONE(text, run_spec_json), (idle, finished), "builds the server: building, then ready")         \
  F(start, NONE, (ready), "releases the clients: running")                                                 \
  F(pause, NONE, (running), "paused, at a transaction boundary")                                           \
  F(resume, NONE, (paused), "running again")                                                               \
  F(stop, NONE, (ready, running, paused), "ends the run: stopping, then finished")                         \
  F(set_knob, TWO(text, knob, text, variant), (ready, running, paused), "changes the design")              \
  F(fire, ONE(text, action), (running, paused), "runs an action of the scenario")                          \
  F(suppose, ONE(text, what_if_json), (running, paused),                                                   \
    "virtual: applies a what-if from now on; costs and latches as in a run spec")                          \
  F(explain, TWO(text, run_spec_json, text, transaction_json), (idle, finished),                           \
    "runs twice to explain a slow transaction; then finished, with the second run")                        \
  F(compete, ONE(text, contest_json), (idle),                                                              \
    "virtual: runs a lab contest; input: {program, contest} (wasm/lab_host.h)")                            \
  F(fail_for_test, ONE(text, cause), (idle, building, ready, running, paused, stopping, finished, failed), \
    "makes the coordinator fail, for hosts to test that they survive it")

// Calls that return a text. For each: its name, parameters, meaning.
#define LATCHSCOPE_QUESTIONS(F, NONE, ONE)                                                                   \
  F(version, NONE, "JSON: the engine's version, its limits, and the hashes of its declarations")             \
  F(check, ONE(text, run_spec_json), "JSON list of a run spec's errors; empty if it is valid")               \
  F(refusal, NONE, "reason why the last rejected command was rejected")                                      \
  F(sysbench_header, NONE, "JSON list of sysbench's header lines for the run created last")                  \
  F(result, NONE, "the run result (JSON) in run state finished, else nothing")                               \
  F(outcome, ONE(text, from),                                                                                \
    "virtual, in run state finished: the figures that a what-if study uses (JSON), from the run's "          \
    "`beginning` or from the end of its `first_interval`; else nothing")                                     \
  F(hot_latches, ONE(text, study_json),                                                                      \
    "the latches of a profile's base, the costliest first (JSON); nothing if the input is no profile")       \
  F(what_if_report, ONE(text, study_json),                                                                   \
    "the report of a study (JSON): explain/what_if_report.h; nothing if the input is no study")              \
  F(explanation_progress, NONE, "JSON: progress of the current explanation, from 0 to 1")                    \
  F(explanation, NONE, "the last explanation as JSON, else nothing")                                         \
  F(explanation_text, NONE, "the last explanation as readable lines")                                        \
  F(explanation_tables, NONE, "the tables of these lines as JSON: a list of {id, heading, rows}")            \
  F(note_course, ONE(text, window_json),                                                                     \
    "notes events {after, count} of the next run without changing it; returns the window, or nothing if "    \
    "it is invalid")                                                                                         \
  F(course, NONE, "JSON: the branch of the run, in run state finished, else nothing (explain/course.h)")     \
  F(noted_event, ONE(text, number), "JSON: the noted event of this number; null if none")                    \
  F(parting, ONE(text, courses_json),                                                                        \
    "JSON: where two runs diverge; input: {noted, courses}, the window and the `course` of each; nothing "   \
    "if it is invalid")                                                                                      \
  F(course_diff, ONE(text, given_json),                                                                      \
    "JSON: the differences of two runs; input as explain/course_report.h reads it; nothing if it is "        \
    "invalid")                                                                                               \
  F(begin_lab_check, ONE(text, check_json),                                                                  \
    "JSON list of a lab check's errors; empty once it has begun; input: {program, check} (wasm/lab_host.h)") \
  F(go_on_lab_check, NONE,                                                                                   \
    "JSON: progress of the check after some thousand more states; null without a check")                     \
  F(lab_check, NONE, "JSON: the result of the check; null until it is done")                                 \
  F(contest, NONE, "JSON: the result of the last contest; null before the first")

// For each other call: its returned type, name, parameters, meaning.
//
// On the virtual platform nothing runs by itself. The host runs the virtual server in slices: each
// runs a number of events, or until the clock reaches until_ns (infinite: no limit). The boundaries
// of slices do not change a run. A slice ends early when clients start, so that a host can read the
// run at the same moments each time. On threads run_slice does nothing. The clock is that of
// BlockHeader::clock_ns. For days of virtual time, clock and events are exact in a double.
#define LATCHSCOPE_CALLS(F, NONE, ONE, TWO)                                                         \
  F(nothing, open, NONE, "starts the coordinator; call once, after the module's threads are ready") \
  F(address, telemetry, NONE, "the telemetry block")                                                \
  F(count, telemetry_bytes, NONE, "its size")                                                       \
  F(nothing, run_slice, TWO(count, events, number, until_ns), "runs the virtual server")            \
  F(truth, is_idle, NONE, "whether the last slice ended because the engine waits for a command")    \
  F(number, clock_ns, NONE, "clock of the virtual server, between two slices")                      \
  F(number, events, NONE, "events of the virtual server since its start")                           \
  F(address, lane_segments, NONE, "thread activity over time (telemetry/lanes.h): a ring")          \
  F(count, lane_segments_max, NONE, "how many fit in the ring")                                     \
  F(number, lane_segments_written, NONE, "how many were written in this run")                       \
  F(address, lane_totals, NONE, "time in each state, for each thread slot")                         \
  F(nothing, watch_hottest, ONE(count, latches),                                                    \
    "sets how many latches the engine watches from the next run on: telemetry/hot_latches.h")       \
  F(address, watched_latches, NONE, "the watched latches (telemetry/latch_trace.h)")                \
  F(count, watched_latches_max, NONE, "number of these records")                                    \
  F(address, latch_events, NONE, "events of the watched latches (telemetry/latch_trace.h): a ring") \
  F(count, latch_events_max, NONE, "how many fit in the ring")                                      \
  F(number, latch_events_written, NONE, "how many were written in this run")                        \
  F(number, hash_of_memory, TWO(address, from, count, bytes),                                       \
    "hash of a range of the module's memory, a multiple of 32 bytes; writes no memory")

#define LATCHSCOPE_ABI_NAME(name, ...) name,
enum class Outcome : uint32_t { LATCHSCOPE_OUTCOMES(LATCHSCOPE_ABI_NAME) };
enum class Command : uint32_t { LATCHSCOPE_COMMANDS(LATCHSCOPE_ABI_NAME, , , ) };
#undef LATCHSCOPE_ABI_NAME

// A set of run states, as bits.
constexpr uint32_t bit(telemetry::RunState state) {
  return 1u << static_cast<uint32_t>(state);
}
template <class... States>
constexpr uint32_t states_of(States... states) {
  return (bit(states) | ...);
}

// Returns a hash of all the lists above, without the meanings.
uint32_t abi_hash();

}  // namespace latchscope::wasm

#define LATCHSCOPE_NO_PARAMETERS (void)
#define LATCHSCOPE_ONE_PARAMETER(type, name) (latchscope::wasm::type name)
#define LATCHSCOPE_TWO_PARAMETERS(type, name, other_type, other_name) \
  (latchscope::wasm::type name, latchscope::wasm::other_type other_name)
#define LATCHSCOPE_PROTOTYPE(returned, name, parameters, ...) \
  latchscope::wasm::returned latchscope_##name parameters;
#define LATCHSCOPE_COMMAND_PROTOTYPE(name, ...) LATCHSCOPE_PROTOTYPE(outcome, name, __VA_ARGS__)
#define LATCHSCOPE_QUESTION_PROTOTYPE(name, ...) LATCHSCOPE_PROTOTYPE(text, name, __VA_ARGS__)

extern "C" {
LATCHSCOPE_COMMANDS(LATCHSCOPE_COMMAND_PROTOTYPE, LATCHSCOPE_NO_PARAMETERS, LATCHSCOPE_ONE_PARAMETER,
                    LATCHSCOPE_TWO_PARAMETERS)
LATCHSCOPE_QUESTIONS(LATCHSCOPE_QUESTION_PROTOTYPE, LATCHSCOPE_NO_PARAMETERS, LATCHSCOPE_ONE_PARAMETER)
LATCHSCOPE_CALLS(LATCHSCOPE_PROTOTYPE, LATCHSCOPE_NO_PARAMETERS, LATCHSCOPE_ONE_PARAMETER,
                 LATCHSCOPE_TWO_PARAMETERS)
}
