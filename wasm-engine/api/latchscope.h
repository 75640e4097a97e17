// The C ABI of the engine: what a page (or any other host) calls. Nothing else crosses the boundary, except
// the telemetry block, which the host only reads.
//
// No call blocks (latchscope_run_slice takes as long as its events): commands are posted to the coordinator thread,
// which carries them out in order, and the host sees the outcome in the telemetry block (BlockHeader: run_state,
// commands_done, error_text). An engine that cannot go on is in run state `failed` for good, and failure_text says why; if that
// happens in a call, or on the virtual platform, where all happens in calls, in WebAssembly the call also throws a JavaScript
// error with that text. Strings are UTF-8 and zero-terminated; returned strings belong to the engine and stay
// valid until the next call of the same function.
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// {"engine":"0.1.0","abi":1,"layout_hash":N,"platform":"threads","build":"...","clients_max":N}
const char* latchscope_version(void);

// Starts the coordinator. Call once, after the module's threads stand ready.
void latchscope_open(void);

// The telemetry block and its size in bytes.
const void* latchscope_telemetry(void);
uint32_t latchscope_telemetry_bytes(void);

// Checks a run spec (JSON). Returns a JSON list of errors, empty when the spec is good:
// [{"field":"parameters.tables","value":"0","allowed":"an integer from 1 to 64"}]
const char* latchscope_check(const char* run_spec_json);

// The calls below return 1 if the command was posted, 0 if it was refused at once (latchscope_check's errors,
// or a state in which the command means nothing; latchscope_refusal says why). A command posted while earlier
// ones are under way may turn out to mean nothing when its turn comes: error_text then says so.
int32_t latchscope_create(const char* run_spec_json);  // idle, finished -> building -> ready
int32_t latchscope_start(void);                        // ready -> running
int32_t latchscope_pause(void);                        // running -> paused, at a transaction boundary
int32_t latchscope_resume(void);                       // paused -> running
int32_t latchscope_stop(void);                         // ready, running, paused -> stopping -> finished
int32_t latchscope_set_knob(const char* knob, const char* variant);  // any state between ready and stopping
int32_t latchscope_fire(const char* action);                         // running, paused

// Why the last refused call was refused (same JSON form as latchscope_check).
const char* latchscope_refusal(void);

// The run result (JSON) in run state `finished`, else "".
const char* latchscope_result(void);

// On the virtual platform nothing goes on by itself: the host lets the modelled server go on, for so many events or until
// the clock stands at until_ns (infinite: no such bound), as often as it likes; where it stops changes nothing about a
// run. A slice ends early when clients start, so that a host can read the run at the same moments each time. On threads
// both calls do nothing.
void latchscope_run_slice(uint32_t events, double until_ns);
// 1 if the last slice ended because the engine waits for a command.
int32_t latchscope_is_idle(void);

// Of the virtual platform, as they stand between two slices. The clock is that of BlockHeader::clock_ns, in nanoseconds;
// events count from the start of the modelled server. Both fit a double for days.
double latchscope_clock_ns(void);
double latchscope_events(void);
// What each thread did when (telemetry/lanes.h): a ring of segments, how many it holds, how many were written in this
// run, and for each thread slot the time in each state.
const void* latchscope_lane_segments(void);
uint32_t latchscope_lane_segments_max(void);
double latchscope_lane_segments_written(void);
const void* latchscope_lane_totals(void);

// Makes the coordinator fail, for hosts to test that they survive it: by an "assertion", by using up "memory" or "threads", on
// the virtual platform in WebAssembly also by overrunning a "stack" or by more nested "calls" than there is room for.
int32_t latchscope_fail_for_test(const char* cause);

#ifdef __cplusplus
}
#endif
