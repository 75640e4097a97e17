// The checks of a run. Each scenario derives its own class from Checks, in its file or in
// <scenario>_checks.h and .cc. The constructor takes the parts of the server that it checks.
//
//   lock path    at the end of each phase of one design: each latch was acquired as the variants
//                say (docs/explanation/architecture.md, "The lock paths")
//   invariants   at the end of the run: nothing was lost, whichever knobs were changed
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "telemetry/telemetry.h"
#include "workload/workload.h"

namespace latchscope::workload {

// Returns the difference of two structs whose members are all uint64_t.
template <class Totals>
Totals difference(const Totals& now, const Totals& before) {
  static_assert(std::is_trivially_copyable_v<Totals> && alignof(Totals) == alignof(uint64_t));
  using Counts = std::array<uint64_t, sizeof(Totals) / sizeof(uint64_t)>;
  Counts counts = std::bit_cast<Counts>(now);
  const Counts earlier = std::bit_cast<Counts>(before);
  for (size_t i = 0; i < counts.size(); ++i)
    counts[i] -= earlier[i];
  return std::bit_cast<Totals>(counts);
}

inline uint64_t acquisitions_at(uint32_t site) {
  return telemetry::latch_site_total(site).acquisitions;
}

// `Totals` contains the counts needed to check a lock path, such as acquisitions and the operations
// that cause them. All are uint64_t.
template <class Totals>
class Checks {
 public:
  Checks() = default;
  virtual ~Checks() = default;
  Checks(const Checks&) = delete;
  Checks& operator=(const Checks&) = delete;

  // REQUIRES for all functions below: the clients are stopped.
  // Begins a phase. A phase also begins with the run.
  void begin_phase() { phase_began_ = totals(); }
  // Checks the current phase and begins the next one.
  void end_phase() {
    const Totals now = totals();
    check_lock_path(difference(now, phase_began_));
    phase_began_ = now;
  }
  // Runs the final checks and returns all invariants. Called once, after the last end_phase().
  std::vector<Invariant> invariants() {
    check_end();
    return std::move(invariants_);
  }

 protected:
  // Returns the totals of the run so far.
  virtual Totals totals() const = 0;
  virtual void check_lock_path(const Totals& phase) = 0;
  virtual void check_end() = 0;

  void expect(std::string name, bool ok, std::string detail = "") {
    invariants_.push_back({std::move(name), ok, std::move(detail)});
  }
  void expect(std::vector<Invariant> others) {
    for (Invariant& other : others)
      invariants_.push_back(std::move(other));
  }

 private:
  Totals phase_began_{};
  std::vector<Invariant> invariants_;
};

}  // namespace latchscope::workload
