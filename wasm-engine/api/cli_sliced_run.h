// A run on the modelled server for the command line, carried out in slices over the C ABI, as a page does it: between two slices
// time stands, and the process can be copied with all that the run is made of. One in a process.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "api/json.h"
#include "api/run_spec.h"

namespace latchscope::api {

class SlicedRun {
 public:
  // The clients begin.
  explicit SlicedRun(const RunSpec& spec);

  // Time stands at this moment of the run, or at its end if that comes before.
  void go_to(uint64_t run_ns);
  void go_to_the_end();
  bool is_over() const;
  // Takes place at the next nanosecond. Returns why it was refused.
  std::optional<std::string> do_by_hand(const RunSpec& spec, const TimedStep& step);
  // The same of a what-if: costs and latches, as in a run spec.
  std::optional<std::string> suppose(const Json& what_if);
  // Of a run that is over.
  std::string result() const;

 private:
  static std::optional<std::string> outcome_of(int32_t posted);

  double began_at_ns_;  // the engine's clock
};

}  // namespace latchscope::api
