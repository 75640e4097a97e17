// How an engine ends when it cannot continue: an invariant was broken, or memory or threads ran out. Declared
// in platform.h; the same on both platforms.
#pragma once

namespace latchscope::platform {

// Called on the failing thread with a zero-terminated text. It must not return to the engine's code. If
// several threads fail at once, only one is reported. Without a handler the text is printed and the process
// aborted.
using FailureHandler = void (*)(const char* text);
// Also reports as failures the cases in which the C++ library would end the process: memory that is refused,
// and natively an uncaught exception.
void set_failure_handler(FailureHandler handler);

[[noreturn]] void fail(const char* text);
[[noreturn]] void fail_at(const char* file, int line, const char* condition, const char* text);
[[noreturn]] void fail_out_of_memory();

// For a handler that keeps the process alive: stops the failing thread for good. If it is a thread of the
// host that called the engine, it throws a JavaScript error with `text` instead.
[[noreturn]] void stop_for_good(const char* text);

}  // namespace latchscope::platform
