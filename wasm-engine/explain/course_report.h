// The differences between two branches, for people and programs: where they diverge, and the counts
// since then, over the common seeds.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "explain/estimate.h"
#include "run/json.h"

namespace latchscope::explain {

// Two branches with one seed. Events have the form of noted_event_json, figures that of
// course_figures_json.
struct PairOfCourses {
  uint64_t first_different = 0;  // 0: none
  uint64_t noted_until = 0;      // an event number
  run::Json events[2];           // the first that differs; null: the run has no such event
  run::Json on_server[2];        // the same among the server's threads; null: none noted
  run::Json figures[2];          // from the last common moments to the end
};

class CourseReport {
 public:
  CourseReport(run::Json spec, run::Json other_spec) : specs_{std::move(spec), std::move(other_spec)} {}
  // Reads {"a", "b": the specs, "pairs": [{"event", "noted_until", "events", "on_server",
  // "figures"}]}; the last three are lists of two. Returns nothing if `json` has another form.
  static std::optional<CourseReport> read(const run::Json& json);

  void add(PairOfCourses pair) { pairs_.push_back(std::move(pair)); }
  const std::vector<PairOfCourses>& pairs() const { return pairs_; }

  // The path of a figure: the names of its enclosing objects, and its own.
  using Path = std::vector<std::string>;
  Estimate of(size_t course, const Path& path) const;
  // Returns the ratio, computed seed by seed. Returns nothing where the first branch has no value.
  std::optional<Estimate> ratio(const Path& path) const;
  // Returns the latches, costliest first.
  std::vector<std::string> latches() const;
  // Returns the form that web/contract/going-back.ts declares.
  run::Json json() const;

 private:
  run::Json figure_json(const Path& path) const;

  run::Json specs_[2];
  std::vector<PairOfCourses> pairs_;
};

}  // namespace latchscope::explain
