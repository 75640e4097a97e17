#include "workload/checks.h"

#include <gtest/gtest.h>

namespace latchscope::tests {
namespace {

struct CountsOfReads {
  uint64_t reads = 0;
  uint64_t latches[2] = {0, 0};
};

// A read acquires each of two latches once.
class ReadChecks final : public workload::Checks<CountsOfReads> {
 public:
  CountsOfReads so_far;

 private:
  CountsOfReads totals() const override { return so_far; }
  void check_lock_path(const CountsOfReads& phase) override {
    const bool ok = phase.latches[0] == phase.reads && phase.latches[1] == phase.reads;
    expect("lock path", ok, std::to_string(phase.reads) + " reads");
  }
  void check_end() override { expect("end", so_far.reads == 9); }
};

std::vector<std::string> texts_of(const std::vector<workload::Invariant>& invariants) {
  std::vector<std::string> texts;
  for (const workload::Invariant& invariant : invariants)
    texts.push_back(invariant.name + (invariant.ok ? " ok" : " broken") +
                    (invariant.detail.empty() ? "" : ": " + invariant.detail));
  return texts;
}

TEST(Checks, APhaseIsCheckedWithWhatWasCountedInIt) {
  ReadChecks checks;
  checks.so_far = {.reads = 3, .latches = {3, 3}};
  checks.end_phase();
  checks.so_far = {.reads = 7, .latches = {7, 6}};  // one acquisition is missing
  checks.end_phase();
  checks.so_far = {.reads = 9, .latches = {9, 8}};
  checks.end_phase();
  EXPECT_EQ(texts_of(checks.invariants()),
            (std::vector<std::string>{"lock path ok: 3 reads", "lock path broken: 4 reads",
                                      "lock path ok: 2 reads", "end ok"}));
}

TEST(Checks, WhatHappensBetweenTwoPhasesIsNotChecked) {
  ReadChecks checks;
  checks.end_phase();
  checks.so_far = {.reads = 5, .latches = {0, 5}};  // while the design changes
  checks.begin_phase();
  checks.so_far = {.reads = 9, .latches = {4, 9}};
  checks.end_phase();
  EXPECT_EQ(texts_of(checks.invariants()),
            (std::vector<std::string>{"lock path ok: 0 reads", "lock path ok: 4 reads", "end ok"}));
}

}  // namespace
}  // namespace latchscope::tests
