// The `virtual` platform: every thread is a fiber on a modelled server (machine.h).
// platform/platform.h defines the contract.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "platform/virtual/machine.h"

namespace latchscope::platform {

inline constexpr const char* kPlatformName = "virtual";
// Whether threads run on a modelled server. Only layers that report on runs read this; the engine
// itself never does.
inline constexpr bool kIsModelled = true;
// The share of declared work costs that is charged by default.
inline constexpr uint32_t kWorkCostsPercent = 100;
inline constexpr uint32_t kCacheLineBytes = 64;  // of the modelled server

struct CacheLine {
  void belongs_to(LatchLine latch) const { line_state.latch = latch; }
  mutable LineState line_state;
};

namespace detail {
struct LineOfOneWord : CacheLine {
  uint32_t word;
};
static_assert(sizeof(LineOfOneWord) > sizeof(CacheLine), "the words of a line follow its state");
}  // namespace detail

struct DataLine : CacheLine {
  void read() const { machine().load(line_state); }
  void write() const { machine().store(line_state); }
  static void read_all(std::span<const DataLine> lines) { machine().load_each(lines); }
};

template <class T>
class Atomic {
 public:
  Atomic(CacheLine& line, T initial) : line_(line.line_state), value_(initial) {}
  Atomic(const Atomic&) = delete;
  Atomic& operator=(const Atomic&) = delete;
  ~Atomic() {
    if (stores_under_way_ != 0) [[unlikely]]
      machine().forget_stores_to(&value_);
  }

  // Memory order is that of x86. Loads and read-modify-writes take effect in the order of virtual
  // time. Stores go through a buffer, except sequentially consistent ones, which are an exchange.
  T load_relaxed() const { return load(); }
  T load_acquire() const { return load(); }
  T load() const {
    if (stores_under_way_ != 0) [[unlikely]] {
      uint64_t bits;
      if (machine().reads_own_store(&value_, bits)) return static_cast<T>(bits);
    }
    if (machine().load(line_)) [[unlikely]]
      tell(LineAccess::Kind::load);
    return value_;
  }
  void store_relaxed(T value) { store_release(value); }
  void store_release(T value) {
    const uint8_t word = machine().watches(line_) ? word_on_line() : uint8_t{0};
    if (machine().store(line_, stored_word(), static_cast<uint64_t>(value), word)) value_ = value;
  }
  void store(T value) {
    modify([value](T) { return value; });
  }
  T exchange(T value) {
    return modify([value](T) { return value; });
  }
  T fetch_add(T value) {
    return modify([value](T old) { return static_cast<T>(old + value); });
  }
  T fetch_sub(T value) {
    return modify([value](T old) { return static_cast<T>(old - value); });
  }
  T fetch_or(T value) {
    return modify([value](T old) { return old | value; });
  }
  T fetch_and(T value) {
    return modify([value](T old) { return old & value; });
  }
  T fetch_xor(T value) {
    return modify([value](T old) { return old ^ value; });
  }

  // Stores the value found in `expected` on failure. Takes ownership of the line even then, as the
  // processor does.
  bool compare_exchange(T& expected, T desired) {
    const bool is_watched = machine().write(line_);
    const T found = value_;
    const bool is_expected = found == expected;
    if (is_expected) value_ = desired;
    if (is_watched) [[unlikely]]
      tell(is_expected ? LineAccess::Kind::read_modify_write : LineAccess::Kind::failed_compare_exchange);
    if (!is_expected) expected = found;
    return is_expected;
  }

  // The functions up to word_on_line() are for this platform only.
  LineState& line() const { return line_; }
  const T& value() const { return value_; }
  T& value() { return value_; }
  StoredWord stored_word() { return {&value_, sizeof(T), &stores_under_way_}; }
  bool has_stores_under_way() const { return stores_under_way_ != 0; }
  FutexQueue& futex_queue() const {
    if (futex_queue_ == nullptr) futex_queue_ = std::make_unique<FutexQueue>();
    return *futex_queue_;
  }

  // Returns the index of the word on its line, from 0. All words of a latch have the same size.
  uint8_t word_on_line() const {
    const auto* first_word = reinterpret_cast<const char*>(&line_) + sizeof(CacheLine);
    return static_cast<uint8_t>((reinterpret_cast<const char*>(this) - first_word) / sizeof(Atomic));
  }

 private:
  template <class Change>
  T modify(Change change) {
    const bool is_watched = machine().write(line_);
    const T old = std::exchange(value_, change(value_));
    if (is_watched) [[unlikely]]
      tell(LineAccess::Kind::read_modify_write);
    return old;
  }
  void tell(LineAccess::Kind kind) const {
    machine().tell_access(line_, kind, word_on_line(), static_cast<uint32_t>(value_));
  }

  LineState& line_;
  T value_;
  uint32_t stores_under_way_ = 0;
  // Created when a thread first sleeps here or wakes sleepers.
  mutable std::unique_ptr<FutexQueue> futex_queue_;
};

// A cell with one writer and any number of sampling readers. It costs nothing on the modelled
// server, because telemetry is not part of the measurement.
template <class T>
class Published {
 public:
  T read() const { return value_; }
  void set(T value) { value_ = value; }
  T read_acquire() const { return value_; }
  void set_release(T value) { value_ = value; }
  bool compare_exchange(T& expected, T desired) {
    const bool is_expected = value_ == expected;
    (is_expected ? value_ : expected) = is_expected ? desired : value_;
    return is_expected;
  }
  void add(T amount) { value_ = static_cast<T>(value_ + amount); }

 private:
  T value_ = 0;
};

template <class Body>
void call_apart(Body body) {
  if constexpr (FiberContext::kIsTakenApart) {
    FiberContext::call_apart(
        machine().current().context, [](void* given) { (*static_cast<Body*>(given))(); }, &body);
  } else {
    body();
  }
}

inline bool futex_wait(const Atomic<uint32_t>& word, uint32_t expected, uint64_t timeout_ns) {
  const Ps timeout = timeout_ns == kForeverNs ? kNever : timeout_ns * kPsPerNs;
  bool is_woken;
  call_apart([&] { is_woken = machine().futex_wait(word.futex_queue(), word.value(), expected, timeout); });
  return is_woken;
}
inline uint32_t futex_wake(const Atomic<uint32_t>& word, uint32_t count) {
  uint32_t woken;
  call_apart([&] { woken = machine().futex_wake(word.futex_queue(), count); });
  return woken;
}
inline void bring_timeout_forward(const Atomic<uint32_t>& word, uint64_t sooner_ns) {
  machine().bring_timeout_forward(word.futex_queue(), sooner_ns * kPsPerNs);
}
inline uint64_t furthest_ns() {
  return machine().furthest() / kPsPerNs;
}
inline constexpr uint32_t kWakeAll = 0x7fffffff;

inline uint64_t now_ns() {
  return machine().now() / kPsPerNs;
}
inline uint64_t now_ps() {
  return machine().now();
}
inline void watch_cores(CoreOnlooker& onlooker) {
  machine().watch_cores(onlooker);
}
inline uint16_t current_core() {
  return machine().current_core();
}
inline uint64_t thread_cpu_ns() {
  return machine().cpu_time() / kPsPerNs;
}
inline void watch_lines(uint64_t bits, LineWatcher watcher) {
  machine().watch_lines(bits, watcher);
}
inline void keep_line_still(uint32_t latch) {
  machine().keep_line_still(latch);
}
inline void let_spinners_see(uint32_t latch) {
  machine().let_spinners_see(latch);
}
inline void scale_work(uint64_t millionths) {
  machine().scale_work(millionths);
}
inline void wake_freely(bool is_free) {
  machine().wake_freely(is_free);
}
inline uint64_t take_line_stall_ns() {
  return machine().take_line_stall_ns();
}
inline void sleep_ns(uint64_t duration_ns) {
  machine().sleep_for(duration_ns * kPsPerNs);
}
inline void yield() {
  machine().yield();
}
inline void fence() {
  machine().fence();
}
inline void pause(uint32_t count) {
  machine().pause(count);
}
inline void charge(uint64_t cpu_ns) {
  machine().work(cpu_ns * kPsPerNs);
}
inline void charge_ps(uint64_t cpu_ps) {
  machine().work(cpu_ps);
}
inline void await_message_ps(uint64_t duration_ps) {
  machine().sleep_until(machine().now() + duration_ps);
}

template <class T, class Holds>
SpinOutcome spin_until(const Atomic<T>& word, Holds /*holds*/, const SpinPolicy& policy) {
  static_assert(std::is_empty_v<Holds>, "the predicate is stateless, because the scheduler evaluates it");
  if (word.has_stores_under_way()) [[unlikely]]
    machine().wait_for_stores();
  Atomic<uint32_t>* shared = policy.shared_generator;
  return machine().spin({&word.line(), &word.value(), word.word_on_line(),
                         [](const void* value) { return Holds{}(*static_cast<const T*>(value)); }, policy,
                         shared == nullptr ? nullptr : &shared->line(),
                         shared == nullptr ? StoredWord{} : shared->stored_word()});
}

class Device {
 public:
  explicit Device(const DeviceProfile& profile) : profile_(profile), busy_until_(profile.channels, 0) {}
  const DeviceProfile& profile() const { return profile_; }

 private:
  friend void io(Device& device, uint64_t bytes);
  friend void occupy(Device& device, uint64_t duration_ns);

  DeviceProfile profile_;
  std::vector<Ps> busy_until_;  // by channel
  uint32_t next_channel_ = 0;
};

class Thread {
 public:
  Thread() = default;
  template <class Body>
    requires(!std::is_same_v<std::remove_cvref_t<Body>, Thread>)
  explicit Thread(Body&& body)
      : fiber_(&machine().spawn(std::forward<Body>(body), Machine::Place::on_server)) {}
  Thread(Thread&& other) noexcept : fiber_(std::exchange(other.fiber_, nullptr)) {}
  Thread& operator=(Thread&& other) noexcept {
    fiber_ = std::exchange(other.fiber_, nullptr);
    return *this;
  }

  template <class Body>
  static Thread beside_the_server(Body&& body) {
    Thread thread;
    thread.fiber_ = &machine().spawn(std::forward<Body>(body), Machine::Place::beside_server);
    return thread;
  }

  void freeze() { machine().freeze(*fiber_); }
  void thaw() { machine().thaw(*fiber_); }

  bool joinable() const { return fiber_ != nullptr; }
  void join() { machine().join(*std::exchange(fiber_, nullptr)); }

 private:
  Fiber* fiber_ = nullptr;
};

inline void take_costs(const ServerProfile& profile) {
  machine().take_costs(profile);
}
inline void begin_run(const ServerProfile& profile) {
  machine().boot(profile);
}
inline ModelTotals model_totals() {
  return machine().totals();
}
inline uint64_t line_transfers_of_caller() {
  return machine().line_transfers_of_caller();
}
inline void note_events(uint64_t after, uint64_t count, const EventWatcher& watcher) {
  machine().note_events(after, count, watcher);
}
inline std::span<const uint64_t> event_trail() {
  return machine().trail().hashes();
}
inline uint64_t event_trail_step() {
  return machine().trail().step();
}
inline void wait_for_host(const Atomic<uint32_t>& /*word*/, uint32_t /*expected*/) {
  machine().return_to_host();
}
inline bool run_slice(uint64_t events, uint64_t until_ns) {
  const bool has_end = until_ns < kNever / kPsPerNs;
  return machine().run_slice(events, has_end ? until_ns * kPsPerNs : kNever);
}
inline void let_host_look() {
  machine().let_host_look();
}

inline constexpr uint32_t kThreadsMax = 1'104;
inline constexpr uint32_t kRunThreadsMax = kThreadsMax;
inline uint32_t threads_max() {
  return kThreadsMax;
}

inline void*& thread_local_slot() {
  return machine().slot();
}

}  // namespace latchscope::platform
