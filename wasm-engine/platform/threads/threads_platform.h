// The `threads` platform: real threads and the real clock. platform/platform.h defines the
// contract.
//
// Natively it uses POSIX threads and the futex system call. In a browser it uses Emscripten
// pthreads (Web Workers over one SharedArrayBuffer) and memory.atomic.wait32/notify. It does not
// use std::atomic::wait or std::counting_semaphore, because both poll in WebAssembly.
#pragma once

#include <pthread.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>

namespace latchscope::platform {

inline constexpr const char* kPlatformName = "threads";
// Whether threads run on a modelled server. Only layers that report on runs read this; the engine
// itself never does.
inline constexpr bool kIsModelled = false;
// The share of declared work costs that is charged by default. Real threads do the work itself.
inline constexpr uint32_t kWorkCostsPercent = 0;
inline constexpr uint32_t kCacheLineBytes = 64;

struct CacheLine {
  void belongs_to(LatchLine /*line*/) const {}
};

struct DataLine {
  void read() const {}
  void write() const {}
  static void read_all(std::span<const DataLine> /*lines*/) {}
};

template <class T>
class Atomic {
 public:
  Atomic(CacheLine& /*line*/, T initial) : value_(initial) {}
  Atomic(const Atomic&) = delete;
  Atomic& operator=(const Atomic&) = delete;

  T load_relaxed() const { return value_.load(std::memory_order_relaxed); }
  T load_acquire() const { return value_.load(std::memory_order_acquire); }
  T load() const { return value_.load(std::memory_order_seq_cst); }
  void store_relaxed(T value) { value_.store(value, std::memory_order_relaxed); }
  void store_release(T value) { value_.store(value, std::memory_order_release); }
  void store(T value) { value_.store(value, std::memory_order_seq_cst); }
  T exchange(T value) { return value_.exchange(value, std::memory_order_seq_cst); }
  T fetch_add(T value) { return value_.fetch_add(value, std::memory_order_seq_cst); }
  T fetch_sub(T value) { return value_.fetch_sub(value, std::memory_order_seq_cst); }
  T fetch_or(T value) { return value_.fetch_or(value, std::memory_order_seq_cst); }
  T fetch_and(T value) { return value_.fetch_and(value, std::memory_order_seq_cst); }
  T fetch_xor(T value) { return value_.fetch_xor(value, std::memory_order_seq_cst); }

  // Stores the value found in `expected` on failure.
  bool compare_exchange(T& expected, T desired) {
    return value_.compare_exchange_strong(expected, desired, std::memory_order_seq_cst);
  }

  // Returns the word's address, for this platform's futex calls only.
  const void* address() const { return &value_; }

 private:
  std::atomic<T> value_;
};

// A cell with one writer and any number of sampling readers. In WebAssembly it is a plain store,
// because there even a relaxed atomic store costs as much as a locked one. Natively it is a relaxed
// store, which costs the same and is no data race for ThreadSanitizer.
template <class T>
class Published {
 public:
#if defined(__EMSCRIPTEN__)
  T read() const { return value_; }
  void set(T value) { value_ = value; }
  T read_acquire() const { return __atomic_load_n(&value_, __ATOMIC_ACQUIRE); }
  void set_release(T value) { __atomic_store_n(&value_, value, __ATOMIC_RELEASE); }
  bool compare_exchange(T& expected, T desired) {
    return __atomic_compare_exchange_n(&value_, &expected, desired, false, __ATOMIC_SEQ_CST,
                                       __ATOMIC_SEQ_CST);
  }

 private:
  volatile T value_ = 0;
#else
  T read() const { return value_.load(std::memory_order_relaxed); }
  void set(T value) { value_.store(value, std::memory_order_relaxed); }
  T read_acquire() const { return value_.load(std::memory_order_acquire); }
  void set_release(T value) { value_.store(value, std::memory_order_release); }
  bool compare_exchange(T& expected, T desired) { return value_.compare_exchange_strong(expected, desired); }

 private:
  std::atomic<T> value_ = 0;
#endif

 public:
  void add(T amount) { set(read() + amount); }
};

inline constexpr uint32_t kWakeAll = 0x7fffffff;

inline void fence() {
  std::atomic_thread_fence(std::memory_order_seq_cst);
}

// WebAssembly has no PAUSE: there a short dependent calculation takes about as long as one on a
// Skylake-or-later or Zen core (20 to 50 ns).
inline void pause(uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
#if defined(__x86_64__)
    // _mm_pause(), which would need <immintrin.h> and seconds of compile time.
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("isb");
#else
    for (volatile uint32_t busy = 0; busy < 12; busy = busy + 1) {
    }
#endif
  }
}

// Delays the spinner after one failed poll.
inline void spin_delay(const SpinPolicy& policy) {
  uint32_t bits;
  if (policy.shared_generator != nullptr) {
    bits = next_of_shared_generator(policy.shared_generator->load_relaxed());
    policy.shared_generator->store_relaxed(bits);
  } else {
    bits = policy.generator->next();
  }
  pause(scale_to(bits, policy.delay_units_max) * policy.pauses_per_unit);
}

inline uint64_t now_ps() {
  return now_ns() * 1'000;
}
inline void watch_cores(CoreOnlooker& /*onlooker*/) {}
inline uint16_t current_core() {
  return kNoCore;
}
inline void watch_lines(uint64_t /*bits*/, LineWatcher /*watcher*/) {}
inline void keep_line_still(uint32_t /*latch*/) {}
inline void let_spinners_see(uint32_t /*latch*/) {}
inline void scale_work(uint64_t /*millionths*/) {}
inline void take_costs(const ServerProfile& /*profile*/) {}
inline void wake_freely(bool /*is_free*/) {}
inline uint64_t take_line_stall_ns() {
  return 0;
}

template <class T, class Holds>
SpinOutcome spin_until(const Atomic<T>& word, Holds holds, const SpinPolicy& policy) {
  for (uint32_t round = 1; round <= policy.rounds_max; ++round) {
    if (holds(word.load_relaxed())) return {true, round};
    spin_delay(policy);
  }
  return {false, policy.rounds_max};
}

class Device {
 public:
  explicit Device(const DeviceProfile& profile);
  const DeviceProfile& profile() const { return profile_; }

 private:
  friend void io(Device& device, uint64_t bytes);
  friend void occupy(Device& device, uint64_t duration_ns);
  static uint64_t reserve_until_ns(std::atomic<uint64_t>& channel, uint64_t service_ns);

  DeviceProfile profile_;
  std::unique_ptr<std::atomic<uint64_t>[]> busy_until_ns_;
  std::atomic<uint32_t> next_channel_{0};
};

// Not a std::thread, because that can only throw when the system cannot start another thread.
class Thread {
 public:
  Thread() = default;
  explicit Thread(std::function<void()> body);
  Thread(Thread&& other) noexcept
      : handle_(other.handle_), is_joinable_(std::exchange(other.is_joinable_, false)) {}
  Thread& operator=(Thread&& other) noexcept {
    std::swap(handle_, other.handle_);
    std::swap(is_joinable_, other.is_joinable_);
    return *this;
  }
  ~Thread();

  static Thread beside_the_server(std::function<void()> body) { return Thread(std::move(body)); }

  // Does nothing: real threads cannot be stopped one by one.
  void freeze() {}
  void thaw() {}

  bool joinable() const { return is_joinable_; }
  void join();

 private:
  pthread_t handle_{};
  bool is_joinable_ = false;
};

inline void begin_run(const ServerProfile& /*profile*/) {}
inline ModelTotals model_totals() {
  return {};
}
inline uint64_t line_transfers_of_caller() {
  return 0;
}
inline void note_events(uint64_t /*after*/, uint64_t /*count*/, const EventWatcher& /*watcher*/) {}
inline std::span<const uint64_t> event_trail() {
  return {};
}
inline uint64_t event_trail_step() {
  return 1;
}
inline void wait_for_host(const Atomic<uint32_t>& word, uint32_t expected) {
  futex_wait(word, expected);
}
inline bool run_slice(uint64_t /*events*/, uint64_t /*until_ns*/) {
  return false;
}
inline void let_host_look() {}
inline void bring_timeout_forward(const Atomic<uint32_t>& /*word*/, uint64_t /*sooner_ns*/) {}

inline uint64_t furthest_ns() {
  return now_ns();
}

inline constexpr uint32_t kThreadsMax = 160;
inline constexpr uint32_t kRunThreadsMax = 72;  // as many as a page starts when it loads

template <class Body>
void call_apart(Body body) {
  body();
}

inline void*& thread_local_slot() {
  static thread_local void* slot = nullptr;
  return slot;
}

}  // namespace latchscope::platform
