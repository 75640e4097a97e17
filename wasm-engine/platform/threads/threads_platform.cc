#include "platform/platform.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <ctime>
#include <functional>
#include <memory>
#include <system_error>
#include <thread>

#if defined(__EMSCRIPTEN__)
#include <emscripten/emscripten.h>
#include <emscripten/threading.h>
#else
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace latchscope::platform {

namespace {

constexpr uint64_t kNsPerSecond = 1'000'000'000;

timespec to_timespec(uint64_t duration_ns) {
  timespec result;
  result.tv_sec = static_cast<time_t>(duration_ns / kNsPerSecond);
  result.tv_nsec = static_cast<long>(duration_ns % kNsPerSecond);
  return result;
}

}  // namespace

#if defined(__EMSCRIPTEN__)

bool futex_wait(const Atomic<uint32_t>& word, uint32_t expected, uint64_t timeout_ns) {
  const double timeout_ms =
      timeout_ns == kForeverNs ? __builtin_inf() : static_cast<double>(timeout_ns) / 1e6;
  auto* address = const_cast<void*>(word.address());
  return emscripten_futex_wait(address, expected, timeout_ms) != -ETIMEDOUT;
}

uint32_t futex_wake(const Atomic<uint32_t>& word, uint32_t count) {
  const int woken = emscripten_futex_wake(const_cast<void*>(word.address()), static_cast<int>(count));
  return woken < 0 ? 0 : static_cast<uint32_t>(woken);
}

uint32_t threads_max() {
  return LATCHSCOPE_POOL_THREADS;
}

namespace {

[[noreturn]] void fail_without_thread(int /*error*/) {
  char text[160];
  snprintf(text, sizeof text,
           "cannot start another thread: the page has %u threads and limited memory for stacks. Choose fewer "
           "threads or smaller parameters",
           threads_max());
  fail(text);
}

}  // namespace

#else

bool futex_wait(const Atomic<uint32_t>& word, uint32_t expected, uint64_t timeout_ns) {
  timespec timeout = to_timespec(timeout_ns);
  timespec* timeout_or_none = timeout_ns == kForeverNs ? nullptr : &timeout;
  const long status =
      syscall(SYS_futex, word.address(), FUTEX_WAIT_PRIVATE, expected, timeout_or_none, nullptr, 0);
  return status == 0 || errno != ETIMEDOUT;
}

uint32_t futex_wake(const Atomic<uint32_t>& word, uint32_t count) {
  const long woken = syscall(SYS_futex, word.address(), FUTEX_WAKE_PRIVATE, count, nullptr, nullptr, 0);
  return woken < 0 ? 0 : static_cast<uint32_t>(woken);
}

uint32_t threads_max() {
  return kThreadsMax;
}

namespace {

[[noreturn]] void fail_without_thread(int error) {
  char text[240];
  snprintf(
      text, sizeof text,
      "cannot start another thread (%s). Choose fewer threads, or raise the limits on threads and memory "
      "(ulimit -u, ulimit -v)",
      std::generic_category().message(error).c_str());
  fail(text);
}

}  // namespace

#endif

uint64_t now_ns() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * kNsPerSecond + static_cast<uint64_t>(now.tv_nsec);
}

namespace {

// Runs a chain of dependent multiplications, which no core can overlap. Each call continues from
// the thread's last result, so the compiler cannot drop the chain.
void calculate(uint64_t steps) {
  thread_local uint32_t chain = 1;
  uint32_t value = chain;
  for (uint64_t i = 0; i < steps; ++i)
    value = value * 1'664'525u + (value >> 7);
  chain = value;
}

// Returns the fastest of five passes, because other work on the machine can only add time.
uint64_t measured_steps_per_ms() {
  constexpr uint64_t kSteps = 200'000;
  uint64_t least_ns = kForeverNs;
  for (uint32_t pass = 0; pass < 5; ++pass) {
    const uint64_t began_ns = now_ns();
    calculate(kSteps);
    least_ns = std::min(least_ns, std::max<uint64_t>(now_ns() - began_ns, 1));
  }
  return kSteps * 1'000'000 / least_ns;
}

}  // namespace

void charge_ps(uint64_t cpu_ps) {
  static const uint64_t steps_per_ms = measured_steps_per_ms();
  // In two steps, because the product of an hour does not fit.
  const uint64_t cpu_ns = cpu_ps / kPsPerNs;
  calculate(cpu_ns * steps_per_ms / 1'000'000 + (cpu_ps % kPsPerNs) * steps_per_ms / 1'000'000'000);
}

void charge(uint64_t cpu_ns) {
  charge_ps(cpu_ns * kPsPerNs);
}

void await_message_ps(uint64_t duration_ps) {
  sleep_ns(duration_ps / kPsPerNs);
}

uint64_t thread_cpu_ns() {
#if defined(__EMSCRIPTEN__)
  return 0;
#else
  timespec used;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  return static_cast<uint64_t>(used.tv_sec) * kNsPerSecond + static_cast<uint64_t>(used.tv_nsec);
#endif
}

void sleep_ns(uint64_t duration_ns) {
  timespec remaining = to_timespec(duration_ns);
  while (nanosleep(&remaining, &remaining) != 0 && errno == EINTR) {
  }
}

void yield() {
  std::this_thread::yield();
}

uint32_t hardware_cores() {
  const uint32_t cores = std::thread::hardware_concurrency();
  return cores == 0 ? 1 : cores;
}

Device::Device(const DeviceProfile& profile)
    : profile_(profile), busy_until_ns_(new std::atomic<uint64_t>[profile.channels]()) {}

uint64_t Device::reserve_until_ns(std::atomic<uint64_t>& channel, uint64_t service_ns) {
  const uint64_t now = now_ns();
  uint64_t busy_until = channel.load();
  uint64_t done;
  do {
    done = (busy_until > now ? busy_until : now) + service_ns;
  } while (!channel.compare_exchange_weak(busy_until, done));
  return done;
}

namespace {

void sleep_until_ns(uint64_t done) {
  for (uint64_t now = now_ns(); now < done; now = now_ns())
    sleep_ns(done - now);
}

}  // namespace

void io(Device& device, uint64_t bytes) {
  const DeviceProfile& profile = device.profile_;
  if (profile.latency_ns == 0 && profile.bytes_per_us == 0) return;
  const uint64_t transfer_ns = profile.bytes_per_us == 0 ? 0 : bytes * 1000 / profile.bytes_per_us;
  std::atomic<uint64_t>& channel =
      device.busy_until_ns_[device.next_channel_.fetch_add(1) % profile.channels];
  sleep_until_ns(Device::reserve_until_ns(channel, profile.latency_ns + transfer_ns));
}

void occupy(Device& device, uint64_t duration_ns) {
  uint64_t done = 0;
  for (uint32_t i = 0; i < device.profile_.channels; ++i)
    done = std::max(done, Device::reserve_until_ns(device.busy_until_ns_[i], duration_ns));
  sleep_until_ns(done);
}

namespace {

void* run_body(void* argument) {
  const std::unique_ptr<std::function<void()>> body(static_cast<std::function<void()>*>(argument));
  (*body)();
  return nullptr;
}

}  // namespace

Thread::Thread(std::function<void()> body) : is_joinable_(true) {
  auto* argument = new std::function<void()>(std::move(body));  // the new thread deletes it
  const int error = pthread_create(&handle_, nullptr, run_body, argument);
  if (error != 0) fail_without_thread(error);
}

Thread::~Thread() {
  LATCHSCOPE_ASSERT(!is_joinable_, "a running thread is joined before it is destroyed");
}

void Thread::join() {
  LATCHSCOPE_ASSERT(std::exchange(is_joinable_, false), "only a running thread is joined, and only once");
  pthread_join(handle_, nullptr);
}

}  // namespace latchscope::platform
