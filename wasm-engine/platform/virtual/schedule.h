// The choice of the next thread on an explored machine (ExploringScheduler). A schedule chooses
// among all threads that can continue, whatever the clock says. Its choices are recorded, so it can
// be replayed.
//
//     RandomSchedule   chooses at random; may keep one thread for a while before it draws another
//     PctSchedule      random priorities, and d - 1 points at which the running thread falls behind
//                      all others. Finds a fault that takes d ordered steps with a probability that
//                      has a lower bound. Source: Burckhardt et al., "A Randomized Scheduler with
//                      Probabilistic Guarantees of Finding Bugs", ASPLOS 2010
//     ReplaySchedule   repeats the choices of an earlier schedule
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "platform/random.h"

namespace latchscope::platform {

// What a thread does if it is chosen.
struct Candidate {
  enum class Kind : uint8_t {
    step,   // a shared access, a system call or a wake-up
    retry,  // it has polled in vain or yielded, and waits for others
    timer,  // its sleep or timeout ends
  };
  uint32_t thread;  // in the order of their start, from 1
  Kind kind;
};

// Returns how many candidates are timers.
inline uint32_t timers_among(std::span<const Candidate> candidates) {
  uint32_t timers = 0;
  for (const Candidate& candidate : candidates)
    timers += candidate.kind == Candidate::Kind::timer ? 1 : 0;
  return timers;
}

// The choices of a RandomSchedule. Candidates are ordered by thread; there is at least one.
class RandomPicks {
 public:
  // At each step another thread is drawn with a chance of one in `run_length`; 1 draws at each
  // step.
  RandomPicks(uint64_t seed, uint32_t run_length) : random_(seed), run_length_(run_length) {}
  size_t pick(std::span<const Candidate> candidates, uint32_t timers);

 private:
  Random random_;
  uint32_t run_length_;
  uint32_t running_ = 0;   // the thread that continues
  size_t running_at_ = 0;  // its index among the last candidates
};

// The choices of a PctSchedule.
class PctPicks {
 public:
  // The points at which a thread falls back are drawn from the first `length` steps.
  PctPicks(uint64_t seed, uint32_t depth, uint32_t length);
  size_t pick(std::span<const Candidate> candidates, uint32_t timers);

 private:
  int64_t& priority_of(uint32_t thread);
  bool falls_back_now() const;
  size_t highest(std::span<const Candidate> candidates, bool wants_timer) const;
  size_t highest_once_drawn(std::span<const Candidate> candidates, bool wants_timer);

  Random random_;
  std::vector<int64_t> priorities_;   // by thread; 0: not yet drawn
  std::vector<uint32_t> falls_back_;  // step numbers
  uint32_t step_ = 0;
  int64_t lowest_ = 0;  // lowest priority so far
};

class Schedule {
 public:
  Schedule() { choices_.reserve(256); }
  virtual ~Schedule() = default;
  Schedule(const Schedule&) = delete;
  Schedule& operator=(const Schedule&) = delete;

  // Returns the index of the chosen candidate and records the choice.
  //
  // REQUIRES: candidates are ordered by thread, and there is at least one.
  size_t choose(std::span<const Candidate> candidates) {
    const size_t chosen = pick(candidates);
    choices_.push_back(static_cast<uint8_t>(candidates[chosen].thread));
    return chosen;
  }

  // Returns the choices so far in ReplaySchedule's format. In "1x12 2 1x3" thread 1 takes twelve
  // steps, thread 2 one, and so on.
  std::string text() const;
  size_t steps() const { return choices_.size(); }

 private:
  virtual size_t pick(std::span<const Candidate> candidates) = 0;

  std::vector<uint8_t> choices_;  // thread numbers
};

class RandomSchedule final : public Schedule {
 public:
  RandomSchedule(uint64_t seed, uint32_t run_length) : picks_(seed, run_length) {}

 private:
  size_t pick(std::span<const Candidate> candidates) override {
    return picks_.pick(candidates, timers_among(candidates));
  }

  RandomPicks picks_;
};

class PctSchedule final : public Schedule {
 public:
  PctSchedule(uint64_t seed, uint32_t depth, uint32_t length) : picks_(seed, depth, length) {}

 private:
  size_t pick(std::span<const Candidate> candidates) override {
    return picks_.pick(candidates, timers_among(candidates));
  }

  PctPicks picks_;
};

class ReplaySchedule final : public Schedule {
 public:
  explicit ReplaySchedule(std::string_view text);

  // Returns false once a choice was impossible: the text belongs to another program or is no
  // schedule.
  bool fits() const { return fits_; }

 private:
  size_t pick(std::span<const Candidate> candidates) override;

  struct Run {
    uint32_t thread, steps;
  };
  std::vector<Run> runs_;
  size_t current_ = 0;
  bool fits_ = true;
};

}  // namespace latchscope::platform
