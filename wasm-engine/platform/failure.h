// How an engine ends that cannot go on: a promise was broken, memory or threads ran out. Declared in platform.h; the same on
// both platforms.
#pragma once

namespace latchscope::platform {

// Called on the failing thread with a zero-terminated text; must not return to the engine's code. Of threads that fail at the
// same time one is heard. Without a handler the text is printed and the process aborted.
using FailureHandler = void (*)(const char* text);
// Also makes failures of what the C++ library would end the process for: memory that is refused, and natively an exception
// that nobody catches.
void set_failure_handler(FailureHandler handler);

[[noreturn]] void fail(const char* text);
[[noreturn]] void fail_at(const char* file, int line, const char* condition, const char* text);
[[noreturn]] void fail_out_of_memory();

// For a handler that leaves the process alive: the failing thread goes on no more. A thread of the host that has called the
// engine is given back to it by a JavaScript error that says `text`.
[[noreturn]] void stop_for_good(const char* text);

}  // namespace latchscope::platform
