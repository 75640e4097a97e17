// What the machine knows of one thread: its stack, its CPU, what it does when its event comes, and what it sleeps on or
// polls. The machine, its scheduler and its CPUs write into it, each its own part.
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

// What a fiber does when its event comes.
enum class Next : uint8_t {
  go_on,        // it goes on where it is
  retry,        // the same, after a yield (only while exploring)
  wake,         // it was asleep and wants a CPU, with the latency of a wake-up
  timer,        // the same, when its time has come
  poll,         // it spins: issue a poll
  judge,        // the poll has taken effect
  draw,         // issue the load of the shared generator
  store_drawn,  // the load has taken effect: issue the store
  drawn,        // the store has taken effect (without store buffers)
};
constexpr bool is_spinning(Next next) {
  return next >= Next::poll;
}

// An access to a watched line that is under way.
struct IssuedAccess {
  Ps at = 0;
  uint16_t from_core = 0;  // LineAccess::from_core
  LatchLine line;          // 0: none is under way
};

// Polling a word, as the machine carries it out.
struct SpinTask {
  LineState* line;
  const void* word;
  uint8_t word_on_line;
  bool (*holds)(const void* word);
  SpinPolicy policy;
  // Of the shared generator, null if the thread has one of its own.
  LineState* generator_line;
  StoredWord generator_word;
};

// What a spinning fiber does next, and when.
struct SpinStep {
  Ps time;
  Next next;
};

struct Fiber {
  explicit Fiber(uint32_t fiber_id) : id(fiber_id) {}
  Fiber(uint32_t fiber_id, std::function<void()> fiber_body, void (*entry)(void*))
      : id(fiber_id), body(std::move(fiber_body)), context(entry, this) {}

  const uint32_t id;
  bool is_beside = false;      // the server
  uint32_t server_number = 0;  // which thread of the server since its start, from 1; 0 beside it
  std::function<void()> body;
  FiberContext context;
  void* slot = nullptr;
  Ps line_stall = 0;
  uint64_t line_transfers = 0;            // of its loads, stores and read-modify-writes, but for polls
  uint64_t work_millionths = kWholeWork;  // what its work costs, of what it costs otherwise
  bool wakes_freely = false;              // from what it sleeps on, or is about to
  StoreBuffer stores;
  IssuedAccess issued;
  bool accesses_watched_line = false;  // the access under way, or the last one
  bool store_takes_effect = false;     // of the last one, at once

  // Of the CPUs (cpus.h).
  uint32_t cpu = kNoCpu;
  uint32_t core = 0;  // the CPU's, or the last one's
  uint32_t last_cpu = kNoCpu;
  Ps on_cpu_since = 0;
  Ps cpu_time = 0;  // before that
  Ps slice_ends = kNever;
  Fiber* next_in_queue = nullptr;  // of ready fibers, or of a futex
  Fiber* previous_in_queue = nullptr;

  // Of the scheduler.
  uint64_t event = 0;  // the number of the event that counts; 0: none
  Ps event_time = 0;   // when it comes, of a timer; of any event while exploring
  Next next{};
  bool is_frozen = false;
  bool is_held = false;  // frozen, and its event has come

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
