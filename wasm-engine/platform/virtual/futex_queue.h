// The sleepers on one futex word, first in first out, and the kernel's lock over them, a serial
// resource.
#pragma once

#include <algorithm>
#include <cstdint>

#include "platform/server_profile.h"
#include "platform/virtual/fiber.h"

namespace latchscope::platform {

struct FutexQueue {
  uint32_t epoch = 0;
  // Between their system call and their wake-up; a waker that finds none does not lock.
  uint32_t pending = 0;
  Ps bucket_busy_until = 0;
  Fiber* first = nullptr;
  Fiber* last = nullptr;

  // Clears the state that an earlier run of the machine has left.
  void refresh(uint32_t machine_epoch) {
    if (epoch == machine_epoch) return;
    *this = {};
    epoch = machine_epoch;
  }

  // Returns when an arriving thread, which spins, gets the bucket's lock.
  Ps lock_from(Ps now) const { return std::max(now, bucket_busy_until); }

  void add(Fiber& fiber) {
    fiber.sleeps_on = this;
    fiber.next_in_queue = nullptr;
    fiber.previous_in_queue = last;
    (last == nullptr ? first : last->next_in_queue) = &fiber;
    last = &fiber;
  }

  void remove(Fiber& fiber) {
    (fiber.previous_in_queue == nullptr ? first : fiber.previous_in_queue->next_in_queue) =
        fiber.next_in_queue;
    (fiber.next_in_queue == nullptr ? last : fiber.next_in_queue->previous_in_queue) =
        fiber.previous_in_queue;
    fiber.sleeps_on = nullptr;
    --pending;
  }
};

}  // namespace latchscope::platform
