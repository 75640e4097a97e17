// The C ABI of the engine: what a page (or any other host) calls. Nothing else crosses the boundary, except
// the telemetry block, which the host only reads.
//
// It is declared once, in the lists below. The prototypes of c_abi.cc, the list of functions that the WebAssembly modules export,
// what the page calls (web/contract/gen/engine-abi.ts, by abi_gen.cc) and the hash by which a page knows an engine of another
// build all follow from them.
//
// No call blocks (run_slice takes as long as its events): commands are posted to the coordinator thread,
// which carries them out in order, and the host sees the outcome in the telemetry block (BlockHeader: run_state,
// commands_done, command_outcome, error_text). An engine that cannot go on is in run state `failed` for good, and failure_text says
// why; if that happens in a call, or on the virtual platform, where all happens in calls, in WebAssembly the call also throws a
// JavaScript error with that text. Returned texts belong to the engine and stay valid until the next call of the same function.
#pragma once

#include <cstdint>

#include "telemetry/layout.h"

namespace latchscope::c_abi {

// What crosses. UTF-8, zero-terminated; an address is one of the module's memory; an outcome is a number of the list below.
using text = const char*;
using nothing = void;
using outcome = int32_t;
using truth = int32_t;
using count = uint32_t;
using number = double;
using address = const void*;

// What becomes of a command, numbered from 0. Those that are refused at once say so as their answer, and `refusal` says why. A
// command posted while earlier ones are under way may turn out to mean nothing when its turn comes: then command_outcome
// says so, and error_text why. `why` is a JSON list of errors, [{"field":"threads","value":"0","allowed":"an integer
// from 1 to 64"}], but for refused_by_server, of which it is a sentence.
#define LATCHSCOPE_OUTCOMES(O)                                                                     \
  O(accepted, "posted; in command_outcome: carried out")                                           \
  O(wrong_value, "an argument is wrong: errors by field")                                          \
  O(wrong_state, "means nothing in this run state: the field is the command, the value the state") \
  O(mailbox_full, "64 commands wait already")                                                      \
  O(refused_by_server, "the server cannot do it now, such as dropping a table that is gone")

// Name, parameters, run states in which it means something, meaning. fail_for_test fails by an "assertion", by using up "memory" or
// "threads", in WebAssembly on the virtual platform also by overrunning a "stack" or by more nested "calls" than there is room for.
#define LATCHSCOPE_COMMANDS(F, NONE, ONE, TWO)                                                             \
  F(create, ONE(text, run_spec_json), (idle, finished), "builds the server: building, then ready")         \
  F(start, NONE, (ready), "lets the clients go: running")                                                  \
  F(pause, NONE, (running), "paused, at a transaction boundary")                                           \
  F(resume, NONE, (paused), "running again")                                                               \
  F(stop, NONE, (ready, running, paused), "ends the run: stopping, then finished")                         \
  F(set_knob, TWO(text, knob, text, variant), (ready, running, paused), "changes the design")              \
  F(fire, ONE(text, action), (running, paused), "carries out a step of how to repeat the bug")             \
  F(fail_for_test, ONE(text, cause), (idle, building, ready, running, paused, stopping, finished, failed), \
    "makes the coordinator fail, for hosts to test that they survive it")

// What is answered with a text. Name, parameters, meaning.
#define LATCHSCOPE_QUESTIONS(F, NONE, ONE)                                                                \
  F(version, NONE, "JSON: which engine this is, its limits, and the hashes of what it declares")          \
  F(check, ONE(text, run_spec_json), "JSON list of what is wrong with a run spec, empty when it is good") \
  F(refusal, NONE, "why the last command that was refused at once was refused")                           \
  F(sysbench_header, NONE,                                                                                \
    "JSON list of the lines that sysbench begins with, of the run that was created last")                 \
  F(result, NONE, "the run result (JSON) in run state finished, else nothing")

// Returned type, name, parameters, meaning.
//
// On the virtual platform nothing goes on by itself: the host lets the modelled server go on, for so many events or until
// the clock stands at until_ns (infinite: no such bound), as often as it likes; where it stops changes nothing about a
// run. A slice ends early when clients start, so that a host can read the run at the same moments each time. On threads
// run_slice does nothing. The clock is that of BlockHeader::clock_ns; clock and events fit a double for days.
#define LATCHSCOPE_CALLS(F, NONE, TWO)                                                                \
  F(nothing, open, NONE, "starts the coordinator; once, after the threads of the module stand ready") \
  F(address, telemetry, NONE, "the telemetry block")                                                  \
  F(count, telemetry_bytes, NONE, "its size")                                                         \
  F(nothing, run_slice, TWO(count, events, number, until_ns), "lets the modelled server go on")       \
  F(truth, is_idle, NONE, "whether the last slice ended because the engine waits for a command")      \
  F(number, clock_ns, NONE, "of the modelled server, as it stands between two slices")                \
  F(number, events, NONE, "from the start of the modelled server on")                                 \
  F(address, lane_segments, NONE, "what each thread did when (telemetry/lanes.h): a ring")            \
  F(count, lane_segments_max, NONE, "how many the ring holds")                                        \
  F(number, lane_segments_written, NONE, "how many were written in this run")                         \
  F(address, lane_totals, NONE, "for each thread slot the time in each state")

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

// Over all of the above but for the meanings.
uint32_t hash();

}  // namespace latchscope::c_abi

#define LATCHSCOPE_NO_PARAMETERS (void)
#define LATCHSCOPE_ONE_PARAMETER(type, name) (latchscope::c_abi::type name)
#define LATCHSCOPE_TWO_PARAMETERS(type, name, other_type, other_name) \
  (latchscope::c_abi::type name, latchscope::c_abi::other_type other_name)
#define LATCHSCOPE_PROTOTYPE(returned, name, parameters, ...) \
  latchscope::c_abi::returned latchscope_##name parameters;
#define LATCHSCOPE_COMMAND_PROTOTYPE(name, ...) LATCHSCOPE_PROTOTYPE(outcome, name, __VA_ARGS__)
#define LATCHSCOPE_QUESTION_PROTOTYPE(name, ...) LATCHSCOPE_PROTOTYPE(text, name, __VA_ARGS__)

extern "C" {
LATCHSCOPE_COMMANDS(LATCHSCOPE_COMMAND_PROTOTYPE, LATCHSCOPE_NO_PARAMETERS, LATCHSCOPE_ONE_PARAMETER,
                    LATCHSCOPE_TWO_PARAMETERS)
LATCHSCOPE_QUESTIONS(LATCHSCOPE_QUESTION_PROTOTYPE, LATCHSCOPE_NO_PARAMETERS, LATCHSCOPE_ONE_PARAMETER)
LATCHSCOPE_CALLS(LATCHSCOPE_PROTOTYPE, LATCHSCOPE_NO_PARAMETERS, LATCHSCOPE_TWO_PARAMETERS)
}
