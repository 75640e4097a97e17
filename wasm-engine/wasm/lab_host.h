// The lab over the C ABI: checks and contests. A check advances a little with each call, so that a
// worker can report progress and stop it. The input is JSON:
//
//   {"program": as read by run/lab_program.h, "check": as read by run/lab_check.h}
//   {"program": the same, "contest": as read by run/lab_contest.h}
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "lab/checker.h"
#include "lab/contest.h"
#include "run/json.h"
#include "run/run_spec.h"

namespace latchscope::wasm {

// The memory that a page grants a search, out of its module's memory.
inline constexpr uint64_t kPageSearchBytesMax = 256 << 20;

class LabHost {
 public:
  // Returns the errors of the input. With errors no check begins, and an earlier one is dropped.
  std::vector<run::FieldError> begin_check(const run::Json& given);
  // Continues for some thousand states, or as many schedules. Returns {"part", "parts", "sentence",
  // "is_done"}; null without a check.
  run::Json go_on();
  // Returns the result of a completed check as written by run/lab_check.h; otherwise null.
  run::Json check_result() const;

  // Sets the next contest. Returns the errors of the input.
  std::vector<run::FieldError> take_contest(const run::Json& given);
  // Runs the contest that was set, if any.
  //
  // REQUIRES: the caller is the coordinator.
  void hold_contest();
  // Returns the result of the last contest as written by run/lab_contest.h; null before the first
  // one.
  const run::Json& contest_result() const { return contest_result_; }

 private:
  struct Contest {
    lab::Program program;
    lab::ContestSpec spec;
  };
  std::unique_ptr<lab::Checker> checker_;
  bool is_done_ = false;
  std::optional<Contest> next_contest_;
  run::Json contest_result_;
};

}  // namespace latchscope::wasm
