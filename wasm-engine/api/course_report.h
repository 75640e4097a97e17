// What differs between two courses, for people and programs: where they part, and what was counted since, over the seeds that both
// were carried out with.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/estimate.h"
#include "api/json.h"

namespace latchscope::api {

// Both courses with one seed. Events as noted_event_json has them, figures as course_figures_json.
struct PairOfCourses {
  uint64_t first_different = 0;  // 0: none
  uint64_t noted_until = 0;      // number of an event
  Json events[2];                // the first that differs; null: the run has no such event
  Json on_server[2];             // the first of the server's threads that differ; null: none of those noted
  Json figures[2];               // from the last moments that both were compared at
};

class CourseReport {
 public:
  CourseReport(Json spec, Json other_spec) : specs_{std::move(spec), std::move(other_spec)} {}
  // {"a", "b": the specs, "pairs": [{"event", "noted_until", "events", "on_server", "figures"}]}, lists of two.
  // Nothing if it is anything else.
  static std::optional<CourseReport> read(const Json& json);

  void add(PairOfCourses pair) { pairs_.push_back(std::move(pair)); }
  const std::vector<PairOfCourses>& pairs() const { return pairs_; }

  // A figure, by the names of the objects that it is in.
  using Path = std::vector<std::string>;
  Estimate of(size_t course, const Path& path) const;
  // Seed by seed. None where the first course has nothing.
  std::optional<Estimate> ratio(const Path& path) const;
  // Those that cost most first.
  std::vector<std::string> latches() const;
  // As web/contract/going-back.ts declares it.
  Json json() const;

 private:
  Json figure_json(const Path& path) const;

  Json specs_[2];
  std::vector<PairOfCourses> pairs_;
};

}  // namespace latchscope::api
