// A run on the modelled server for the command line, run in slices over the C ABI, as a page does.
// Between two slices virtual time stays fixed, and the process can be copied with the whole state
// of the run. A process can have one such run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cli/output.h"

namespace latchscope::cli {

class SlicedRun {
 public:
  // Runs until the clients start.
  explicit SlicedRun(const RunSpec& spec);

  // Runs up to this moment of the run, or to its end if that is earlier.
  void go_to(uint64_t run_ns);
  void go_to_the_end();
  bool is_over() const;
  // Makes the step take effect at the next nanosecond. Returns why it was rejected, if so.
  std::optional<std::string> do_by_hand(const RunSpec& spec, const run::TimedStep& step);
  // Does the same for a what-if: costs and latches, as in a run spec.
  std::optional<std::string> suppose(const Json& what_if);
  // REQUIRES: the run is over.
  std::string result() const;

 private:
  static std::optional<std::string> outcome_of(int32_t posted);

  double began_at_ns_;  // on the engine's clock
};

}  // namespace latchscope::cli
