// The checks of a run. Each scenario has its own beside its workload, in <scenario>_checks.h and .cc: a class
// derived from Checks, made with the parts of the server that it checks.
//
//   lock path    at the end of each phase in which one design was in force: each latch was taken as often as the variants
//                say (docs/explanation/architecture.md, "The lock paths")
//   invariants   at the end of the run: nothing was lost, whatever was flipped
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

// Of two structs of counts, all of them uint64_t.
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

// `Totals`: the counts for checking a lock path, such as acquisitions and the operations that need them; all
// of them uint64_t.
template <class Totals>
class Checks {
 public:
  Checks() = default;
  virtual ~Checks() = default;
  Checks(const Checks&) = delete;
  Checks& operator=(const Checks&) = delete;

  // Clients stopped, as for everything below. A phase begins with the run, and here.
  void begin_phase() { phase_began_ = totals(); }
  // The next one begins.
  void end_phase() {
    const Totals now = totals();
    check_lock_path(difference(now, phase_began_));
    phase_began_ = now;
  }
  // After the last end_phase(), once.
  std::vector<Invariant> invariants() {
    check_end();
    return std::move(invariants_);
  }

 protected:
  // Of the run so far.
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
