// Checks a latch: looks for a schedule under which it goes wrong.
//
//   every schedule   stores at once: 2 threads with 3 rounds, 3 with 2 and 4 with 1. Store buffers:
//                    2 threads with 2 rounds and 3 with 1. If there are too many states, also 3
//                    threads with 1 round (check_search.h)
//   starvation       2 and 3 threads that enter and exit forever, stores at once
//                    (check_starvation.h)
//   at random        3 to 6 threads with 3 rounds, in both memory models in turn (check_random.h)
//
// The first fault ends the check. Starvation is no fault: the check continues. A check without a
// fault is no proof, except as its parts say: `parts` lists the checks and their extent. A check
// runs in steps, so that a worker can report progress and stop.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lab/check_random.h"
#include "lab/check_search.h"
#include "lab/check_trace.h"

namespace latchscope::lab {

inline constexpr uint32_t kCheckStatesMax = 50'000'000;
inline constexpr uint32_t kCheckSchedulesMax = 100'000'000;
inline constexpr uint32_t kStarvationStatesMax = 300'000;

struct CheckOptions {
  uint32_t threads = 0;  // only this number; 0: as above
  uint32_t rounds = 0;   // 0: as above
  uint32_t schedules = 20'000;
  uint32_t states = 2'000'000;     // per part
  uint64_t bytes = 1'500'000'000;  // approximate bytes of stored states, per part
  bool with_sequential = true, with_store_buffers = true;
  bool with_starvation = true;

  // Returns whether the check searches for starvation: among 2 and 3 threads, stores at once.
  bool includes_starvation() const;
};

struct CheckedPart {
  enum class How : uint8_t { every_schedule, starvation, at_random };
  How how = How::every_schedule;
  Configuration configuration;  // at random: threads is the maximum
  uint32_t threads_min = 0;     // at random
  bool runs_client = false;
  uint64_t states = 0, moves = 0;
  bool is_complete = false;  // all states, or all requested schedules
  // The limit that the states exceeded. If none and not complete, the part ended at the fault.
  Limit over_limit = Limit::none;
  bool can_starve = false;             // starvation: a thread can starve
  bool left_out_choices = false;       // random(n) with n > 4: only 0, n/2 and n-1 were tried
  uint32_t schedules = 0;              // at random, with seeds from 0 on
  uint32_t schedules_without_end = 0;  // no end after kRandomStepsMax steps, and no fault
  std::string sentence() const;
};

struct CheckResult {
  std::string refused;  // why the latch cannot be checked; else empty
  std::optional<CheckFault> fault;
  std::optional<CheckFault> starvation;  // of the kind `starvation`: how a thread can starve
  std::vector<CheckedPart> parts;
  // Returns exactly what the check supports, as a sentence.
  std::string sentence() const;
};

class Checker {
 public:
  // REQUIRES: find_fault() has found nothing.
  Checker(Program program, const CheckOptions& options);
  ~Checker();
  Checker(const Checker&) = delete;
  Checker& operator=(const Checker&) = delete;

  // Continues for about `amount` states or schedules. Returns false once the check is done.
  bool go_on(uint32_t amount);
  // Returns the result so far.
  const CheckResult& result() const { return result_; }
  const Program& program() const { return program_.program(); }
  uint32_t parts_planned() const { return static_cast<uint32_t>(plan_.size()); }

 private:
  void plan(const CheckOptions& options);
  void plan_searches(MemoryModel memory, uint32_t threads, uint32_t rounds, CheckedPart::How how);
  void begin_part();
  void begin_search(Reduction reduction);
  std::unique_ptr<Search> search_of(const CheckedMachine& machine, bool keeps_states,
                                    Reduction reduction) const;
  bool go_on_searching(uint32_t amount);
  bool go_on_at_random(uint32_t amount);
  bool end_search();
  void look_for_starvation();
  static std::optional<Search::Found> what_is_wrong(const Search& search);
  bool found_with_fewer_rounds();
  void found(const CheckedMachine& machine, Search::Found wrong);

  const CheckedProgram program_;
  const CheckOptions options_;
  std::vector<CheckedPart> plan_;
  size_t current_ = 0;
  std::unique_ptr<CheckedMachine> machine_;
  std::unique_ptr<Search> search_;
  bool is_reduced_ = false;                     // whether `search_` is reduced
  std::optional<Search::Found> found_reduced_;  // the fault that the reduced search found
  std::unique_ptr<RandomSchedules> random_;
  CheckResult result_;
};

// The effects of a schedule given as text, or the reason why it does not fit.
struct Replayed {
  std::optional<CheckFault> trace;  // its kind is none if there is no fault
  std::string refused;
};
Replayed replay_schedule(const Program& program, const Configuration& configuration, std::string_view text);

}  // namespace latchscope::lab
