// The lab over the C ABI: a check that goes on a little with each call, so that a worker can tell how far it is and be ended, and
// contests. What is given is JSON:
//
//   {"program": as api/lab_program.h reads it, "check": as api/lab_check_options.h does}
//   {"program": the same, "contest": as api/lab_contest.h reads it}
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "api/json.h"
#include "api/run_spec.h"
#include "lab/checker.h"
#include "lab/contest.h"

namespace latchscope::api {

// What a page gives a search, of the memory of its module.
inline constexpr uint64_t kPageSearchBytesMax = 256 << 20;

class LabHost {
 public:
  // What is wrong with it: then nothing has begun, and there is no check any more.
  std::vector<FieldError> begin_check(const Json& given);
  // Goes on for some thousand states, or as many schedules: {"part", "parts", "sentence", "is_done"}; null without a check.
  Json go_on();
  // As api/lab_check_json.h writes it, of a check that is done; else null.
  Json check_result() const;

  // Of the contest that is held next.
  std::vector<FieldError> take_contest(const Json& given);
  // By the coordinator. Without effect if none was taken.
  void hold_contest();
  // Of the last one: as api/lab_contest.h writes it; null before that.
  const Json& contest_result() const { return contest_result_; }

 private:
  struct Contest {
    lab::Program program;
    lab::ContestSpec spec;
  };
  std::unique_ptr<lab::Checker> checker_;
  bool is_done_ = false;
  std::optional<Contest> next_contest_;
  Json contest_result_;
};

}  // namespace latchscope::api
