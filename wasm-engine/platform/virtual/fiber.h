// The machine's state of one thread: its stack, its CPU, its next event, and what it sleeps on or
// polls. The machine, its scheduler and its CPUs each write their own part.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>

#include "platform/server_profile.h"
#include "platform/spin.h"
#include "platform/virtual/coherence_model.h"
#include "platform/virtual/fiber_context.h"
#include "platform/virtual/store_buffer.h"

namespace latchscope::platform {

struct FutexQueue;

inline constexpr uint32_t kNoCpu = ~0u;
inline constexpr uint64_t kWholeWork = 1'000'000;

// What a fiber does when its event occurs.
enum class Next : uint8_t {
  go_on,        // it continues where it is
  retry,        // it continues after a yield (only while exploring)
  wake,         // it was asleep and wants a CPU, with the latency of a wake-up
  timer,        // its sleep or timeout has ended, and it wants a CPU
  poll,         // it spins: issue a poll
  judge,        // the poll has taken effect: test the value
  draw,         // issue the load of the shared generator
  store_drawn,  // the load has taken effect: issue the store
  drawn,        // the store has taken effect (without store buffers)
};
constexpr bool is_spinning(Next next) {
  return next >= Next::poll;
}

// An access to a watched line that is in progress.
struct IssuedAccess {
  Ps at = 0;
  uint16_t from_core = 0;  // LineAccess::from_core
  LatchLine line;          // line.latch == 0: no access is in progress
};

// A spin on a word, which the machine performs for the fiber.
struct SpinTask {
  LineState* line;
  const void* word;
  uint8_t word_on_line;
  bool (*holds)(const void* word);
  SpinPolicy policy;
  // Of the shared generator; null if the thread has its own generator.
  LineState* generator_line;
  StoredWord generator_word;
};

// A spinning fiber's next step, and its time.
struct SpinStep {
  Ps time;
  Next next;
};

struct Fiber {
  explicit Fiber(uint32_t fiber_id) : id(fiber_id) {}
  Fiber(uint32_t fiber_id, std::function<void()> fiber_body, void (*entry)(void*))
      : id(fiber_id), body(std::move(fiber_body)), context(entry, this) {}

  const uint32_t id;
  bool is_beside = false;      // beside the server
  uint32_t server_number = 0;  // order of start on the server, from 1; 0 beside it
  std::function<void()> body;
  FiberContext context;
  void* slot = nullptr;
  Ps line_stall = 0;
  uint64_t line_transfers = 0;            // of all its accesses but polls
  uint64_t work_millionths = kWholeWork;  // cost of its work, in millionths of the normal cost
  bool wakes_freely = false;              // its current or next sleep ends at no cost
  StoreBuffer stores;
  IssuedAccess issued;
  bool accesses_watched_line = false;  // applies to the access in progress, or the last one
  bool store_takes_effect = false;     // the last store took effect at once

  // Used by the CPUs (cpus.h).
  uint32_t cpu = kNoCpu;
  uint32_t core = 0;  // of its CPU, or of the last one it had
  uint32_t last_cpu = kNoCpu;
  Ps on_cpu_since = 0;
  Ps cpu_time = 0;  // up to on_cpu_since
  Ps slice_ends = kNever;
  Fiber* next_in_queue = nullptr;  // in the run queue, or in a futex queue
  Fiber* previous_in_queue = nullptr;

  // Used by the scheduler.
  uint64_t event = 0;  // number of its pending event; 0: none
  Ps event_time = 0;   // of that event; not updated by spin steps of the clock scheduler
  Next next{};
  bool is_frozen = false;
  bool is_held = false;  // frozen, and its event has occurred

  FutexQueue* sleeps_on = nullptr;
  bool was_timed_out = false;

  SpinTask spin{};
  uint32_t rounds = 0;
  bool is_satisfied = false;
  uint32_t drawn_bits = 0;

  bool has_ended = false;
  Fiber* joiner = nullptr;
};

}  // namespace latchscope::platform
