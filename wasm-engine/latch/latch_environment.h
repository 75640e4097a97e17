// What all latches of one server share: its sync array and how its threads spin.
#pragma once

#include <cstdint>

#include "latch/sync_array.h"
#include "platform/platform.h"

namespace latchscope::latch {

// MySQL 5.6 draws every spin delay from one global generator (ut_rnd_ulint_counter), so each round also reads
// and writes one shared cache line. 8.0 has a generator per thread. The accident throttles spinners.
class GlobalRandomGenerator {
 public:
  // Uniform in [low, high].
  uint32_t between(uint32_t low, uint32_t high) {
    // The step of a linear congruential generator (Knuth's MMIX multiplier, cut to 32 bits).
    const uint32_t next = line_.counter.load_relaxed() * 1664525u + 1013904223u;
    line_.counter.store_relaxed(next);
    return low + static_cast<uint32_t>((static_cast<uint64_t>(next) * (high - low + 1)) >> 32);
  }

 private:
  struct alignas(64) Line : platform::CacheLine {
    platform::Atomic<uint32_t> counter{*this, 65654363};
  };
  Line line_;
};

struct SpinSettings {
  uint32_t rounds_max = 30;       // innodb_sync_spin_loops
  uint32_t delay_units_max = 6;   // innodb_spin_wait_delay
  uint32_t pauses_per_unit = 50;  // innodb_spin_wait_pause_multiplier
  bool global_generator = false;  // as in 5.6
};

// Extra writes that a release build's rw_lock makes to its own line for each S lock, by server version.
enum class RwLockBookkeeping : uint8_t {
  last_s_file,                    // 5.6 to 8.0.25: who locked last
  last_s_file_and_reader_thread,  // from 8.0.26: also the XOR of the readers' thread ids
  none,                           // MariaDB's srw_lock: the lock word only
};

struct LatchEnvironment {
  explicit LatchEnvironment(uint32_t threads_max) : sync_array(threads_max) {}

  // Waits a random number of delay units, as every spinner does between two polls.
  void spin_delay(platform::Random& thread_generator) {
    const uint32_t units = spin.global_generator ? global_generator.between(0, spin.delay_units_max)
                                                 : thread_generator.between(0, spin.delay_units_max);
    platform::pause(units * spin.pauses_per_unit);
  }

  SyncArray sync_array;
  SpinSettings spin;
  RwLockBookkeeping rw_lock_bookkeeping = RwLockBookkeeping::last_s_file_and_reader_thread;
  GlobalRandomGenerator global_generator;
};

}  // namespace latchscope::latch
