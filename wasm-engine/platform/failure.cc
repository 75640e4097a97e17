#include "platform/failure.h"

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>

#include "platform/platform.h"

#if defined(__EMSCRIPTEN__)
#include <emscripten/em_js.h>
#include <emscripten/threading.h>
#else
#include <cxxabi.h>
#include <fcntl.h>
#include <unistd.h>

#include <typeinfo>
#endif

namespace latchscope::platform {

namespace {

constexpr uint64_t kBytesPerMib = 1 << 20;

std::atomic<FailureHandler> failure_handler{nullptr};
std::atomic<bool> a_thread_has_failed{false};

// Real threads report only the first failure, because the reports of several threads would mix. On
// a modelled server threads run one at a time, and one exploration of schedules finds many
// failures.
bool is_first_to_fail() {
  return kIsModelled || !a_thread_has_failed.exchange(true);
}

#if defined(__EMSCRIPTEN__)

uint64_t memory_held_mib() {
  constexpr uint64_t kWasmPageBytes = 65'536;
  return __builtin_wasm_memory_size(0) * kWasmPageBytes / kBytesPerMib;
}

constexpr const char* kMoreMemory = "";

#else

// Returns what Linux counts as the process's memory, or 0 if the system does not say. Allocates
// nothing.
uint64_t memory_held_mib() {
  char text[32] = {};
  const int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  const ssize_t length = read(file, text, sizeof text - 1);
  close(file);
  const auto page_bytes = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  return length <= 0 ? 0 : strtoull(text, nullptr, 10) * page_bytes / kBytesPerMib;
}

constexpr const char* kMoreMemory = ", or raise the limit on memory (ulimit -v)";

[[noreturn]] void fail_of_exception() {
  const std::type_info* type = abi::__cxa_current_exception_type();
  char text[160];
  snprintf(text, sizeof text, "uncaught exception (%s)", type == nullptr ? "none" : type->name());
  fail(text);
}

#endif

}  // namespace

void set_failure_handler(FailureHandler handler) {
  failure_handler.store(handler);
  std::set_new_handler(fail_out_of_memory);
#if !defined(__EMSCRIPTEN__)
  std::set_terminate(fail_of_exception);
#endif
}

void fail(const char* text) {
  if (!is_first_to_fail()) stop_for_good(text);
  if (FailureHandler handler = failure_handler.load()) handler(text);
  fprintf(stderr, "latchscope: the engine stopped: %s\n", text);
  abort();
}

void fail_at(const char* file, int line, const char* condition, const char* text) {
  char message[480];
  snprintf(message, sizeof message, "%s (%s is false, %s:%d)", text, condition, file, line);
  fail(message);
}

void fail_out_of_memory() {
  char text[240];
  snprintf(
      text, sizeof text,
      "out of memory: the engine uses %llu MiB and cannot allocate more. Choose smaller parameters or fewer "
      "threads%s",
      static_cast<unsigned long long>(memory_held_mib()), kMoreMemory);
  fail(text);
}

#if defined(__EMSCRIPTEN__)

EM_JS_DEPS(latchscope_failure, "$UTF8ToString");
EM_JS(void, latchscope_throw_to_host, (const char* text), { throw new Error(UTF8ToString(text)); });

void stop_for_good(const char* text) {
  // On a modelled server the engine runs on the host's thread, and a browser's main thread must not
  // sleep. So the failure becomes a JavaScript error there.
  if (kIsModelled || emscripten_is_main_browser_thread()) latchscope_throw_to_host(text);
  for (;;)
    sleep_ns(1'000'000'000);
}

#else

void stop_for_good(const char* /*text*/) {
  for (;;)
    sleep_ns(1'000'000'000);
}

#endif

}  // namespace latchscope::platform
