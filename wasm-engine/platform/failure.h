// How the engine ends when it cannot continue: an invariant is broken, or memory or threads have
// run out. Both platforms share this part of the interface in platform.h.
#pragma once

namespace latchscope::platform {

// Runs on the failing thread with a zero-terminated text and must not return to the engine's code.
// If several threads fail at once, only one is reported. Without a handler the engine prints the
// text and aborts the process.
using FailureHandler = void (*)(const char* text);
// Also routes the C++ library's own terminations to the handler: failed allocations and, natively,
// uncaught exceptions.
void set_failure_handler(FailureHandler handler);

[[noreturn]] void fail(const char* text);
[[noreturn]] void fail_at(const char* file, int line, const char* condition, const char* text);
[[noreturn]] void fail_out_of_memory();

// Stops the failing thread for good, for a handler that keeps the process alive. On a thread of the
// host that called the engine it throws a JavaScript error with `text` instead.
[[noreturn]] void stop_for_good(const char* text);

}  // namespace latchscope::platform
