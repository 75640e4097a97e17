// What all latches of one server share: its sync array and the spin settings of its threads.
#pragma once

#include <cstdint>

#include "latch/sync_array.h"
#include "platform/platform.h"

namespace latchscope::latch {

// The source of the threads' spin delays. MySQL 5.6 and 5.7 have one global generator
// (ut_rnd_ulint_counter), so each round also reads and writes one shared cache line. The shared
// line has the side effect of slowing spinners down. MySQL 8.0 has a generator per thread.
enum class SpinDelayGenerator : uint8_t { global, per_thread };

struct alignas(64) GlobalRandomGenerator : platform::CacheLine {
  platform::Atomic<uint32_t> counter{*this, 65654363};
};

struct SpinSettings {
  uint32_t rounds_max = 30;  // innodb_sync_spin_loops
  // innodb_spin_wait_delay - 1: MySQL draws below the value, 6 by default.
  uint32_t delay_units_max = 5;
  uint32_t pauses_per_unit = 50;  // innodb_spin_wait_pause_multiplier
  SpinDelayGenerator delay_generator = SpinDelayGenerator::per_thread;
};

// Extra writes of a release build's rw_lock to its own line for each S lock, by server version.
enum class RwLockBookkeeping : uint8_t {
  last_s_file,                    // 5.6 to 8.0.25: the file of the last S lock
  last_s_file_and_reader_thread,  // from 8.0.26: also the XOR of the readers' thread ids
  none,                           // MariaDB's srw_lock: the lock word only
};

struct LatchEnvironment {
  explicit LatchEnvironment(uint32_t threads_max) : sync_array(threads_max) {}

  // Returns the spin policy of the thread that owns this generator, with at most `rounds_max`
  // polls.
  platform::SpinPolicy spin_policy(platform::Random& thread_generator, uint32_t rounds_max) {
    return {rounds_max, spin.delay_units_max, spin.pauses_per_unit, &thread_generator, shared_generator()};
  }

  // Returns the word from which all threads draw their delays; null if each thread has a generator.
  platform::Atomic<uint32_t>* shared_generator() {
    switch (spin.delay_generator) {
      case SpinDelayGenerator::global:
        return &global_generator.counter;
      case SpinDelayGenerator::per_thread:
        return nullptr;
    }
    return nullptr;
  }

  SyncArray sync_array;
  SpinSettings spin;
  RwLockBookkeeping rw_lock_bookkeeping = RwLockBookkeeping::last_s_file_and_reader_thread;
  GlobalRandomGenerator global_generator;
};

}  // namespace latchscope::latch
